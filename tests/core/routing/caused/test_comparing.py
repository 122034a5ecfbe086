"""B minus A on the same samples: literal slow versions, and what has to hold whichever of the two is A."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.measures import ACCURACY
from routescope.routing import Scores
from routescope.routing.caused.comparing import difference, differences_by, outcomes
from routescope.routing.caused.effects import drop_effect

quick = settings(max_examples=30, deadline=None)


def scores(right: list[bool], loss: list[float]) -> Scores:
    count = len(right)
    return Scores(np.array(right), np.array(loss, np.float32), np.zeros(count, np.int16), 1.0, None, ACCURACY)


@st.composite
def both(draw: st.DrawFn) -> tuple[Scores, Scores]:
    count = draw(st.integers(1, 40))

    def one() -> Scores:
        losses = st.lists(st.floats(0, 9, width=32), min_size=count, max_size=count)
        return scores(draw(st.lists(st.booleans(), min_size=count, max_size=count)), draw(losses))

    return one(), one()


@quick
@given(both())
def test_the_figures_are_means_of_paired_differences(pair: tuple[Scores, Scores]) -> None:
    a, b = pair
    effect, count = difference(a, b), len(a)
    right = [int(bool(after)) - int(bool(before)) for before, after in zip(a.value, b.value, strict=True)]
    loss = [float(after) - float(before) for before, after in zip(a.loss, b.loss, strict=True)]
    assert effect.figure.value == pytest.approx(sum(right) / count) and effect.figure.count == count
    assert effect.loss.value == pytest.approx(sum(loss) / count, abs=1e-6)
    assert effect == drop_effect(a, b)  # with the very interval of a change from A to B


@quick
@given(both(), st.booleans())
def test_exchanged_the_signs_change_and_intervals_are_mirrored(pair: tuple[Scores, Scores], turned: bool) -> None:
    """To the last bit: the bootstrap draws for one order, whichever of the two is A."""
    a, b = pair
    one, other = difference(a, b, turned=turned), difference(b, a, turned=not turned)
    for name in ("figure", "loss"):
        first, second = getattr(one, name), getattr(other, name)
        assert (first.value, first.low, first.high) == (-second.value, -second.high, -second.low)


@quick
@given(both())
def test_the_same_has_no_difference(pair: tuple[Scores, Scores]) -> None:
    a, _ = pair
    for turned in (False, True):
        effect = difference(a, a, turned=turned)
        for change in (effect.figure, effect.loss):
            assert (change.value, change.low, change.high) == (0, 0, 0)
            assert not any(np.signbit([change.value, change.low, change.high]))  # nothing says "-0"
    counts = outcomes(a, a)
    assert counts["only_a"] == counts["only_b"] == 0 and counts["both"] + counts["neither"] == len(a)


@quick
@given(both())
def test_outcomes_count_every_sample_once(pair: tuple[Scores, Scores]) -> None:
    a, b = pair
    counts = {"both": 0, "only_a": 0, "only_b": 0, "neither": 0}
    for first, second in zip(a.value, b.value, strict=True):
        name = "both" if first and second else "only_a" if first else "only_b" if second else "neither"
        counts[name] += 1
    assert outcomes(a, b) == counts
    assert (counts["only_b"] - counts["only_a"]) / len(a) == pytest.approx(difference(a, b).figure.value)


@pytest.mark.parametrize("turned", [False, True])
def test_groups_are_compared_alone(turned: bool) -> None:
    a = scores([True, False, True, True, False], [0.1, 2, 0.2, 0.1, 3])
    b = scores([True, True, False, False, False], [0.1, 0.3, 2, 1, 3])
    groups = np.array([0, 0, 2, 2, 2])
    table = differences_by(groups, a, b, ["x", "none", "y"], turned=turned)
    assert table[["group", "count", "baseline", "accuracy", "change"]].to_dict("records") == [
        {"group": "x", "count": 2, "baseline": 0.5, "accuracy": 1.0, "change": 0.5},
        {"group": "y", "count": 3, "baseline": 2 / 3, "accuracy": 0.0, "change": pytest.approx(-2 / 3)},
    ]
    alone = [difference(a.take(own), b.take(own), turned=turned).figure for own in (groups == 0, groups == 2)]
    assert table["change_low"].tolist() == [each.low for each in alone]
    assert table["change_high"].tolist() == [each.high for each in alone]
    assert table["low"].tolist() == [b.take(groups == at).interval[0] for at in (0, 2)]


@pytest.mark.parametrize("of", [difference, outcomes])
def test_other_samples_are_refused(of: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="same samples"):
        of(scores([True], [0.0]), scores([True, False], [0.0, 1.0]))
