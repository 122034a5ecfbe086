"""What `make test` installs where Chromium or PostgreSQL is missing, and what it does not touch where they are."""

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
FEDORA_ROOT = Machine("fedora", apt=False, root=True, sudo=True)
MAC = Machine("", apt=False, root=False, sudo=True)


@pytest.mark.parametrize(
    ("here", "browser", "database"),
    [
        (DEBIAN_ROOT, ["packages", "playwright"], ["packages", "wheel"]),
        (DEBIAN_SUDO, ["packages", "playwright"], ["packages", "wheel"]),
        (DEBIAN_USER, ["playwright"], ["wheel"]),
        (UBUNTU_SUDO, ["playwright"], ["packages", "wheel"]),
        (FEDORA_ROOT, ["playwright"], ["wheel"]),
        (MAC, ["playwright"], ["wheel"]),
    ],
    ids=["debian-root", "debian-sudo", "debian-user", "ubuntu-sudo", "fedora-root", "mac"],
)
def test_ways_for_each_machine(here: Machine, browser: list[Way], database: list[Way]) -> None:
    assert ways("chromium", here) == browser
    assert ways("postgresql", here) == database


@pytest.mark.parametrize("here", [DEBIAN_ROOT, DEBIAN_SUDO], ids=["root", "sudo"])
def test_packages_are_installed_by_root_without_questions(here: Machine) -> None:
    update, install = commands("chromium", "packages", here)
    assert (update[0] == install[0] == "sudo") == (not here.root)
    assert update[-1] == "update"
    assert "DEBIAN_FRONTEND=noninteractive" in install
    assert "-y" in install
    assert install[-1] == "chromium-headless-shell"


def test_playwright_installs_libraries_only_where_it_may() -> None:
    (command,) = commands("chromium", "playwright", UBUNTU_SUDO)
    assert command == [sys.executable, "-m", "playwright", "install", "--with-deps", "chromium"]
    for here in (DEBIAN_USER, FEDORA_ROOT, MAC):
        assert commands("chromium", "playwright", here) == [[*command[:4], "chromium"]]


def test_the_wheel_goes_into_this_environment() -> None:
    (command,) = commands("postgresql", "wheel", DEBIAN_USER)
    assert command[:3] == [sys.executable, "-m", "pip"]
    assert command[-1] == machine.POSTGRES_WHEEL


class Installing:
    """A machine on which a way of installing works or does not; what was run, and what is there afterwards."""

    def __init__(self, works: Way | None) -> None:
        self.works = works
        self.ran: list[Sequence[str]] = []
        self.there = False

    def run(self, command: Sequence[str]) -> bool:
        self.ran.append(command)
        word: dict[Way, str] = {"packages": "apt-get", "playwright": "playwright", "wheel": "pip"}
        worked = self.works is not None and word[self.works] in command
        self.there |= worked
        return worked

    def find(self) -> Path | None:
        return Path("program") if self.there else None


@pytest.mark.parametrize(
    ("need", "here", "works", "lines", "run"),
    [
        ("chromium", DEBIAN_ROOT, "packages", 1, 2),
        ("chromium", DEBIAN_ROOT, "playwright", 2, 2),  # the update failed, so nothing was installed after it
        ("postgresql", DEBIAN_SUDO, "packages", 1, 2),
        ("postgresql", MAC, "wheel", 1, 1),
    ],
)
def test_one_line_for_each_way_tried(
    need: Need, here: Machine, works: Way, lines: int, run: int, capsys: pytest.CaptureFixture[str]
) -> None:
    machine_with = Installing(works)
    assert provide(need, machine_with.find, lambda: here, machine_with.run)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == lines
    assert all("which is not on this machine: installing" in line for line in printed)
    assert len(machine_with.ran) == run


def test_what_cannot_be_installed_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    nothing_works = Installing(None)
    assert not provide("chromium", nothing_works.find, lambda: DEBIAN_ROOT, nothing_works.run)
    assert "ROUTESCOPE_CHROMIUM=/path/to/chromium" in capsys.readouterr().out.splitlines()[-1]


def test_an_installation_that_leaves_nothing_is_not_believed() -> None:
    ran: list[Sequence[str]] = []
    assert not provide("postgresql", lambda: None, lambda: DEBIAN_ROOT, lambda command: not ran.append(command))
    assert len(ran) == 3


def test_what_is_there_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    def never() -> Machine:
        raise AssertionError("nothing is missing, so nobody asks what machine this is")

    assert provide("chromium", lambda: Path("program"), never)
    assert capsys.readouterr().out == ""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the only one on the path, on a machine without PostgreSQL and without Playwright's browser."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("ROUTESCOPE_CHROMIUM", raising=False)
    monkeypatch.setattr(machine, "DEBIAN_POSTGRES", tmp_path / "postgresql")
    monkeypatch.setattr(machine, "postgres_wheel", lambda: [tmp_path / "wheel"])
    monkeypatch.setattr(machine, "_playwright_chromium", lambda: None)
    return tmp_path


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_a_named_browser_comes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.chromium() is None
    browser = program(folder / "google-chrome")
    assert machine.chromium() == browser
    named = program(folder / "mine" / "browser")
    monkeypatch.setenv("ROUTESCOPE_CHROMIUM", str(named))
    assert machine.chromium() == named
    named.unlink()
    with pytest.raises(FileNotFoundError, match="ROUTESCOPE_CHROMIUM"):
        machine.chromium()


def test_postgresql_is_found_on_the_path_in_debians_folder_and_in_the_wheel(folder: Path) -> None:
    assert machine.postgres() is None
    for bin_folder in (
        folder / "wheel" / "bin",
        folder / "postgresql" / "15" / "bin",
        folder / "postgresql" / "17" / "bin",
        folder,
    ):
        outcome = program(bin_folder / "initdb")
        assert machine.postgres_program("initdb") == outcome


def test_a_client_alone_is_no_server(folder: Path) -> None:
    program(folder / "initdb")
    assert machine.postgres() is None
    program(folder / "postgres")
    assert machine.postgres() == folder / "initdb"


def test_scratch_lies_in_memory_where_there_is_room(tmp_path: Path) -> None:
    assert machine.scratch(tmp_path, room=0) == tmp_path
    elsewhere = Path(tempfile.gettempdir())
    assert machine.scratch(tmp_path, room=2**62) == machine.scratch(tmp_path / "nowhere", room=0) == elsewhere
