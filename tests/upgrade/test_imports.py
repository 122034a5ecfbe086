"""What notebooks imported from version 0.5 is still there under its old name, and is what has the new one."""

import importlib
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from core.renamed import PACKAGES, RENAMED

#: Every import of README, docs and tutorials of 0.5.
WRITTEN = """
from core import zoo
from core.data import load
from core.data.block_tasks import ALGO
from core.data.sentences import sentences
from core.routing import Intervention, record
from core.routing import Intervention, record, score
from core.routing.block_making import making
from core.routing.compute import flops_per_sample
from core.routing.designs import compare, designs_of
from core.routing.effects import drop_effect
from core.routing.embedding import embed
from core.routing.graphs import louvain, match, matched, modularity, prior, statistics
from core.routing.importance import importance
from core.routing.importance import interactions, scorer, single_effects
from core.routing.metrics import evaluate
from core.routing.observation import observe
from core.routing.sentence_map import fit
from core.routing.type_points import type_points
""".strip().splitlines()
#: Every module of 0.5's core, but for its programs (cli, experiments).
MODULES = (Path(__file__).parent / "modules_0_5.txt").read_text().split()


@pytest.mark.parametrize("line", WRITTEN)
def test_what_was_written_still_runs(line: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        names: dict[str, object] = {}
        exec(line, names)
    wanted = [name.strip() for name in line.partition(" import ")[2].split(",")]
    assert wanted and all(names[name] is not None for name in wanted)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_is_found_under_its_old_name(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        module = importlib.import_module(name)
        if name in RENAMED:
            assert module is importlib.import_module(RENAMED[name])
            assert module.__name__ == RENAMED[name] == module.__spec__.name  # type: ignore[union-attr]
        for home, names in PACKAGES.get(name, {}).items():
            for each in names:
                assert getattr(module, each) is getattr(importlib.import_module(home), each), f"{name}.{each}"


def test_no_old_name_is_in_the_way_of_a_new_one() -> None:
    """An old name that is a module again would never be reached."""
    root = Path(__file__).resolve().parents[2]
    places = [root.joinpath(*name.split(".")) for name in RENAMED]
    assert [str(each) for each in places if each.with_suffix(".py").exists() or each.is_dir()] == []
    assert all((root.joinpath(*name.split("."), "__init__.py")).is_file() for name in PACKAGES)


def run(script: str) -> list[str]:
    """Lines that a new process prints, and its warnings."""
    found = subprocess.run([sys.executable, "-W", "always", "-c", script], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return (found.stdout + found.stderr).splitlines()


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    script = "import sys, core\nprint(*sorted(name for name in sys.modules if name.partition('.')[0] == 'core'))"
    assert run(script) == ["core core.renamed"]


def test_both_ways_of_importing_give_the_same_module_and_say_once_where_it_is() -> None:
    script = """
import core.data.scenes
from core.data import scenes as one
import core.data.statements.scenes as two
from core.data.statements import say
from core.data.statements import say
assert core.data.scenes is one is two, (one, two)
assert core.data.statements.scenes is two
print("same")
"""
    lines = [line for line in run(script) if "same" in line or "DeprecationWarning" in line]
    assert lines == [
        "same",
        "<string>:2: DeprecationWarning: core.data.scenes is core.data.statements.scenes now; please import that",
        "<string>:5: DeprecationWarning: core.data.statements.say is in core.data.statements.grammar now",
    ]


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="core.routing.nowhere"):
        importlib.import_module("core.routing.nowhere")
    with pytest.raises(ImportError, match="nothing_of_the_kind"):
        exec("from core.training import nothing_of_the_kind")
