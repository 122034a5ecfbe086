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


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_has_a_sentence(name: str) -> None:
    description = Settings.model_fields[name].description
    assert description is not None and description.endswith(".") and len(description.split()) >= 3


def test_the_page_is_what_the_code_says() -> None:
    written = (ROOT / "docs" / "settings.md").read_text()
    assert written == as_markdown(), "run: python -m routescope_app.settings > docs/settings.md"
    for name in Settings.model_fields:
        assert f"`ROUTESCOPE_{name.upper()}`" in written


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


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ROUTESCOPE_MAX_SAMPEL", "did you mean ROUTESCOPE_MAX_SAMPLES?"),
        ("ROUTESCOPE_DATADIR", "did you mean ROUTESCOPE_DATA_DIR?"),
        ("routescope_tokn", "did you mean ROUTESCOPE_TOKEN?"),
        ("ROUTESCOPE_XYZZY", "docs/settings.md"),
        ("ROUTESCOPE_OWNER_SAMPLES", "ROUTESCOPE_OWNER_SHARE replaces it"),
        ("routescope_trace_memory_bytes", "ROUTESCOPE_CACHE_MEMORY_BYTES replaces it"),
        ("ROUTESCOPE_MAX_LABEL", "a constant now"),
    ],
)
async def test_a_variable_that_is_no_setting_is_named_at_the_start(
    name: str, meant: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setenv(name, "secret-value")
    async with running(settings(tmp_path)):
        pass
    (line,) = [record.getMessage() for record in caplog.records if name in record.getMessage()]
    assert line.startswith(f"{name} is no setting and does nothing") and meant in line
    assert "secret-value" not in caplog.text


def test_variables_that_there_are_are_not_named() -> None:
    known = [f"ROUTESCOPE_{name.upper()}" for name in Settings.model_fields]
    assert unknown_variables([*known, *OTHER_VARIABLES, "routescope_token", "PATH", "ROUTE_SCOPE"]) == []


def test_variables_of_others_are_read_by_them() -> None:
    """None stays known that nothing reads any longer."""
    places = [
        *ROOT.glob("*.yml"),
        *(path for room in ("core", "scripts", "tests") for path in (ROOT / room).rglob("*.py")),
    ]
    sources = "\n".join(path.read_text() for path in places if path != Path(__file__))
    assert [name for name in sorted(OTHER_VARIABLES) if name not in sources] == []


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "lab.example"])
def test_other_machines_need_a_token(host: str) -> None:
    with pytest.raises(ValidationError, match="token"):
        Settings(host=host)
    assert Settings(host=host, token="0123456789abcdef").host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "localhost", "::1"])
def test_this_machine_needs_none(host: str) -> None:
    assert is_loopback(host)
    assert Settings(host=host).token is None


@pytest.mark.parametrize("token", ["short", "123456789012345"])
def test_a_token_is_long(token: str) -> None:
    with pytest.raises(ValidationError, match="16 characters") as caught:
        Settings(token=token)
    assert token not in str(caught.value)


def test_the_token_is_not_shown() -> None:
    assert "0123456789abcdef" not in repr(Settings(token="0123456789abcdef"))


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("postgres://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("sqlite:////tmp/x.db", "sqlite:////tmp/x.db"),
    ],
)
def test_database_addresses(given: str, used: str) -> None:
    assert Settings(database_url=given).database == used


def test_database_defaults_to_the_data_folder(tmp_path: Path) -> None:
    assert Settings(data_dir=tmp_path).database == f"sqlite:///{tmp_path}/routescope.db"


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://u@h/d", "postgresql+psycopg://u:it%27s%20%40%20secret@h/d"),
        ("postgresql://u:own@h/d", "postgresql+psycopg://u:own@h/d"),
    ],
)
def test_a_password_of_its_own_completes_an_address_that_has_none(given: str, used: str) -> None:
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


def test_a_folder_of_secrets_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTESCOPE_SECRETS_DIR", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="ROUTESCOPE_SECRETS_DIR names no folder"):
        Settings()


SHARED = "postgresql://user:password@host/name"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"role": "worker"}, "set ROUTESCOPE_DATABASE_URL; with SQLite the one process runs its jobs itself"),
        ({"role": "worker", "database_url": "sqlite:////tmp/x.db"}, "set ROUTESCOPE_DATABASE_URL"),
        ({"role": "worker", "database_url": SHARED, "running_jobs": 0}, "nobody would run jobs"),
        ({"running_jobs": 0}, "nobody would run jobs"),
    ],
)
def test_somebody_runs_jobs_and_can_tell_that_it_does(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Settings(**given)


def test_a_replica_may_leave_jobs_to_workers() -> None:
    assert Settings(database_url=SHARED, role="api", running_jobs=0).running_jobs == 0
    assert Settings(database_url=SHARED, role="worker", concurrency=2).jobs_at_once == 2


def test_modules_of_a_graph_are_named_by_two_bytes() -> None:
    """Links are sent as positions of 16 bits."""
    assert graphs.MAX_UNITS <= 2**16


def test_an_operator_reads_few_settings() -> None:
    assert len(Settings.model_fields) <= 70


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


def test_jobs_follow_the_concurrency() -> None:
    assert Settings(concurrency=3).jobs_at_once == 3
    assert Settings(concurrency=3, running_jobs=1).jobs_at_once == 1
    assert 2 <= Settings().concurrency <= 4
