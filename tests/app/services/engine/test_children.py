"""Children end with their parent, however it ends; they have their limits, and no file of the parent's."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from routescope_app.services.engine.children import OUT_OF_TIME, PACKAGES, Child

#: A parent: it starts a child of the module ``busy``, writes the child's number, and does what its argument says.
PARENT = """
import os, signal, sys, time
from routescope_app.services.engine.children import Child
child = Child("busy", (), os.environ)
child.process.stdout.readline()
print(child.process.pid, flush=True)
exec(sys.argv[1])
"""
#: A child that hardly ever lets go of the interpreter.
BUSY = "print('ready', flush=True)\nwhile True: sum(range(10**8))"
WAIT = "time.sleep(1_000)"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules children find."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), *PACKAGES)))
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="numbers of processes of others are watched")
@pytest.mark.parametrize(
    ("does", "ends_by"),
    [(WAIT, signal.SIGKILL), ("os.killpg(0, signal.SIGKILL)", None), ("os._exit(0)", None)],
)
def test_a_child_ends_with_its_parent(modules: Path, does: str, ends_by: int | None) -> None:
    (modules / "busy.py").write_text(BUSY)
    command = [sys.executable, "-c", PARENT, does]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, text=True) as parent:
        assert parent.stdout is not None
        watched = os.pidfd_open(int(parent.stdout.readline()))
        if ends_by is not None:
            parent.send_signal(ends_by)
        parent.wait(30)
    assert select.select([watched], [], [], 30)[0], "the child goes on"
    os.close(watched)


def test_limits_and_ends(modules: Path) -> None:
    (modules / "large.py").write_text("try: bytearray(2**30)\nexcept MemoryError: print('no')")
    (modules / "long.py").write_text("while True: pass")
    large = Child("large", (), os.environ, memory_bytes=2**28)
    assert large.process.stdout is not None and large.process.stdout.read() == b"no\n"
    assert large.process.wait() == large.end() == large.end() == 0
    assert Child("long", (), os.environ, processor_seconds=1).process.wait(60) == OUT_OF_TIME
    endless = Child("long", (), os.environ)
    assert endless.end() == -signal.SIGKILL and endless.end() == -signal.SIGKILL


def test_a_child_has_no_file_of_its_parent(modules: Path) -> None:
    """Or a lock of a file, such as HDF5 has while it writes, would be the child's too."""
    (modules / "files.py").write_text(
        "import os\nfor number in range(3, 999):\n    try: print(os.fstat(number).st_ino)\n    except OSError: pass"
    )
    with (modules / "open").open("w") as opened:
        os.set_inheritable(opened.fileno(), True)
        child = Child("files", (), os.environ)
        assert child.process.stdout is not None
        result = child.process.stdout.read().decode().split()
        assert len(result) == 1, "the lifeline alone"
        assert str(os.fstat(opened.fileno()).st_ino) not in result
    assert child.end() == 0


def test_a_child_that_cannot_be_started_leaves_nothing_open(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    with pytest.raises(OSError):
        Child("files", (), os.environ)
    assert len(list(Path("/dev/fd").iterdir())) == before
