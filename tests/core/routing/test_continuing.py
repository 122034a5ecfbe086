"""Continued texts: tokens are those of a literal loop, their paths those of the finished text's trace."""

import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.routing import Intervention, record
from routescope.routing.continuing import continued

TEXT = "12 + 30 = "


@pytest.fixture(scope="module")
def model() -> Network:
    return zoo.load("moe-bytes")


@pytest.mark.parametrize(
    "change", [Intervention(), Intervention(drop=("l2.e3", "l4.e8"), mute=("l1.e1",)), Intervention(top_k=1)]
)
def test_the_most_probable_tokens_take_the_paths_of_the_finished_text(model: Network, change: Intervention) -> None:
    result = list(continued(model, Text((TEXT,)), 6, change))
    view = change.apply(model)
    assert isinstance(view, RoutedNetwork)
    batch = Text((TEXT,))
    for item in result:  # literally: the most probable one, again and again
        best, *_ = view.next_tokens(batch, 3)
        assert item.token == best and item.candidates[0] == best and len(item.candidates) == 5
        batch = view.extended(batch, best.id)
    trace = record(model, batch, only=["top_experts", "top_weights", "margin"], intervention=change)
    first = 1 + len(TEXT)
    for at, item in enumerate(result, start=first):
        for step, decision in enumerate(item.path):
            experts = trace["top_experts"].values[0, step, at]
            weights = trace["top_weights"].values[0, step, at]
            reports = dict(zip(decision.experts, decision.weights, strict=True))
            literal = {f"{decision.step}.e{e + 1}": w for e, w in zip(experts, weights, strict=True) if e >= 0}
            assert reports.keys() == literal.keys()
            np.testing.assert_allclose([reports[unit] for unit in literal], list(literal.values()), atol=1e-5)
            assert decision.margin == pytest.approx(float(trace["margin"].values[0, step, at]), abs=1e-4)
            assert list(decision.weights) == sorted(decision.weights, reverse=True)


def test_what_is_drawn_comes_from_the_most_probable_and_again_with_the_same_seed(model: Network) -> None:
    text = Text((load("python", "validation").texts[0][:60],))
    left, same, other = (
        [(item.token.id, item.token in item.candidates) for item in continued(model, text, 12, among=5, seed=seed)]
        for seed in (3, 3, 4)
    )
    assert left == same and left != other
    assert all(within for _, within in left)


def test_what_cannot_be_continued_is_refused(model: Network) -> None:
    with pytest.raises(ValueError, match="continues no text"):
        next(continued(zoo.load("ni-digits"), Text(("a",)), 1))
    with pytest.raises(ValueError, match="one or more"):
        next(continued(model, Text(("a",)), 1, among=0))
    assert list(continued(model, Text(("a",)), 0)) == []
