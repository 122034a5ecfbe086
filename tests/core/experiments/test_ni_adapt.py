"""ni-adapt and ni-extend on a tiny untrained network: what learns, what is compared, what is left out and said."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope import assets
from routescope.data import DataError, load
from routescope.experiments import experiments, ni_adapt, ni_extend, reproduce
from routescope.experiments.shared.adaptation import (
    FineTuning,
    LearningRateGrid,
    Target,
    fine_tune,
    mean_interval,
    share_interval,
    subset,
    targets,
)
from routescope.experiments.shared.frame import Context, Experiment, Extent
from routescope.routing.caused.scores import evaluate
from routescope.zoo.catalogue import UnknownModel
from tests.core.experiments.circuit_models import tiny as tiny_circuit
from tests.core.experiments.interpreters import only, tiny

SHORT = FineTuning(epochs=1, batch_size=8)
GRID = LearningRateGrid(rates=(0.01, 0.001), samples=8, scored=20)
SMALL: dict[str, Any] = {
    "ni-adapt": ni_adapt.Settings(samples=(4, 8, 9000), seeds=2, scored=30, grid=GRID, tuning=SHORT),
    "ni-extend": ni_extend.Settings(
        added=(0, 2),
        samples=8,
        seeds=2,
        scored=30,
        grid=GRID,
        reading=SHORT,
        tuning=replace(SHORT, optimizer="shampoo"),
    ),
}


def small(name: str) -> Experiment:
    return replace(experiments()[name], settings=SMALL[name])


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    folder, made = tmp_path_factory.mktemp("ni"), {}

    def get(name: str) -> dict[str, Any]:
        if name not in made:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(assets, "data_dir", lambda: folder / "data")
                patch.setattr("routescope.data.pictures.georgian.SIZES", {"train": 200, "validation": 100})
                made[name] = reproduce(small(name), folder=folder / "results", load_model=only(tiny()))[0]
        return made[name]

    return get


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Target:
    return Target(load("kmnist", "train", limit=60), load("kmnist", "validation", limit=40))


def of(record: dict[str, Any], name: str, **where: Any) -> list[dict[str, Any]]:
    return [f for f in record["figures"] if f["name"] == name and where.items() <= f["where"].items()]


@pytest.mark.parametrize("name", SMALL)
def test_settings_are_the_papers_but_for_what_two_cores_cannot(name: str) -> None:
    experiment = experiments()[name]
    usual, whole = experiment.settings_of(), experiment.settings_of(Extent(full=True))
    assert (usual.tuning.epochs, usual.tuning.batch_size) == (10, 128)
    assert usual.tuning == whole.tuning and whole.seeds == 6
    assert usual.tuning.optimizer == ("radam" if name == "ni-adapt" else "shampoo")
    assert experiment.settings_of(Extent(quick=True)) != usual != whole
    if name == "ni-adapt":
        assert usual.seeds == 6 and (usual.samples[0], whole.samples[-1]) == (8, 8192)
        assert {0.05, 0.03} <= set(usual.grid.rates), "what the paper's own search found is among them"


@pytest.mark.parametrize("name", SMALL)
def test_figures_are_about_a_stand_in_and_no_number_is_the_papers(record: Any, name: str) -> None:
    found = record(name)
    assert {(figure["paper"], figure["stand_in"]) for figure in found["figures"]} == {(None, True)}
    assert {figure["data"] for figure in found["figures"]} == {"Georgian letters (rendered; K-MNIST stand-in)"}
    assert [data["stand_in_for"] for data in found["data"]] == ["K-MNIST"] * 2
    for figure in found["figures"]:
        assert figure["low"] <= figure["value"] <= figure["high"]


def test_every_network_meets_the_same_samples_and_its_own_best_rate(record: Any) -> None:
    found = record("ni-adapt")
    names = ["ni-digits", "ni-digits, functions drawn anew"]
    rows, rates = found["tables"]["runs"], found["tables"]["rates"]
    assert sorted((r["model"], r["samples"], r["seed"]) for r in rows) == sorted(
        (name, samples, seed) for name in names for samples in (4, 8) for seed in (0, 1)
    )
    for name in names:
        tried = [row for row in rates if row["model"] == name]
        best = max(tried, key=lambda row: row["accuracy"])["rate"]
        assert {row["rate"] for row in rows if row["model"] == name} == {best}
        (figure,) = of(found, "accuracy", model=name, samples=8)
        assert figure["value"] == pytest.approx(
            np.mean([r["accuracy"] for r in rows if (r["model"], r["samples"]) == (name, 8)])
        )
        assert figure["count"] == 2 * 30
    (gain,) = of(found, f"more than {names[1]}", samples=8)
    pairs = [[r["accuracy"] for r in rows if (r["model"], r["samples"]) == (name, 8)] for name in names]
    assert (gain["value"], gain["low"], gain["high"]) == mean_interval([a - b for a, b in zip(*pairs, strict=True)])


def test_what_is_missing_or_smaller_is_said(record: Any) -> None:
    notes = " ".join(record("ni-adapt")["notes"])
    assert "vit-digits is not there and was left out; train it with: routescope train vit-digits" in notes
    assert "200 samples to learn from: left out were 9,000" in notes
    assert "parameters; the paper's NI has 643,000" in notes
    assert [model["id"] for model in record("ni-adapt")["models"]] == ["ni-digits"]
    assert "8 samples and 2 seeds; the paper has 8,192 and 6" in " ".join(record("ni-extend")["notes"])


def test_a_run_without_any_of_its_models_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path)
    experiment = replace(small("ni-adapt"), settings=replace(SMALL["ni-adapt"], models=("vit-digits",)))
    with pytest.raises(UnknownModel, match="routescope train vit-digits"):
        reproduce(experiment, folder=tmp_path, load_model=only(tiny()))


def test_a_network_without_what_is_asked_of_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A circuit gets other heads, and has no functions; a conditional one answers true and false alone."""
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path)
    with pytest.raises(ValueError, match="Neural Attentive Circuit, has no functions"):
        reproduce(small("ni-extend"), folder=tmp_path, load_model=lambda _: tiny_circuit("nac-scale-free"))
    with pytest.raises(ValueError, match="no heads that other domains can get"):
        reproduce(small("ni-adapt"), folder=tmp_path, load_model=lambda _: tiny_circuit("nac-scenes"))


def test_of_the_sets_those_with_a_source_are_adapted_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path)
    asked: list[tuple[str, str]] = []

    def data(self: Context, name: str, split: str = "validation", limit: int | None = None, **_: Any) -> Any:
        asked.append((name, split))
        return load("kmnist", split, limit=10)

    monkeypatch.setattr(Context, "data", data)
    names, model = ("kmnist", "mnist-m", "letters"), tiny(domains=("mnist",))
    experiment = small("ni-adapt")
    for sources, expected in (({}, ["kmnist"]), (dict.fromkeys(("letters", "mnist-m"), "."), ["mnist-m", "letters"])):
        asked.clear()
        targets(Context(experiment, SMALL["ni-adapt"], sources), names, [model], 5)
        assert asked == [(name, split) for name in expected for split in ("train", "validation")]
    seen = Context(experiment, SMALL["ni-adapt"], {"mnist-m": "."})
    with pytest.raises(
        DataError, match="ni-digits was trained on mnist-m, and is adapted to other data: give kmnist, l"
    ):
        targets(seen, names, [tiny()], 5)


@pytest.mark.parametrize("parts", [(), ("cls", "heads"), ("signatures", "codes")], ids="+".join)
def test_what_learns_is_what_is_named_and_the_model_stays(target: Target, parts: tuple[str, ...]) -> None:
    model = tiny()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    torch.manual_seed(0)
    own = model.with_heads(("kmnist",), 10)
    start = {name: [p.clone() for p in part] for name, part in own.parts().items()}
    matrices = parts == ("signatures", "codes")
    tuning = FineTuning(epochs=5, batch_size=8, optimizer="shampoo" if matrices else "radam")
    rows = torch.arange(20)
    loss = evaluate(own, target.train.take(rows)).mean_loss
    done = fine_tune(own, target.train, rows, tuning, 0.1 if matrices else 0.01, parts)
    assert evaluate(done, target.train.take(rows)).mean_loss < loss
    moved = {name for name, part in done.parts().items() if not all(map(torch.equal, part, start[name]))}
    assert moved == (set(parts) or set(start) - {"signatures"}), "signatures are frozen in this config"
    assert not done.training and not any(p.requires_grad for p in done.parameters())
    assert all(value.equal(before[name]) for name, value in model.state_dict().items())
    with pytest.raises(ValueError, match="unknown parts routing; this Neural Interpreter has cls, heads"):
        fine_tune(own, target.train, rows, tuning, 0.1, ("routing",))


def test_added_functions_learn_from_a_reader_that_stays(target: Target) -> None:
    chosen = replace(SMALL["ni-extend"], seeds=1)
    extending = ni_extend.Extending(chosen, tiny(), target)
    rows, state = torch.arange(24), torch.get_rng_state()
    reader = extending.reader(rows, 0)
    before = {name: value.clone() for name, value in reader.state_dict().items()}
    wider = extending.extended(rows, 0, 2, rate=0.1)
    assert torch.get_rng_state().equal(state), "the random numbers of others are left alone"
    assert len(wider.all_units) == len(reader.all_units) + 2
    assert all(value.equal(before[name]) for name, value in reader.state_dict().items())
    ours, theirs = wider.state_dict(), reader.state_dict()
    same = {name.rsplit(".", 1)[-1] for name in theirs if ours[name].shape == theirs[name].shape}
    assert not {"signatures", "codes"} & same
    assert all(ours[name].equal(theirs[name]) for name in theirs if not name.endswith(("signatures", "codes")))
    assert not ours["scripts.0.codes"][:3].equal(theirs["scripts.0.codes"]), "the old functions learn too"
    assert extending.reader(rows, 0) is reader


def test_functions_drawn_anew_differ_by_seed_and_nothing_else_does(target: Target) -> None:
    learner = ni_adapt.Learner("anew", tiny(), anew=True)
    still = FineTuning(epochs=0)
    one, two, again = (learner.adapted(target, torch.arange(8), 0.01, seed, still) for seed in (1, 2, 1))
    kept = ni_adapt.Learner("kept", tiny(), anew=False).adapted(target, torch.arange(8), 0.01, 1, still)
    state = [each.state_dict() for each in (one, two, again, kept)]
    for name, value in state[0].items():
        drawn = name.endswith(("codes", "signatures"))
        assert value.equal(state[2][name])
        assert value.equal(state[3][name]) != drawn, "the head is drawn alike for both"
        if drawn:
            assert not value.equal(state[1][name])


def test_the_interval_over_seeds_or_episodes_is_students() -> None:
    assert mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 1.036757, 4.963243))
    assert share_interval([0.1, 0.2, 0.3]) == pytest.approx((0.2, 0.0, 0.2 + 4.302653 * 0.1 / 3**0.5))
    assert share_interval([0.5, 1.0], most=0.9) == (0.75, 0.0, 0.9)
    assert mean_interval([0.5]) == share_interval([0.5]) == (0.5, None, None)


def test_more_samples_are_the_same_and_others() -> None:
    few, many, others = subset(100, 8, 3), subset(100, 50, 3), subset(100, 8, 4)
    assert many[:8].equal(few) and not others.equal(few)
    assert len(set(many.tolist())) == 50
    assert len(subset(5, 8, 0)) == 5


def test_learning_rates_are_compared_on_training_samples_that_were_not_learned_from(target: Target) -> None:
    rows, held = GRID.rows(target)
    assert len(rows) == 8 and len(held) == 20
    learned = {target.train.hashes[row] for row in rows.tolist()}
    assert not learned & set(held.hashes) and set(held.hashes) <= set(target.train.hashes)
    assert GRID.best([0.1, 0.3]) == 0.001
    assert GRID.best([0.3, 0.3]) == 0.01
