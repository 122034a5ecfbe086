"""The frame of every experiment: found by itself, resumed, recorded."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routescope.experiments
from routescope import assets
from routescope.data import load
from routescope.experiments import Context, Experiment, Figure, Outcome, UnknownExperiment, experiments, find, reproduce
from routescope.experiments.shared.description import command
from routescope.experiments.shared.frame import Extent, fingerprint
from routescope.experiments.shared.journal import Journal, write_whole
from routescope.experiments.shared.schema import OWN_RECORDS
from tests.core.experiments.small import SMALL


@dataclass(frozen=True)
class Settings:
    limit: int
    steps: int = 5


class Counting:
    """An experiment that squares numbers, counts how often, and can be stopped on the way."""

    def __init__(self, stop_at: int | None = None, seed: int = 3) -> None:
        self.made: list[int] = []
        self.stop_at, self.seed = stop_at, seed
        self.experiment = Experiment(
            id="counting",
            title="Squares",
            paper_reference="none",
            paper_figures=(),
            settings=Settings(limit=20),
            quick=Settings(limit=10),
            run=self.run,
        )

    def run(self, context: Context) -> Outcome:
        data = context.data("mnist", "validation", context.settings.limit)
        context.model("a-model")
        context.seeds["draws"] = self.seed
        context.expect(context.settings.steps)
        squares = [context.measure(f"square {i}", self.square(i))["square"] for i in range(context.settings.steps)]
        figure = Figure(
            name="sum",
            where={"steps": len(squares)},
            value=float(sum(squares)),
            count=len(data),
            data=data.title,
            stand_in=data.stand_in,
        )
        return Outcome([figure], {"squares": [{"square": square} for square in squares]})

    def square(self, i: int) -> Callable[[], dict[str, Any]]:
        def make() -> dict[str, Any]:
            if i == self.stop_at:
                raise KeyboardInterrupt
            self.made.append(i)
            return {"square": i * i}

        return make


def model(revision: str = "abc") -> Callable[[str], Any]:
    return lambda model_id: SimpleNamespace(revision=revision)


def test_a_run_leaves_a_record_with_all_that_it_depends_on(tmp_path: Path) -> None:
    run = Counting()
    record, path = reproduce(run.experiment, Extent(quick=True), folder=tmp_path / "results", load_model=model())
    assert json.loads(path.read_text()) == record
    assert [each.name for each in (tmp_path / "results").iterdir()] == [path.name]
    assert record["id"] == "counting"
    assert record["quick"] is True
    assert record["settings"] == {"limit": 10, "steps": 5}
    assert record["models"] == [{"id": "a-model", "revision": "abc"}]
    assert record["seeds"] == {"draws": 3}
    assert record["figures"][0]["value"] == 30
    assert record["tables"]["squares"][4] == {"square": 16}
    assert record["versions"]["torch"] == version("torch")
    assert record["command"] == "routescope reproduce counting --quick"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", record["date"])
    assert record["seconds"] >= 0
    (data,) = record["data"]
    assert (data["name"], data["split"], data["count"], data["stand_in"]) == ("mnist", "validation", 10, False)
    assert data["licence"]
    assert data["source"] is None


@pytest.mark.parametrize("stop_at", [0, 1, 3, 4])
def test_an_interrupted_run_continues_where_it_stopped(tmp_path: Path, stop_at: int) -> None:
    first = Counting(stop_at)
    with pytest.raises(KeyboardInterrupt):
        reproduce(first.experiment, folder=tmp_path / "results", load_model=model())
    assert not list((tmp_path / "results").iterdir())
    second, told = Counting(), []
    record, _ = reproduce(
        second.experiment, folder=tmp_path / "results", load_model=model(), progress=lambda *each: told.append(each)
    )
    assert first.made + second.made == [0, 1, 2, 3, 4]
    assert record["figures"][0]["value"] == 30
    assert record["measurements"] == {"all": 5, "from_an_interrupted_run": stop_at}
    assert told == [(0, 5, ""), *((i + 1, 5, f"square {i}") for i in range(5))]


@pytest.mark.parametrize("change", ["settings", "model", "seed", "restart"])
def test_a_run_that_differs_starts_anew(tmp_path: Path, change: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        reproduce(Counting(3).experiment, folder=tmp_path, load_model=model())
    again = Counting(seed=4 if change == "seed" else 3)
    reproduce(
        again.experiment,
        Extent(quick=change == "settings"),
        folder=tmp_path,
        resume=change != "restart",
        load_model=model("another" if change == "model" else "abc"),
    )
    assert again.made == [0, 1, 2, 3, 4]


def test_records_of_different_runs_stand_beside_each_other_and_a_finished_run_starts_anew(tmp_path: Path) -> None:
    for revision in ("abc", "def"):
        for quick in (True, False, False):
            run = Counting()
            reproduce(run.experiment, Extent(quick), folder=tmp_path / "results", load_model=model(revision))
            assert run.made == [0, 1, 2, 3, 4]
    assert len(list((tmp_path / "results").iterdir())) == 4


@dataclass(frozen=True)
class Seeded(Settings):
    seeds: int = 3


def extents() -> Experiment:
    """An experiment with full settings, seeds and parts."""
    return replace(
        Counting().experiment,
        settings=Seeded(20),
        quick=Seeded(10),
        full=Seeded(30),
        parts=("one", "two", "three"),
        part=lambda whole, names: replace(whole, steps=["one", "two", "three"].index(names[-1])),
    )


@pytest.mark.parametrize(
    ("extent", "settings", "options"),
    [
        (Extent(), Seeded(20), ""),
        (Extent(quick=True), Seeded(10), " --quick"),
        (Extent(full=True), Seeded(30), " --full"),
        (Extent(seeds=7), Seeded(20, seeds=7), " --seeds 7"),
        (Extent(quick=True, parts=("three", "one")), Seeded(10, steps=2), " --quick --part three --part one"),
    ],
)
def test_an_extent_decides_the_settings_and_the_command(
    extent: Extent, settings: Seeded, options: str, tmp_path: Path
) -> None:
    """Parts are in the experiment's order, whatever the order in which they are named."""
    record, _ = reproduce(extents(), extent, folder=tmp_path / "results", load_model=model())
    assert record["settings"] == asdict(settings)
    assert record["command"] == f"routescope reproduce counting{options}"


@pytest.mark.parametrize(
    ("extent", "message", "whole"),
    [
        (Extent(full=True), "counting has no full settings", False),
        (Extent(quick=True, full=True), "not both", True),
        (Extent(seeds=2), "counting has no number of seeds", False),
        (Extent(seeds=0), "0 seeds: it takes one at least", True),
        (Extent(parts=("one",)), "counting has no parts that run alone", False),
        (Extent(parts=("one", "four")), "counting has no part 'four'; its parts are one, two, three", True),
    ],
)
def test_an_extent_that_an_experiment_lacks_is_refused(
    extent: Extent, message: str, whole: bool, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        reproduce(extents() if whole else Counting().experiment, extent, folder=tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_a_command_names_no_folder_of_this_machine(tmp_path: Path) -> None:
    (tmp_path / "real digits").mkdir()
    sources = {"mnist": str(tmp_path / "real digits"), "mnist-m": "somebody/digits:plain", "photographs": "a/views"}
    assert command("counting", Extent(), sources) == (
        "routescope reproduce counting --data 'mnist=real digits' --data mnist-m=somebody/digits:plain"
        " --photographs a/views"
    )


def test_the_default_folder_is_records_of_the_data_folder(tmp_path: Path) -> None:
    _, path = reproduce(Counting().experiment, load_model=model())
    assert path.parent == assets.data_dir() / OWN_RECORDS
    (tmp_path / "file").write_text("")
    run = Counting()
    with pytest.raises(OSError, match="file"):
        reproduce(run.experiment, folder=tmp_path / "file" / "results", load_model=model())
    assert run.made == [], "nothing is measured for a folder that cannot be written to"


def test_data_and_models_are_asked_for_before_measuring() -> None:
    context = Context(Counting().experiment, Settings(10), load_model=model())
    context.measure("first", lambda: {"value": 1})
    with pytest.raises(RuntimeError, match="before its first measurement"):
        context.model("a-model")
    with pytest.raises(RuntimeError, match="before its first measurement"):
        context.data("mnist", limit=10)


def test_other_samples_have_another_fingerprint() -> None:
    one, other = load("mnist-m", limit=20), load("mnist", limit=20)
    assert one.hashes == other.hashes
    assert len({fingerprint(each) for each in (one, other, one.take(slice(19)))}) == 3
    assert fingerprint(one) == fingerprint(load("mnist-m", limit=20))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
results = st.dictionaries(st.text(min_size=1), st.dictionaries(st.text(), json_values, max_size=3), max_size=5)


@given(results)
@settings(max_examples=40, deadline=None)
def test_a_journal_gives_back_what_it_got(tmp_path_factory: pytest.TempPathFactory, measured: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    journal = Journal(path, {"run": 1})
    for key, result in measured.items():
        assert journal.add(key, result, 0.5).result == result
    again = Journal(path, {"run": 1})
    assert {key: entry.result for key, entry in again.entries.items()} == measured
    assert Journal(path, {"run": 2}).entries == {}
    with pytest.raises(ValueError, match="JSON"):
        journal.add("not finite", {"value": float("nan")}, 0.0)
    assert journal.get("not finite") is None


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_torn_journal_loses_only_what_was_torn(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    journal = Journal(path, {"run": 1})
    for i in range(4):
        journal.add(str(i), {"square": i * i}, 0.25)
    content = path.read_bytes()
    end = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:end] + data.draw(st.sampled_from([b"", b"\xff\x00", b'{"key": 3}', b"\n[]\n"])))
    whole_lines = content[:end].count(b"\n") - 1
    found = Journal(path, {"run": 1})
    assert len(found.entries) >= max(0, whole_lines - 1)
    for key, entry in found.entries.items():
        assert entry.result == {"square": int(key) ** 2}


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.json"
    write_whole(path, "old")

    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("routescope.experiments.shared.journal.os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, "new")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_every_module_with_an_experiment_is_found_and_has_small_settings() -> None:
    folder = Path(routescope.experiments.__file__).parent
    modules = {path.stem.replace("_", "-") for path in folder.glob("*.py") if "\nEXPERIMENT = " in path.read_text()}
    assert set(experiments()) == modules == set(SMALL)
    for experiment in experiments().values():
        assert experiment.title and experiment.paper_reference and experiment.quick != experiment.settings
        json.dumps([asdict(settings) for settings in (experiment.settings, experiment.quick)])
    with pytest.raises(UnknownExperiment, match="^unknown experiment 'ni-dorp'.*ni-drop"):
        find("ni-dorp")


NEW = """
from routescope.experiments import Experiment, Outcome
EXPERIMENT = Experiment({id!r}, "Title", "Paper", (), None, None, lambda context: Outcome([]))
"""


def test_a_new_file_is_found_if_its_id_is_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routescope.experiments, "__path__", [*routescope.experiments.__path__, str(tmp_path)])
    (tmp_path / "xx_new.py").write_text(NEW.format(id="xx-new"))
    assert find("xx-new").title == "Title" and "ni-drop" in experiments()
    (tmp_path / "xx_other.py").write_text(NEW.format(id="xx-new"))
    with pytest.raises(RuntimeError, match="the id of its module"):
        experiments()
