"""The experiment on matrices: its record, networks that did not learn, iterations, and regimes as parts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from routescope.data import load
from routescope.experiments import ni_pgm
from routescope.experiments.shared.frame import Context, Extent
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.recipes.matrices import for_regime
from tests.core.experiments.small import Made, small_matrices

DATA, NEUTRAL = "pgm-small-extrapolation", "pgm-small-neutral"


def row_of(model: str, validation: str, test: str, learned: bool, curve: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return a row as ``trained`` gives it; ``curve`` has the right answers of 100 after each iteration."""
    return {
        "model": model,
        "regime": "neutral",
        "seed": 0,
        "validation": validation.count("1") / len(validation),
        "learned": learned,
        "correct": {"validation": validation, "test": test},
        "iterations": [
            {"iterations": at, "of": len(curve) - 1, "right": right, "count": 100, "flops": 10 + 5 * at}
            for at, right in enumerate(curve)
        ],
    }


@pytest.mark.slow
def test_every_network_is_trained_and_scored_on_the_regimes_own_sets(made: Callable[[str], Made]) -> None:
    found = made("ni-pgm")
    assert "training wren-pgm on extrapolation, seed 1" in found.said
    assert [(each["name"], each["split"], each["count"]) for each in found.record["data"]] == [
        (DATA, "validation", 16), (DATA, "test", 24), (DATA, "train", 48)
    ]  # fmt: skip
    rows = found.rows("trainings")
    assert [(row["model"], row["seed"]) for row in rows] == [(n, s) for s in (0, 1) for n in ni_pgm.Settings().networks]
    assert {figure["stand_in"] for figure in found.record["figures"]} == {True}
    for name in ni_pgm.Settings().networks:
        for split, count in (("validation", 16), ("test", 24)):
            where = {"model": ni_pgm.TITLES[name], "split": split}
            figure, over = (found.figure(f"accuracy{more}", **where) for more in ("", ", interval over seeds"))
            own = [row[split] for row in rows if row["model"] == name]
            assert figure["value"] == pytest.approx(sum(own) / 2) and figure["count"] == 2 * count
            half = 12.7062 * abs(own[0] - own[1]) / 2  # Student's t of one degree of freedom, by the error of the mean
            ends = max(0, figure["value"] - half), figure["value"], min(1, figure["value"] + half)
            assert (over["low"], over["value"], over["high"]) == pytest.approx(ends, abs=1e-4)
    curve = found.rows("iterations")
    assert [(row["seed"], row["iterations"]) for row in curve] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(later["flops"] > sooner["flops"] for sooner, later in (curve[:2], curve[2:]))


@pytest.mark.slow
def test_twice_the_iterations_are_trained_on_neutral_alone_and_have_a_half(monkeypatch: pytest.MonkeyPatch) -> None:
    small_matrices(monkeypatch)
    monkeypatch.setattr(ni_pgm, "learned", lambda _: True)
    context = Context(ni_pgm.EXPERIMENT, ni_pgm.part(ni_pgm.Settings(steps=2), ("figure-8",)))
    outcome = ni_pgm.run(context)
    assert context.done == 1 and {each["name"] for each in context.data_used} == {NEUTRAL}
    (row,) = outcome.tables["trainings"]
    assert (row["model"], row["regime"]) == ("ni-pgm-doubled", "neutral")
    curve = outcome.tables["iterations"]
    assert [(each["iterations"], each["of"]) for each in curve] == [(0, 2), (1, 2), (2, 2)]
    assert {figure.where["model"] for figure in outcome.figures} == {"Neural Interpreter, twice the iterations"}
    halves = [each for each in outcome.figures if each.name.startswith("share of the full accuracy")]
    _, half, whole = (each["right"] for each in curve)
    assert [(each.value, each.where["iterations"]) for each in halves] == (
        [(pytest.approx(half / whole), "1 of 2")] if whole else []
    )
    assert not any("odd number" in note for note in outcome.notes)
    (note,) = [each for each in outcome.notes if "not run" in each]
    assert note.startswith("Regimes that were not run, but for twice the iterations on neutral: neutral, ")
    with pytest.raises(ValueError, match="even number of iterations"):
        ni_pgm.EXPERIMENT.settings_of(Extent(full=True, parts=("figure-8",)))


def test_a_network_at_chance_has_not_learned_and_its_record_says_so() -> None:
    sets = {split: load(NEUTRAL, split, limit=8, side=16) for split in ni_pgm.SPLITS}
    row = row_of(ni_pgm.NI, "1" + "0" * 7, "0" * 8, False, (10, 12))
    for figure in ni_pgm.accuracies(ni_pgm.NI, "neutral", [row], sets, True):
        assert figure.where["not learned"] == "1 of 1: at chance on validation"
    (note,) = [each for each in ni_pgm.notes(ni_pgm.Settings(), [row]) if "has not learned" in each]
    assert note.startswith("Neural Interpreter on neutral, seed 0") and "12.5%" in note
    assert list(ni_pgm.anytime(ni_pgm.NI, "neutral", [row], sets["test"])) == [], "nothing learned, nothing kept"
    learned = row_of(ni_pgm.VIT, "1" * 6 + "00", "10101010", True)
    validation, test = ni_pgm.accuracies(ni_pgm.VIT, "neutral", [learned], sets, True)
    assert "not learned" not in validation.where and (validation.value, test.value) == (0.75, 0.5)
    assert (test.low, test.high) == wilson_interval(4, 8)
    assert not any("has not learned" in each for each in ni_pgm.notes(ni_pgm.Settings(), [learned]))


@pytest.mark.parametrize(("right", "can"), [(12, False), (18, False), (19, True), (100, True)])
def test_a_network_has_learned_if_it_is_right_more_often_than_by_chance(right: int, can: bool) -> None:
    """Of 100: the interval of 18 begins at 11.7 %, that of 19 at 12.515 %; an eighth are 12.5 %."""
    assert ni_pgm.learned(np.arange(100) < right) is can


def test_half_the_iterations_keep_a_share_of_the_full_accuracy() -> None:
    test = load(NEUTRAL, "test", limit=8, side=16)
    rows = [row_of(ni_pgm.NI, "1", "1", True, curve) for curve in ((10, 20, 45, 50, 60), (14, 20, 27, 50, 40))]
    *curve, last = sorted(ni_pgm.anytime(ni_pgm.NI, "neutral", rows, test), key=lambda f: f.name != "test accuracy")
    assert [figure.value for figure in curve] == [0.12, 0.2, 0.36, 0.5, 0.5]
    assert [figure.where["compute"] for figure in curve] == ["33%", "50%", "67%", "83%", "100%"]
    assert last.value == pytest.approx(72 / 100) and last.where["iterations"] == "2 of 4"
    assert (last.low, last.high) == pytest.approx([2 * end for end in wilson_interval(72, 200)])
    odd = [row_of(ni_pgm.NI, "1", "1", True, (10, 20))]
    assert {figure.name for figure in ni_pgm.anytime(ni_pgm.NI, "neutral", odd, test)} == {"test accuracy"}
    assert any("half the compute" in each for each in ni_pgm.notes(ni_pgm.Settings(), odd))


def test_recipes_are_of_the_regime_and_as_printed_where_asked_for() -> None:
    for name in (ni_pgm.NI, ni_pgm.VIT, ni_pgm.WREN):
        own, recipe = for_regime(name, "triples")
        assert (own, recipe.config.domains, recipe.config.image_size) == (name, ("pgm-small-triples",), 32)
        own, recipe = for_regime(name, "triples", printed=True)
        assert own == f"{name}-triples-printed"
        assert (recipe.config.domains, recipe.config.image_size) == (("pgm-triples",), 80)
        assert (recipe.settings.epochs, recipe.settings.batch_size) == (30, 72)
    printed = {figure.what: (figure.value, figure.says) for figure in ni_pgm.EXPERIMENT.paper_figures}
    assert printed["extrapolation, test, Vision Transformer"] == (0.164, "16.4%, and 92.2% on validation")
    assert len(printed) == 19


def test_regimes_are_parts_and_those_that_were_not_run_are_named() -> None:
    experiment = ni_pgm.EXPERIMENT
    own = ni_pgm.Settings(regimes=("neutral", "triples"), doubled=False)
    assert experiment.settings_of(Extent(parts=("triples", "neutral"))) == own
    last = experiment.settings_of(Extent(parts=("figure-8", "neutral"))).trainings[-2:]
    assert last == (("neutral", ni_pgm.WREN), ("neutral", ni_pgm.DOUBLED))
    quick = experiment.settings_of(Extent(quick=True, parts=("triples",)))
    assert quick == replace(experiment.quick, regimes=("triples",))
    whole = experiment.settings_of(Extent(full=True, parts=("extrapolation",)))
    assert whole.printed and whole.regimes == ("extrapolation",)
    (note,) = [each for each in ni_pgm.notes(whole, []) if "not run" in each]
    left = "neutral, interpolation, held-out pairs of attributes, held-out pairs of triples, held-out triples"
    assert note == f"Regimes that were not run: {left}."
    assert not any("not run" in each for each in ni_pgm.notes(ni_pgm.Settings(), []))
