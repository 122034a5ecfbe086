"""Load of experts by a literal count, token by token; what shuffles of domains say; what no token takes."""

import math
from collections import Counter

import numpy as np
import pytest

from routescope import zoo
from routescope.data import load as read
from routescope.nn.inputs.text import Text
from routescope.routing import Intervention, record
from routescope.routing.observed import experts
from routescope.routing.observed.load import Load, LoadObserver, by_domain, dense

MODEL = zoo.load("moe-bytes")
SETS = [read(name, "validation").take(slice(3)) for name in ("sums", "python")]


@pytest.fixture(scope="module")
def observed_load() -> Load:
    observer = LoadObserver(MODEL, SETS, exemplars=2, shuffles=40)
    assert list(observer)[-1] == (6, 6)
    return observer.result()


def test_every_choice_is_counted_once_where_it_was_made(observed_load: Load) -> None:
    tokens = 0
    counted, weight, pairs = (
        Counter[tuple[int, int, str]](),
        Counter[tuple[int, int]](),
        Counter[tuple[int, int, int]](),
    )
    for dataset in SETS:
        for text in range(3):
            trace = record(MODEL, Text((dataset.texts[text],)), only=["top_experts", "top_weights"])
            experts, weights = (
                trace[name].isel(sample=0).transpose("step", "token", "slot").values
                for name in ("top_experts", "top_weights")
            )
            taken = np.nan_to_num(experts, nan=-1).astype(int)
            tokens += int((taken[0] >= 0).any(axis=-1).sum())
            for layer in range(4):
                for slots, shares in zip(taken[layer], weights[layer], strict=True):
                    share = [e for e in slots if e >= 0]
                    for slot, e in enumerate(share):
                        counted[layer, e, dataset.domain] += 1
                        weight[layer, e] += shares[slot] / sum(shares[: len(share)])
                        for f in share:
                            pairs[layer, e, f] += 1
    assert observed_load.tokens == tokens and observed_load.texts == 6
    for layer in range(4):
        for e in range(8):
            for d, domain in enumerate(observed_load.domains):
                assert observed_load.chosen[layer, e, d] == counted[layer, e, domain]
            assert observed_load.weight[layer, e] == pytest.approx(weight[layer, e], rel=1e-4, abs=1e-6)
            for f in range(8):
                assert observed_load.together[layer, e, f] == pairs[layer, e, f]
    np.testing.assert_allclose(observed_load.load.sum(axis=1), 1)
    np.testing.assert_allclose(observed_load.of_domain.sum(axis=1), 1)
    first, other = observed_load.together[0, 0, 0], observed_load.together[0, 1, 1]
    assert observed_load.lift[0, 0, 1] == pytest.approx(observed_load.together[0, 0, 1] * tokens / (first * other))
    assert (observed_load.effective <= 8 + 1e-9).all() and (observed_load.effective >= 1).all()


def test_shares_of_a_domain_lie_within_their_shuffles_where_the_domains_are_shuffled(observed_load: Load) -> None:
    assert (observed_load.low <= observed_load.high).all()
    assert (observed_load.null <= observed_load.null_high + 1e-12).all() and (
        (observed_load.specialised >= 0) & (observed_load.specialised <= 1)
    ).all()
    same = LoadObserver(MODEL, [SETS[0], SETS[0]], shuffles=5)
    list(same)
    alone = same.result()
    assert alone.domains == ("sums",) and all(math.isnan(item) for item in alone.specialised)
    np.testing.assert_allclose(alone.low, alone.of_domain)  # there is nothing to shuffle
    np.testing.assert_allclose(alone.high, alone.of_domain)


def test_an_exemplar_is_the_token_with_most_weight_of_its_text(observed_load: Load) -> None:
    for exemplar in observed_load.exemplars[:6]:
        dataset = SETS[exemplar.set]
        trace = record(MODEL, Text((dataset.texts[exemplar.sample],)), only=["compatibility"])
        layer, expert = (int(part[1:]) - 1 for part in exemplar.unit.split("."))
        share = trace["compatibility"].sel(unit=f"e{expert + 1}").isel(step=layer, sample=0).values
        assert exemplar.token > 0 and share[exemplar.token] == pytest.approx(np.nanmax(share[1:]), rel=1e-4)
        assert exemplar.weight == pytest.approx(share[exemplar.token], rel=1e-4)
    ranked = [item.weight for item in observed_load.exemplars if item.unit == "l1.e1"]
    assert ranked == sorted(ranked, reverse=True) and len(ranked) == 2


def test_a_dropped_expert_is_dead(observed_load: Load) -> None:
    observer = LoadObserver(MODEL, [SETS[0].take([0])], intervention=Intervention(drop=("l2.e3",)), shuffles=1)
    list(observer)
    assert "l2.e3" in observer.result().dead[1]
    assert all("l2.e3" not in layer for layer in observed_load.dead)


def test_parts_by_hand() -> None:
    experts = np.array([[[1.0, 0.0], [2.0, -1.0], [np.nan, np.nan]]])
    made = dense(experts, np.array([[[0.75, 0.25], [1.0, 0.0], [np.nan, np.nan]]]), 3)
    np.testing.assert_array_equal(made, [[[0.25, 0.75, 0], [0, 0, 1], [0, 0, 0]]])
    sums = by_domain(np.array([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]), np.array([1, 0, 1]), 2)
    np.testing.assert_array_equal(sums, [[[3.0, 6.0], [4.0, 8.0]]])


def test_what_cannot_be_observed_is_refused() -> None:
    with pytest.raises(ValueError, match="best of many experts"):
        LoadObserver(zoo.load("ni-digits"), SETS)
    with pytest.raises(ValueError, match="at least one data set"):
        LoadObserver(MODEL, [])


def test_of_very_many_experts_pairs_are_not_looked_at(observed_load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experts, "MOST_PAIRS", 4 * 8 * 8 - 1)
    observer = LoadObserver(MODEL, SETS, exemplars=2, shuffles=40)
    list(observer)
    few = observer.result()
    assert few.together is None and few.lift is None and few.by_token is not None and few.by_token.alike is None
    assert few.written is None and few.unwritten == "there are too many pairs of experts"
    np.testing.assert_array_equal(few.chosen, observed_load.chosen)
    np.testing.assert_array_equal(few.by_token.share, observed_load.by_token.share if observed_load.by_token else None)
