"""What notebooks imported from version 0.5 is still there under its old name, and is what has the new one."""

import importlib
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from routescope.renamed import RENAMED, SCATTERED

#: Every import of README, docs and tutorials of 0.5.
WRITTEN = """
from routescope import zoo
from routescope.data import load
from routescope.data.block_tasks import ALGO
from routescope.data.sentences import sentences
from routescope.routing import Intervention, record
from routescope.routing import Intervention, record, score
from routescope.routing.block_making import making
from routescope.routing.compute import flops_per_sample
from routescope.routing.designs import compare, designs_of
from routescope.routing.effects import drop_effect
from routescope.routing.embedding import embed
from routescope.routing.graphs import louvain, match, matched, modularity, prior, statistics
from routescope.routing.importance import importance
from routescope.routing.importance import interactions, scorer, single_effects
from routescope.routing.metrics import evaluate
from routescope.routing.observation import observe
from routescope.routing.sentence_map import fit
from routescope.routing.type_points import type_points
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
        for home, names in SCATTERED.get(name, {}).items():
            for each in names:
                assert getattr(module, each) is getattr(importlib.import_module(home), each), f"{name}.{each}"


def test_no_old_name_is_in_the_way_of_a_new_one() -> None:
    """An old name that is a module again would never be reached; only packages have both."""
    root = Path(__file__).resolve().parents[2]
    for name in (*RENAMED, *SCATTERED):
        place = root.joinpath(*name.split("."))
        assert not place.with_suffix(".py").exists(), name
        assert name in SCATTERED or not place.is_dir(), name


def test_names_of_one_module_may_be_in_several(monkeypatch: pytest.MonkeyPatch) -> None:
    homes = {"routescope.routing.trace": ("Trace",), "routescope.routing.recording": ("record",)}
    monkeypatch.setitem(SCATTERED, "routescope.routing.of_old", homes)
    monkeypatch.delitem(sys.modules, "routescope.routing.of_old", raising=False)
    with pytest.warns(DeprecationWarning, match=r"routescope.routing.of_old.Trace is in routescope.routing.trace now"):
        module = importlib.import_module("routescope.routing.of_old")
        assert module.Trace is importlib.import_module("routescope.routing.trace").Trace
    with pytest.warns(DeprecationWarning, match="record is in routescope.routing.recording now"):
        assert module.record is importlib.import_module("routescope.routing.recording").record
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing
    monkeypatch.delitem(sys.modules, "routescope.routing.of_old")
    monkeypatch.delattr(importlib.import_module("routescope.routing"), "of_old")


def run(script: str) -> list[str]:
    """Lines that a new process prints, and its warnings."""
    found = subprocess.run([sys.executable, "-W", "always", "-c", script], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return (found.stdout + found.stderr).splitlines()


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    script = "import sys, core\nprint(*sorted(name for name in sys.modules if name.partition('.')[0] == 'core'))"
    assert run(script) == ["core routescope.renamed"]


def test_both_ways_of_importing_give_the_same_module_and_say_once_where_it_is() -> None:
    script = """
import routescope.data.scenes
from routescope.data import scenes as one
import routescope.data.statements.scenes as two
from routescope.data.statements import say
from routescope.data.statements import say
assert routescope.data.scenes is one is two, (one, two)
assert routescope.data.statements.scenes is two
print("same")
"""
    lines = [line for line in run(script) if "same" in line or "DeprecationWarning" in line]
    assert lines == [
        "same",
        "<string>:2: DeprecationWarning: routescope.data.scenes is routescope.data.statements.scenes now; "
        "please import that",
        "<string>:5: DeprecationWarning: routescope.data.statements.say is in routescope.data.statements.grammar now",
    ]


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="routescope.routing.nowhere"):
        importlib.import_module("routescope.routing.nowhere")
    with pytest.raises(ImportError, match="nothing_of_the_kind"):
        exec("from routescope.training import nothing_of_the_kind")
