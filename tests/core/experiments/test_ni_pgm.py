"""The experiment on matrices, on a few of them and steps: what its record says, and of whom it says nothing."""

from dataclasses import replace

import numpy as np
import pytest

from routescope.data import catalogue, load
from routescope.experiments import ni_pgm
from routescope.experiments.shared.frame import Context, Extent
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.recipes.matrices import MATRIX_RECIPES, for_regime

FEW = {"train": 48, "validation": 16, "test": 24}
DATA, NEUTRAL = "pgm-small-extrapolation", "pgm-small-neutral"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    for split, count in FEW.items():
        for data in (DATA, NEUTRAL):
            monkeypatch.setitem(catalogue.MATRIX_DATASETS[data].splits, split, count)
    for name in (ni_pgm.NI, ni_pgm.VIT, ni_pgm.WREN):
        recipe = MATRIX_RECIPES[name]
        config = replace(recipe.config, image_size=16, panel_width=4)
        monkeypatch.setitem(MATRIX_RECIPES, name, recipe._replace(config=config))


def pretend(model: str, validation: str, test: str, learned: bool, curve: tuple[int, ...] = ()) -> dict:
    """A row as ``trained`` gives it, with so many right of 100 after every number of iterations."""
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
def test_every_network_is_trained_and_scored_on_the_regimes_own_sets(few) -> None:
    chosen = ni_pgm.Settings(regimes=("extrapolation",), seeds=2, steps=2, doubled=False)
    said: list[str] = []
    context = Context(ni_pgm.EXPERIMENT, chosen, progress=lambda done, total, words: said.append(words))
    outcome = ni_pgm.run(context)
    assert context.done == context.total == 6
    assert "training wren-pgm on extrapolation, seed 1" in said
    assert [(each["name"], each["split"], each["count"]) for each in context.data_used] == [
        (DATA, split, FEW[split]) for split in ("validation", "test", "train")
    ]
    rows = outcome.tables["trainings"]
    assert [(row["model"], row["seed"]) for row in rows] == [
        (name, seed) for seed in (0, 1) for name in ("ni-pgm", "vit-pgm", "wren-pgm")
    ]
    for figure in outcome.figures:
        assert (figure.stand_in, figure.paper) == (True, None)
        assert figure.low <= figure.value <= figure.high
    for name in chosen.networks:
        title = ni_pgm.TITLES[name]
        for split in ("validation", "test"):
            found, over = [f for f in outcome.figures if (f.where["model"], f.where.get("split")) == (title, split)]
            own = [row[split] for row in rows if row["model"] == name]
            assert found.value == pytest.approx(sum(own) / 2) and found.count == 2 * FEW[split]
            half = 12.7062 * abs(own[0] - own[1]) / 2  # Student's t of one degree of freedom, by the error of the mean
            assert (found.name, over.name) == ("accuracy", "accuracy, interval over seeds")
            ends = max(0, found.value - half), min(1, found.value + half)
            assert (over.low, over.value, over.high) == pytest.approx((ends[0], found.value, ends[1]), abs=1e-4)
    curve = outcome.tables["iterations"]
    assert [(row["seed"], row["iterations"]) for row in curve] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(later["flops"] > sooner["flops"] for sooner, later in (curve[:2], curve[2:]))
    again = Context(ni_pgm.EXPERIMENT, chosen)
    assert ni_pgm.run(again).tables["trainings"] == rows and again.resumed == 6


@pytest.mark.slow
def test_twice_the_iterations_are_trained_on_neutral_alone_and_have_a_half(few, monkeypatch) -> None:
    monkeypatch.setattr(ni_pgm, "learned", lambda _: True)
    chosen = ni_pgm.part(ni_pgm.Settings(steps=2), ("figure-8",))
    context = Context(ni_pgm.EXPERIMENT, chosen)
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
    sets = {split: load("pgm-small-neutral", split, limit=8, side=16) for split in ni_pgm.SPLITS}
    row = pretend(ni_pgm.NI, "1" + "0" * 7, "0" * 8, False, (10, 12))
    for figure in ni_pgm.accuracies(ni_pgm.NI, "neutral", [row], sets, True):
        assert figure.where["not learned"] == "1 of 1: at chance on validation"
    (note,) = [each for each in ni_pgm.notes(ni_pgm.Settings(), [row]) if "has not learned" in each]
    assert note.startswith("Neural Interpreter on neutral, seed 0") and "12.5%" in note
    assert list(ni_pgm.anytime(ni_pgm.NI, "neutral", [row], sets["test"])) == [], (
        "nothing can stay of what was not learned"
    )
    learned = pretend(ni_pgm.VIT, "1" * 6 + "00", "10101010", True)
    validation, test = ni_pgm.accuracies(ni_pgm.VIT, "neutral", [learned], sets, True)
    assert "not learned" not in validation.where
    assert (validation.value, test.value) == (0.75, 0.5)
    assert (test.low, test.high) == wilson_interval(4, 8)
    assert not any("has not learned" in each for each in ni_pgm.notes(ni_pgm.Settings(), [learned]))


def test_what_stays_at_half_the_iterations_is_a_share_of_the_full_accuracy() -> None:
    test = load("pgm-small-neutral", "test", limit=8, side=16)
    rows = [pretend(ni_pgm.NI, "1", "1", True, curve) for curve in ((10, 20, 45, 50, 60), (14, 20, 27, 50, 40))]
    figures = list(ni_pgm.anytime(ni_pgm.NI, "neutral", rows, test))
    assert [f.value for f in figures if f.name == "test accuracy"] == [0.12, 0.2, 0.36, 0.5, 0.5]
    assert [f.where["compute"] for f in figures if f.name == "test accuracy"] == ["33%", "50%", "67%", "83%", "100%"]
    (kept,) = [f for f in figures if f.name != "test accuracy"]
    assert kept.value == pytest.approx(72 / 100) and kept.where["iterations"] == "2 of 4"
    low, high = wilson_interval(72, 200)
    assert (kept.low, kept.high) == pytest.approx((low * 2, high * 2))
    odd = [pretend(ni_pgm.NI, "1", "1", True, (10, 20))]
    assert {f.name for f in ni_pgm.anytime(ni_pgm.NI, "neutral", odd, test)} == {"test accuracy"}
    assert any("half the compute" in each for each in ni_pgm.notes(ni_pgm.Settings(), odd))


def test_table_2_is_told_regime_by_regime() -> None:
    printed = {figure.what: figure for figure in ni_pgm.EXPERIMENT.paper_figures}
    assert printed["held-out triples, test, WReN"].value == 0.19
    assert printed["extrapolation, test, Vision Transformer"].says == "16.4%, and 92.2% on validation"
    assert printed["neutral, test, Neural Interpreter"].value == 0.77
    assert len(printed) == 19


def test_recipes_are_of_the_regime_and_as_printed_where_asked_for() -> None:
    for name in (ni_pgm.NI, ni_pgm.VIT, ni_pgm.WREN):
        own, recipe = for_regime(name, "triples")
        assert (own, recipe.config.domains, recipe.config.image_size) == (name, ("pgm-small-triples",), 32)
        own, recipe = for_regime(name, "triples", printed=True)
        assert own == f"{name}-triples-printed"
        assert (recipe.config.domains, recipe.config.image_size) == (("pgm-triples",), 80)
        assert (recipe.settings.epochs, recipe.settings.batch_size) == (30, 72)
    assert ni_pgm.EXPERIMENT.settings_of(Extent(full=True)).printed
    assert ni_pgm.EXPERIMENT.quick.regimes == ("neutral",)


def test_regimes_are_parts_and_those_that_were_not_run_are_named() -> None:
    experiment = ni_pgm.EXPERIMENT
    own = ni_pgm.Settings(regimes=("neutral", "triples"), doubled=False)
    assert experiment.settings_of(Extent(parts=("triples", "neutral"))) == own
    assert experiment.settings_of(Extent(parts=("figure-8", "neutral"))).trainings[-2:] == (
        ("neutral", ni_pgm.WREN),
        ("neutral", ni_pgm.DOUBLED),
    )
    quick = experiment.settings_of(Extent(quick=True, parts=("triples",)))
    assert quick == replace(ni_pgm.EXPERIMENT.quick, regimes=("triples",))
    whole = experiment.settings_of(Extent(full=True, parts=("extrapolation",)))
    assert whole.printed and whole.regimes == ("extrapolation",)
    (note,) = [each for each in ni_pgm.notes(whole, []) if "not run" in each]
    left = "neutral, interpolation, held-out pairs of attributes, held-out pairs of triples, held-out triples"
    assert note == f"Regimes that were not run: {left}."
    assert not any("not run" in each for each in ni_pgm.notes(ni_pgm.Settings(), []))


@pytest.mark.parametrize(("right", "can"), [(12, False), (18, False), (19, True), (100, True)])
def test_who_is_right_more_often_than_by_chance_has_learned(right: int, can: bool) -> None:
    """Of 100: the interval of 18 begins at 11.7 %, that of 19 at 12.515 %; an eighth are 12.5 %."""
    assert ni_pgm.learned(np.arange(100) < right) is can
