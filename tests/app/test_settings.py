"""Every limit is documented, and the page that documents it is up to date."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy.engine import make_url

from routescope_app.services.circuits import graphs
from routescope_app.settings import (
    DISK_SHARES,
    MEMORY_SHARES,
    OTHER_VARIABLES,
    REPLACED,
    Settings,
    as_markdown,
    is_loopback,
    unknown_variables,
)
from tests.app.serving import running, settings

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_what_the_code_says_one_sentence_a_setting() -> None:
    written = (ROOT / "docs" / "settings.md").read_text()
    assert written == as_markdown(), "run: python -m routescope_app.settings > docs/settings.md"
    for name, field in Settings.model_fields.items():
        assert f"`ROUTESCOPE_{name.upper()}`" in written
        assert field.description and field.description.endswith(".") and len(field.description.split()) >= 3, name
    assert len(Settings.model_fields) <= 70, "an operator reads few settings"
    assert graphs.MAX_UNITS <= 2**16, "links are sent as positions of 16 bits"


def test_every_setting_is_read_by_the_code() -> None:
    sources = "\n".join(p.read_text() for p in (ROOT / "app").rglob("*.py") if p.name != "settings.py")
    own = (ROOT / "app" / "routescope_app" / "settings.py").read_text()
    for name in Settings.model_fields:
        assert f".{name}" in sources or f"self.{name}" in own or f"{name}: " in sources, name


def test_environment_overrides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTESCOPE_MAX_UPLOAD_BYTES", "1234")
    monkeypatch.setenv("ROUTESCOPE_ALLOWED_ORIGINS", "https://a.example, https://b.example")
    settings = Settings()
    assert settings.max_upload_bytes == 1234
    assert settings.allowed_origins == ("https://a.example", "https://b.example")


async def test_a_variable_that_is_no_setting_is_named_at_the_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    meant = {
        "ROUTESCOPE_MAX_SAMPEL": "did you mean ROUTESCOPE_MAX_SAMPLES?",
        "ROUTESCOPE_DATADIR": "did you mean ROUTESCOPE_DATA_DIR?",
        "routescope_tokn": "did you mean ROUTESCOPE_TOKEN?",
        "ROUTESCOPE_XYZZY": "docs/settings.md",
        "ROUTESCOPE_OWNER_SAMPLES": "ROUTESCOPE_OWNER_SHARE replaces it",
        "routescope_trace_memory_bytes": "ROUTESCOPE_CACHE_MEMORY_BYTES replaces it",
        "ROUTESCOPE_MAX_LABEL": "a constant now",
    }
    for name in meant:
        monkeypatch.setenv(name, "secret-value")
    async with running(settings(tmp_path)):
        pass
    lines = [record.getMessage() for record in caplog.records]
    for name, words in meant.items():
        (line,) = [line for line in lines if line.startswith(f"{name} is no setting and does nothing")]
        assert words in line
    assert "secret-value" not in caplog.text


def test_variables_of_others_are_read_by_them_and_known() -> None:
    places = [
        *ROOT.glob("*.yml"),
        *(path for room in ("core", "scripts", "tests") for path in (ROOT / room).rglob("*.py")),
    ]
    sources = "\n".join(path.read_text() for path in places if path != Path(__file__))
    assert [name for name in sorted(OTHER_VARIABLES) if name not in sources] == []
    own = [f"ROUTESCOPE_{name.upper()}" for name in Settings.model_fields]
    assert unknown_variables([*own, *OTHER_VARIABLES, "routescope_token", "PATH", "ROUTE_SCOPE"]) == []


def test_other_machines_need_a_token_that_is_long_and_never_shown() -> None:
    for host in ("0.0.0.0", "192.168.1.4", "::", "lab.example"):
        with pytest.raises(ValidationError, match="token"):
            Settings(host=host)
        shown = Settings(host=host, token="0123456789abcdef")
        assert shown.host == host and "0123456789abcdef" not in repr(shown)
    for host in ("127.0.0.1", "127.8.9.1", "localhost", "::1"):
        assert is_loopback(host) and Settings(host=host).token is None
    for token in ("short", "123456789012345"):
        with pytest.raises(ValidationError, match="16 characters") as caught:
            Settings(token=token)
        assert token not in str(caught.value)


def test_database_addresses(tmp_path: Path) -> None:
    """Without one, a file of the data folder; a password of its own completes an address that has none."""
    assert Settings(data_dir=tmp_path).database == f"sqlite:///{tmp_path}/routescope.db"
    for given, used in (
        ("postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("postgres://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("sqlite:////tmp/x.db", "sqlite:////tmp/x.db"),
    ):
        assert Settings(database_url=given).database == used
    for given, used in (
        ("postgresql://u@h/d", "postgresql+psycopg://u:it%27s%20%40%20secret@h/d"),
        ("postgresql://u:own@h/d", "postgresql+psycopg://u:own@h/d"),
    ):
        found = Settings(database_url=given, database_password="it's @ secret")
        assert make_url(found.database) == make_url(used)
        assert "@ secret" not in repr(found)


def test_a_file_of_the_folder_of_secrets_is_a_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "routescope_token").write_text("0123456789abcdef-from-a-file\n")
    monkeypatch.setenv("ROUTESCOPE_SECRETS_DIR", str(tmp_path))
    assert Settings().secret == "0123456789abcdef-from-a-file"
    monkeypatch.setenv("ROUTESCOPE_TOKEN", "0123456789abcdef-of-a-variable")
    assert Settings().secret == "0123456789abcdef-of-a-variable"
    assert Settings(token="0123456789abcdef-of-code").secret == "0123456789abcdef-of-code"
    monkeypatch.setenv("ROUTESCOPE_SECRETS_DIR", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="ROUTESCOPE_SECRETS_DIR names no folder"):
        Settings()


SHARED = "postgresql://user:password@host/name"


def test_somebody_runs_jobs_and_can_tell_that_it_does() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"role": "worker"}, "set ROUTESCOPE_DATABASE_URL; with SQLite the one process runs its jobs itself"),
        ({"role": "worker", "database_url": "sqlite:////tmp/x.db"}, "set ROUTESCOPE_DATABASE_URL"),
        ({"role": "worker", "database_url": SHARED, "running_jobs": 0}, "nobody would run jobs"),
        ({"running_jobs": 0}, "nobody would run jobs"),
    ]
    for given, said in refused:
        with pytest.raises(ValidationError, match=said):
            Settings(**given)
    assert Settings(database_url=SHARED, role="api", running_jobs=0).running_jobs == 0, "workers run them"
    assert Settings(database_url=SHARED, role="worker", concurrency=2).jobs_at_once == 2
    assert [Settings(concurrency=3, **more).jobs_at_once for more in ({}, {"running_jobs": 1})] == [3, 1]
    assert 2 <= Settings().concurrency <= 4


def test_former_variables_name_what_replaces_them() -> None:
    """One sentence for each; a name that came back as a setting is not in the table."""
    former = {name: new for new, names in REPLACED.items() for name in names}
    assert len(former) == sum(map(len, REPLACED.values())) and not former.keys() & Settings.model_fields.keys()
    assert {new for new in former.values() if new is not None} <= Settings.model_fields.keys()
    for name, new in former.items():
        (sentence,) = unknown_variables([f"ROUTESCOPE_{name.upper()}"])
        advice = "a constant now" if new is None else f"ROUTESCOPE_{new.upper()} replaces it"
        assert sentence.startswith(f"ROUTESCOPE_{name.upper()} is no setting") and advice in sentence


@pytest.mark.parametrize(
    ("shares", "share", "budget"),
    [(MEMORY_SHARES, Settings.memory_of, "cache_memory_bytes"), (DISK_SHARES, Settings.disk_of, "disk_bytes")],
    ids=["memory", "disk"],
)
def test_a_budget_is_split_by_fixed_shares(
    shares: dict[str, int], share: Callable[[Settings, str], int], budget: str
) -> None:
    """At the default each share is exact; at half of it half; never more than the budget together."""
    default = Settings.model_fields[budget].default
    assert {name: share(Settings(), name) for name in shares} == shares and sum(shares.values()) == default
    half = Settings(**{budget: default // 2})
    assert {name: share(half, name) for name in shares} == {name: size // 2 for name, size in shares.items()}
    odd = Settings(**{budget: 1_000_003})
    assert 1_000_003 - len(shares) <= sum(share(odd, name) for name in shares) <= 1_000_003
