"""Every limit is documented, and the page that documents it is up to date."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy.engine import make_url

from routescope_app.settings import OTHER_VARIABLES, Settings, as_markdown, is_loopback, unknown_variables
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
        ({"job_lease_seconds": 2.9}, "three times ROUTESCOPE_JOB_POLL_SECONDS or more"),
    ],
)
def test_somebody_runs_jobs_and_can_tell_that_it_does(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Settings(**given)


def test_a_replica_may_leave_jobs_to_workers() -> None:
    assert Settings(database_url=SHARED, role="api", running_jobs=0).running_jobs == 0
    assert Settings(database_url=SHARED, role="worker").running_jobs == 2


def test_modules_of_a_graph_are_named_by_two_bytes() -> None:
    """Links are sent as positions of 16 bits."""
    assert Settings(max_graph_units=2**16).max_graph_units == 2**16
    with pytest.raises(ValidationError, match="65536"):
        Settings(max_graph_units=2**16 + 1)
