"""ni-adapt and ni-extend on a tiny untrained network: what learns, what is compared, what is left out and said."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import DataError, load
from routescope.experiments import experiments, ni_adapt, ni_extend, reproduce
from routescope.experiments.shared.adaptation import (
    FineTuning,
    Target,
    fine_tune,
    mean_interval,
    share_interval,
    subset,
    targets,
)
from routescope.experiments.shared.frame import Context, Extent
from routescope.routing.caused.scores import evaluate
from routescope.zoo.catalogue import UnknownModel
from tests.core.experiments.circuit_models import tiny as tiny_circuit
from tests.core.experiments.small import GRID, Made, interpreter, only, small

Get = Callable[[str], Made]
NAMES = ["ni-adapt", "ni-extend"]


@pytest.fixture(scope="module")
def target() -> Target:
    return Target(load("kmnist", "train", limit=60), load("kmnist", "validation", limit=40))


@pytest.mark.parametrize(("name", "optimizer"), [("ni-adapt", "radam"), ("ni-extend", "shampoo")])
def test_settings_are_the_papers_but_for_what_two_cores_cannot(name: str, optimizer: str) -> None:
    experiment = experiments()[name]
    usual, whole = experiment.settings_of(), experiment.settings_of(Extent(full=True))
    assert (usual.tuning.epochs, usual.tuning.batch_size, usual.tuning.optimizer) == (10, 128, optimizer)
    assert usual.tuning == whole.tuning and whole.seeds == 6
    assert experiment.settings_of(Extent(quick=True)) != usual != whole
    if name == "ni-adapt":
        assert usual.seeds == 6 and (usual.samples[0], whole.samples[-1]) == (8, 8192)
        assert {0.05, 0.03} <= set(usual.grid.rates), "what the paper's own search found is among them"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_figures_are_about_the_stand_in(made: Get, name: str) -> None:
    record = made(name).record
    assert {figure["stand_in"] for figure in record["figures"]} == {True}
    assert {figure["data"] for figure in record["figures"]} == {"Georgian letters (rendered; K-MNIST stand-in)"}
    assert [data["stand_in_for"] for data in record["data"]] == ["K-MNIST"] * 2
    notes = " ".join(record["notes"])
    if name == "ni-extend":
        assert "8 samples and 2 seeds; the paper has 8,192 and 6" in notes
    else:
        assert "vit-digits is not there and was left out; train it with: routescope train vit-digits" in notes
        assert "200 samples to learn from: left out were 9,000" in notes
        assert "parameters; the paper's NI has 643,000" in notes
        assert [model["id"] for model in record["models"]] == ["ni-digits"]


@pytest.mark.slow
def test_every_network_meets_the_same_samples_and_its_own_best_rate(made: Get) -> None:
    found, names = made("ni-adapt"), ["ni-digits", "ni-digits, functions drawn anew"]
    assert sorted((row["model"], row["samples"], row["seed"]) for row in found.rows("runs")) == sorted(
        (name, samples, seed) for name in names for samples in (4, 8) for seed in (0, 1)
    )
    accuracies = []
    for name in names:
        best = max(found.rows("rates", model=name), key=lambda row: row["accuracy"])["rate"]
        assert {row["rate"] for row in found.rows("runs", model=name)} == {best}
        accuracies.append([row["accuracy"] for row in found.rows("runs", model=name, samples=8)])
        figure = found.figure("accuracy", model=name, samples=8)
        assert (figure["value"], figure["count"]) == (pytest.approx(np.mean(accuracies[-1])), 2 * 30)
    gain = found.figure(f"more than {names[1]}", samples=8)
    expected = mean_interval([a - b for a, b in zip(*accuracies, strict=True)])
    assert (gain["value"], gain["low"], gain["high"]) == expected


@pytest.mark.parametrize(
    ("name", "changes", "load_model", "error", "words"),
    [
        ("ni-adapt", {"models": ("vit-digits",)}, only(interpreter()), UnknownModel, "routescope train vit-digits"),
        ("ni-extend", {}, lambda _: tiny_circuit("nac-scale-free"), ValueError, "Attentive Circuit, has no functions"),
        ("ni-adapt", {}, lambda _: tiny_circuit("nac-scenes"), ValueError, "no heads that other domains can get"),
    ],
)
def test_a_run_without_models_that_can_adapt_is_refused(
    name: str, changes: dict[str, Any], load_model: Any, error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        reproduce(small(name, **changes), folder=tmp_path, load_model=load_model)


def test_of_the_sets_those_with_a_source_are_adapted_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def data(self: Context, name: str, split: str = "validation", limit: int | None = None, **_: Any) -> Any:
        asked.append((name, split))
        return load("kmnist", split, limit=10)

    monkeypatch.setattr(Context, "data", data)
    names, settings = ("kmnist", "mnist-m", "letters"), small("ni-adapt").settings
    for sources, expected in (({}, ["kmnist"]), (dict.fromkeys(("letters", "mnist-m"), "."), ["mnist-m", "letters"])):
        asked.clear()
        targets(Context(small("ni-adapt"), settings, sources), names, [interpreter(domains=("mnist",))], 5)
        assert asked == [(name, split) for name in expected for split in ("train", "validation")]
    seen = Context(small("ni-adapt"), settings, {"mnist-m": "."})
    with pytest.raises(
        DataError, match="ni-digits was trained on mnist-m, and is adapted to other data: give kmnist, l"
    ):
        targets(seen, names, [interpreter()], 5)


@pytest.mark.parametrize(
    ("parts", "optimizer", "rate"),
    [((), "radam", 0.01), (("cls", "heads"), "radam", 0.01), (("signatures", "codes"), "shampoo", 0.1)],
)
def test_only_named_parts_learn_and_the_model_stays(
    target: Target, parts: tuple[str, ...], optimizer: str, rate: float
) -> None:
    model, rows = interpreter(), torch.arange(20)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    torch.manual_seed(0)
    own = model.with_heads(("kmnist",), 10)
    start = {name: [p.clone() for p in part] for name, part in own.parts().items()}
    tuning = FineTuning(epochs=5, batch_size=8, optimizer=optimizer)
    loss = evaluate(own, target.train.take(rows)).mean_loss
    done = fine_tune(own, target.train, rows, tuning, rate, parts)
    assert evaluate(done, target.train.take(rows)).mean_loss < loss
    moved = {name for name, part in done.parts().items() if not all(map(torch.equal, part, start[name]))}
    assert moved == (set(parts) or set(start) - {"signatures"}), "signatures are frozen in this config"
    assert not done.training and not any(p.requires_grad for p in done.parameters())
    assert all(value.equal(before[name]) for name, value in model.state_dict().items())
    with pytest.raises(ValueError, match="unknown parts routing; this Neural Interpreter has cls, heads"):
        fine_tune(own, target.train, rows, tuning, rate, ("routing",))


def test_added_functions_learn_from_a_reader_that_stays(target: Target) -> None:
    extending = ni_extend.Extending(replace(small("ni-extend").settings, seeds=1), interpreter(), target)
    rows, state = torch.arange(24), torch.get_rng_state()
    reader = extending.reader(rows, 0)
    before = {name: value.clone() for name, value in reader.state_dict().items()}
    wider = extending.extended(rows, 0, 2, rate=0.1)
    assert torch.get_rng_state().equal(state), "the random numbers of others are left alone"
    assert len(wider.all_units) == len(reader.all_units) + 2
    assert all(value.equal(before[name]) for name, value in reader.state_dict().items())
    ours, theirs = wider.state_dict(), reader.state_dict()
    for name, value in theirs.items():
        if name.endswith(("signatures", "codes")):
            assert ours[name].shape != value.shape
        else:
            assert ours[name].equal(value)
    assert not ours["scripts.0.codes"][:3].equal(theirs["scripts.0.codes"]), "the old functions learn too"
    assert extending.reader(rows, 0) is reader


def test_functions_drawn_anew_differ_by_seed_and_nothing_else_does(target: Target) -> None:
    def adapted(anew: bool, seed: int) -> dict[str, torch.Tensor]:
        learner = ni_adapt.Learner("a", interpreter(), anew=anew)
        return learner.adapted(target, torch.arange(8), 0.01, seed, FineTuning(epochs=0)).state_dict()

    one, two, again, kept = adapted(True, 1), adapted(True, 2), adapted(True, 1), adapted(False, 1)
    for name, value in one.items():
        drawn = name.endswith(("codes", "signatures"))
        assert value.equal(again[name])
        assert value.equal(kept[name]) != drawn, "the head is drawn alike for both"
        assert not (drawn and value.equal(two[name]))


def test_the_interval_over_seeds_or_episodes_is_students() -> None:
    assert mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 1.036757, 4.963243))
    assert share_interval([0.1, 0.2, 0.3]) == pytest.approx((0.2, 0.0, 0.2 + 4.302653 * 0.1 / 3**0.5))
    assert share_interval([0.5, 1.0], most=0.9) == (0.75, 0.0, 0.9)
    assert mean_interval([0.5]) == share_interval([0.5]) == (0.5, None, None)


def test_samples_are_nested_and_rates_are_compared_on_those_not_learned_from(target: Target) -> None:
    few, many, others = subset(100, 8, 3), subset(100, 50, 3), subset(100, 8, 4)
    assert many[:8].equal(few) and not others.equal(few)
    assert len(set(many.tolist())) == 50 and len(subset(5, 8, 0)) == 5
    rows, held = GRID.rows(target)
    assert (len(rows), len(held)) == (GRID.samples, GRID.scored)
    learned = {target.train.hashes[row] for row in rows.tolist()}
    assert not learned & set(held.hashes) and set(held.hashes) <= set(target.train.hashes)
    assert GRID.best([0.1, 0.3]) == 0.001 and GRID.best([0.3, 0.3]) == 0.01
