"""What the command ``serve`` tells libraries before it loads them, and which it does not load."""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import torch

from routescope import cli
from routescope_app.commands import MKL_FREES

ROOT = Path(__file__).parents[2]

#: Starts a server up to where it would listen, multiplies matrices, and prints what MKL keeps of that, in bytes.
SCRIPT = """
import ctypes, os, sys
from routescope_app import commands
assert "torch" not in sys.modules, "too late for what is read when torch is imported"
commands._run = lambda *_: None
commands.serve(port=0)
import torch
torch.rand(600, 600) @ torch.rand(600, 600)
library = ctypes.CDLL(sys.argv[1])
library.mkl_serv_mem_stat.restype = ctypes.c_longlong
print(library.mkl_serv_mem_stat(ctypes.byref(ctypes.c_int())), os.environ[commands.MKL_FREES])
"""


def has_mkl() -> bool:
    return torch.backends.mkl.is_available()


@pytest.mark.slow
@pytest.mark.parametrize("told", [None, "0"])
def test_mkl_keeps_nothing_of_what_a_server_multiplied(told: str | None, tmp_path: Path) -> None:
    """A value that was set already stays; MKL looks only whether there is one. Elsewhere PyTorch comes without MKL."""
    script = SCRIPT if has_mkl() else SCRIPT.split("import torch")[0] + "print(0, os.environ[commands.MKL_FREES])"
    env = {name: value for name, value in os.environ.items() if name != MKL_FREES}
    env |= {"PYTHONPATH": str(ROOT), "ROUTESCOPE_DATA_DIR": str(tmp_path)} | ({} if told is None else {MKL_FREES: told})
    library = Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"
    run = subprocess.run(
        [sys.executable, "-c", script, str(library)], env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["0", told or "1"]


PRIVATE = """
import os, sys
from pathlib import Path
from routescope_app import commands
commands._run = lambda *_: None
commands.serve(port=0)
from routescope_app.services.container import Services
from routescope_app.settings import Settings
from routescope_app.services.files import write_durably
services = Services.build(Settings())
services.lock.take()
services.store.migrate()
write_durably(Path(sys.argv[1]) / "samples" / "aa" / "x", b"x")
"""


@pytest.mark.slow
@pytest.mark.parametrize("made", [True, False])
def test_what_a_server_makes_is_private(made: bool, tmp_path: Path) -> None:
    """Folders 0700 and files 0600, though the shell grants more; a folder that was there stays as it was."""
    folder = tmp_path / "above" / "data"
    if made:
        folder.mkdir(parents=True)
        folder.chmod(0o755)
    env = os.environ | {"PYTHONPATH": str(ROOT), "ROUTESCOPE_DATA_DIR": str(folder)}
    run = subprocess.run(
        [sys.executable, "-c", PRIVATE, str(folder)], env=env, capture_output=True, text=True, check=False, umask=0o022
    )
    assert run.returncode == 0, run.stderr
    assert folder.stat().st_mode & 0o777 == (0o755 if made else 0o700)
    within = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    assert {"routescope.db", "routescope.lock", "samples/aa/x", "results"} <= set(within)
    for name, path in within.items():
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), name


#: Loads a server up to where it would listen, and prints what of some libraries is there; then pyarrow by its name.
LOADING = """
import gc, sys
from routescope_app import commands
import uvicorn
uvicorn.Server.run = lambda *_, **__: sys.exit(print(*sorted(set(sys.argv[1].split()) & set(sys.modules))))
try:
    commands.serve(port=0)
finally:
    import pyarrow
    from routescope.routing.logs import parquet
    print(pyarrow.array([1, 2]).sum(), gc.get_freeze_count() > 100_000)
"""
#: Libraries that take much memory, of which each is loaded where something asks for it.
HEAVY = (
    "datasets lightning llvmlite matplotlib networkx numba openTSNE pyarrow scipy sklearn sknetwork sympy torch._dynamo"
    " torchmetrics transformers umap"
)


@pytest.mark.slow
def test_a_server_starts_without_heavy_libraries(tmp_path: Path) -> None:
    """Also without pyarrow, which pandas would load: logs find it later. What it loaded is collected no more."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "ROUTESCOPE_DATA_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", LOADING, f"{HEAVY} pandas torch"], env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n") == ["pandas torch", "3 True", ""]


def test_a_package_adds_commands_and_groups_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    group = cli.COMMANDS_GROUP
    added = [EntryPoint(name, f"routescope_app.commands:{name}", group) for name in ("serve", "token")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: added)
    assert set(cli.load("token").commands) == {"add", "list", "revoke"}
    assert {"serve", "token", "models"} <= set(cli.Program().list_commands(None))
