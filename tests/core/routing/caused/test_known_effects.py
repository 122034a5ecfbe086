"""Known answers 1 to 4 about what units cause, on networks whose routing is given."""

import numpy as np
import pytest

from routescope.routing import Intervention, score
from routescope.routing.ablation import donors
from routescope.routing.caused.effects import effects_by
from routescope.routing.caused.importance import importance, interactions, single_effects
from routescope.routing.caused.scoring import KeptUnits, all_subsets
from routescope.routing.caused.shapley import shapley_exact
from routescope.routing.options import KINDS
from tests.core.routing.toys import balanced, duplicated, labelled, one_hot, uniform, with_dead


def test_1_a_uniform_router_has_equal_values() -> None:
    model, data = uniform(5), [balanced()]
    for kind in KINDS:
        result = shapley_exact(all_subsets(KeptUnits.of(model, data, kind=kind)))
        np.testing.assert_allclose(result["value"], result.attrs["total"] / 5, rtol=1e-12)
    dropped = shapley_exact(all_subsets(KeptUnits.of(model, data)))
    np.testing.assert_allclose(dropped["value"], 1 / 5, rtol=1e-12)
    assert (single_effects(model.units, KeptUnits.of(model, data))["change"] == 0).all(), "the others take over"


@pytest.mark.parametrize("kind", ["drop", "mute"])
def test_2_a_unit_tied_to_a_label_hurts_that_label_alone(kind) -> None:
    model, data = one_hot(), balanced(each=5)
    baseline = score(model, data)
    for k, unit in enumerate(model.units):
        table = effects_by(
            data.labels.numpy(), baseline, score(model, data, Intervention().ablating(kind, [unit])), data.classes
        )
        assert table["change"].tolist() == [-1.0 if label == k else 0.0 for label in range(4)]
        assert table[["change_low", "change_high"]].to_numpy().tolist() == [[c, c] for c in table["change"]]
    shapley = shapley_exact(all_subsets(KeptUnits.of(model, [data], kind=kind)))
    np.testing.assert_allclose(shapley["value"], 1 / 4, rtol=1e-12)
    values = interactions(model.units, KeptUnits.of(model, [data], kind=kind))["value"].values
    np.testing.assert_allclose(values[~np.eye(4, dtype=bool)], 0, atol=1e-12)


def test_2_a_resampled_unit_speaks_for_another_sample() -> None:
    """It says its label where the donor has it, which then outweighs, or equals and comes before, the sample's own."""
    model, data = one_hot(), balanced(each=50)
    labels, partner = data.labels.numpy(), donors(200, 7)
    scores = score(model, data, Intervention(resample=("f2",)), seed=7)
    assert scores.correct.tolist() == ((labels == 1) == (labels[partner] == 1)).tolist()
    mean = score(model, data, Intervention(mean=("f2",)), seed=7)
    assert mean.correct.tolist() == (labels > 1).tolist(), "a quarter of its evidence is too little for label 1"


def test_3_a_copy_may_go_but_not_both() -> None:
    model, data = duplicated(), balanced(each=10)
    baseline = score(model, data)
    for copy in ("f1", "f2"):
        without = score(model, data, Intervention(drop=(copy,)))
        assert without.loss.tobytes() == baseline.loss.tobytes(), "the other copy takes over, to the last bit"
    muted = score(model, data, Intervention(mute=("f1",)))
    assert muted.accuracy == 0.25, "muting renormalises nothing: half of the evidence is not enough"
    result = importance(model, [data])
    single = result.single.set_index("unit")
    assert single.loc[["f1", "f2"], ["change", "low", "high", "loss_change"]].to_numpy().tolist() == [[0.0] * 4] * 2
    assert single["change"]["f3"] == -0.25
    pair = result.interactions.sel(unit="f1", other="f2")
    assert float(pair["value"]) == -0.75
    assert pair["high"] < 0
    assert float(result.interactions["value"].sel(unit="f1", other="f3")) == 0
    np.testing.assert_allclose(result.shapley["value"], [0.375, 0.375, 0.25], rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_4_a_dead_unit_has_exactly_no_effect(kind) -> None:
    model, data = with_dead(), labelled([0, 1, 2, 3, 3, 3, 1])
    baseline, without = score(model, data), score(model, data, Intervention().ablating(kind, ["f2"]))
    assert without.loss.tobytes() == baseline.loss.tobytes()
    assert without.correct.tobytes() == baseline.correct.tobytes()
    result = importance(model, [data], kind=kind)
    assert result.shapley.set_index("unit").loc["f2"].tolist() == [0.0, 0.0, 0.0]
    assert (result.single.set_index("unit").loc["f2"] == 0).all()
    assert (result.interactions["value"].sel(unit="f2").drop_sel(other="f2") == 0).all()
