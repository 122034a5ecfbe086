"""What the command ``serve`` tells libraries before it loads them, which it does not load, and who reads its files."""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from routescope import cli
from routescope_app.commands import MKL_FREES

ROOT = Path(__file__).parents[2]
#: Libraries that take much memory, of which each is loaded where something asks for it.
HEAVY = (
    "datasets lightning llvmlite matplotlib networkx numba openTSNE pyarrow scipy sklearn sknetwork sympy torch._dynamo"
    " torchmetrics transformers umap"
)
#: Loads a server up to where it would listen, and prints what of some libraries is there; then pyarrow by its name;
#: what MKL keeps of a multiplication, in bytes (elsewhere PyTorch comes without MKL); and what services loaded that
#: started without a cluster and a collector of spans. It leaves files as a server does.
SCRIPT = """
import asyncio, ctypes, gc, os, sys
from pathlib import Path
from routescope_app import commands
assert "torch" not in sys.modules, "too late for what is read when torch is imported"
import uvicorn
uvicorn.Server.run = lambda *_, **__: sys.exit(print(*sorted(set(sys.argv[2].split()) & set(sys.modules))))
try:
    commands.serve(port=0)
finally:
    import pyarrow
    from routescope.routing.logs import parquet
    print(pyarrow.array([1, 2]).sum(), gc.get_freeze_count() > 100_000)
    import torch
    kept = 0
    if torch.backends.mkl.is_available():
        torch.rand(600, 600) @ torch.rand(600, 600)
        library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        library.mkl_serv_mem_stat.restype = ctypes.c_longlong
        kept = library.mkl_serv_mem_stat(ctypes.byref(ctypes.c_int()))
    print(kept, os.environ[commands.MKL_FREES])
    from routescope_app.services import tracing
    from routescope_app.services.container import Services
    from routescope_app.services.files import write_durably
    from routescope_app.services.measuring.computing import LocalComputing
    from routescope_app.settings import Settings
    async def work(services, folder):
        await services.start()
        write_durably(folder / "samples" / "aa" / "x", b"x")
        await services.stop()
    for address, folder in ((None, sys.argv[1]), ("", sys.argv[1]), ("none", sys.argv[4])):
        services = Services(Settings(ray_address=address, data_dir=folder))
        asyncio.run(work(services, Path(folder)))
        assert isinstance(services.computing, LocalComputing)
    with tracing.span("x"):
        tracing.describe(y=1)
    assert tracing.trace_id() is None and tracing.carried("x", dict) is dict
    print(*set(sys.argv[3].split()) & set(sys.modules))
"""
#: Libraries that nothing loads without a setting.
OPTIONAL = "ray opentelemetry.sdk opentelemetry.instrumentation opentelemetry.exporter"


@pytest.mark.slow
def test_a_server_starts_light_and_what_it_makes_is_private(tmp_path: Path) -> None:
    """Folders 0700 and files 0600, though the shell grants more; a folder that was there stays as it was."""
    new, existing = tmp_path / "above" / "data", tmp_path / "existing"
    existing.mkdir()
    existing.chmod(0o755)
    env = {name: value for name, value in os.environ.items() if name != MKL_FREES}
    env |= {"PYTHONPATH": str(ROOT), "ROUTESCOPE_DATA_DIR": str(new)}
    command = [sys.executable, "-c", SCRIPT, str(new), f"{HEAVY} {OPTIONAL} pandas torch", OPTIONAL, str(existing)]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False, umask=0o022)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n") == ["pandas torch", "3 True", "0 1", "", ""]
    for folder, mode in ((new, 0o700), (existing, 0o755)):
        assert folder.stat().st_mode & 0o777 == mode
        within = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
        assert {"routescope.db", "routescope.lock", "samples/aa/x", "results"} <= set(within)
        for name, path in within.items():
            assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), name


def test_a_package_adds_commands_and_groups_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    group = cli.COMMANDS_GROUP
    added = [EntryPoint(name, f"routescope_app.commands:{name}", group) for name in ("serve", "token")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: added)
    assert set(cli.load("token").commands) == {"add", "list", "revoke"}
    assert {"serve", "token", "models"} <= set(cli.Program().list_commands(None))
