"""The base package: few dependencies, and the daily commands and calls run with them alone."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from routescope.assets import EXTRAS
from scripts.lock_python import closure, requirements

#: Packages beside PyTorch and its own dependencies.
MOST_PACKAGES = 30
BASE = frozenset(closure(requirements()))
#: Modules that no package of the base brings.
OUTSIDE = sorted(
    module
    for module, brought in packages_distributions().items()
    if not BASE & {canonicalize_name(name) for name in brought}
    and not module.startswith(("routescope", "__editable__"))
)
#: Makes modules outside the base missing: neither imported nor found, as where they are not installed.
BLOCK = f"import sys\nsys.modules.update(dict.fromkeys({OUTSIDE!r}))\n"
NOTEBOOK = """
from pathlib import Path
from routescope import zoo
from routescope.routing import Intervention, Trace, record, score
from routescope.routing.caused.pruning import by_least, expert_usage, kept_of
from routescope.data import load
from routescope.zoo.pruning import export

network, texts = zoo.load("moe-bytes"), load("python", "validation", limit=4)
trace = record(network, texts.inputs(slice(0, 2)))
trace.save(Path("trace.nc"))
assert Trace.load(Path("trace.nc")).dataset.sizes == trace.dataset.sizes
assert score(network, texts, Intervention(drop=("l1.e2",))) is not None
order = by_least(network, expert_usage(network, [texts]).tokens)
export(network, kept_of(network, order, 0.75, "layer", {}), Path("pruned"))
"""


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python code with the base alone, in a folder."""
    env = os.environ | {"ROUTESCOPE_DATA_DIR": str(folder / "data"), "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-c", BLOCK + script], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


#: Runs several commands in one process, and prints (exit code, standard output, standard error) of each as JSON.
COMMANDS = """
import contextlib, io, json
from routescope.cli import main

results = []
for words in {commands!r}:
    sys.argv, printed, errors = ["routescope", *words.split()], io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    results.append((code, printed.getvalue(), errors.getvalue()))
print(json.dumps(results))
"""


def ran(commands: Iterable[str], folder: Path, first: str = "") -> list[tuple[int, str, str]]:
    """Run code and commands of the program with the base alone; return the exit code and both outputs of each."""
    completed = run(first + COMMANDS.format(commands=[*commands]), folder)
    assert completed.returncode == 0, completed.stderr[-2000:]
    results: list[tuple[int, str, str]] = json.loads(completed.stdout.splitlines()[-1])
    return results


def test_the_base_is_small() -> None:
    assert {"dash", "fastapi", "lightning", "mlxtend", "pyarrow", "scipy", "sklearn", "transformers"} <= {*OUTSIDE}
    beside = BASE - set(closure(["torch"]))
    assert len(beside) <= MOST_PACKAGES, sorted(beside)


#: Command -> words that it prints.
DAILY = {
    "--help": "evaluate",
    "models": "moe-bytes",
    "data": "licence",
    "evaluate moe-bytes --data python --limit 4 --drop l1.e2": "python validation",
    "trace moe-bytes --data python -o trace.nc": "Wrote trace.nc",
    "importance moe-bytes --data python --limit 2 --layer l1 --kind mute --permutations 0": "drop effect",
    "check moe-bytes --limit 2": "held",
    "compare moe-bytes moe-bytes --limit 2 --data python --precision float32 bfloat16": "same experts",
    "prune moe-bytes --limit 2 --draws 0 --data python --output smaller": "Written to smaller",
    "figure nac-fig-5 -o drop.svg": "Wrote drop.svg",
    "import loads.csv": "loads.csv: CSV (layer, expert, count)",
}


@pytest.mark.slow
def test_daily_code_and_commands_run(tmp_path: Path) -> None:
    """A model is opened, recorded, scored, pruned and saved; then each command runs."""
    (tmp_path / "loads.csv").write_text("layer_id,expert_id,count\n0,0,12\n0,3,4\n1,2,16\n")
    for (words, expected), (code, printed, errors) in zip(DAILY.items(), ran(DAILY, tmp_path, NOTEBOOK), strict=True):
        assert code == 0, (words, errors[-2000:])
        assert expected in " ".join(printed.split()), (words, printed)
    assert (tmp_path / "pruned" / "model.safetensors").is_file()


#: Command -> the extra that it needs.
NEEDS = {
    "serve": "app",
    "token list": "app",
    "train ni-digits": "train",
    "reproduce ni-drop": "train",
    "evaluate ni-digits --data mnist": "data",
    "trace ni-digits --data mnist=texts.parquet": "data",
    "figure ni-tab-2": "analysis",
    "check mixture": "transformers",
}


def test_what_needs_an_extra_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "texts.parquet").write_bytes(b"PAR1")
    (tmp_path / "mixture").mkdir()
    (tmp_path / "mixture" / "config.json").write_text('{"model_type": "olmoe"}')
    (tmp_path / "mixture" / "model.safetensors").write_bytes(b"\2\0\0\0\0\0\0\0{}")
    for (words, extra), (code, printed, errors) in zip(NEEDS.items(), ran(NEEDS, tmp_path), strict=True):
        assert code == 2 and printed == "", (words, printed, errors[-2000:])
        (line,) = errors.strip().splitlines()
        assert f"is not installed: pip install 'routescope[{extra}]'" in line, words
        assert any(name in line for name in EXTRAS[extra]), words
