"""Load of experts of a routing log: token by token, beside what is observed of the model that wrote it."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from routescope import zoo
from routescope.data import load as read
from routescope.routing.compare import record_log
from routescope.routing.logs import RoutingLog, Source
from routescope.routing.observed.load import LoadObserver
from routescope.routing.observed.load_tables import table
from routescope.routing.observed.log_load import observed
from routescope.routing.observed.token_kinds import MOST_EXPERTS

TOKENS, LAYERS, SLOTS, EXPERTS = 60, 3, 2, 5
SEQUENCE = np.repeat(np.arange(4, dtype=np.int32), 15)


@pytest.fixture(scope="module")
def log() -> RoutingLog:
    rng = np.random.default_rng(7)
    experts = np.array([[rng.permutation(EXPERTS - 1)[:SLOTS] for _ in range(LAYERS)] for _ in range(TOKENS)])
    weights = rng.uniform(0.1, 1, experts.shape)
    experts[3, 1] = -1  # nothing was logged of one token at one layer
    weights[3, 1] = 0
    return RoutingLog(
        source=Source("a test", "1", "log.json"),
        layers=("l1", "l2", "l4"),
        indices=(0, 1, 3),
        num_experts=EXPERTS,
        experts=experts.astype(np.int16),
        sequence=SEQUENCE,
        sequences=("a", "b", "c", "d"),
        weights=weights.astype(np.float16),
        token_texts=tuple(f"t{token}" for token in range(TOKENS)),
    )


def test_every_choice_of_a_token_that_is_logged_everywhere_counts_once(log: RoutingLog) -> None:
    observation = observed(log)
    assert log.weights is not None
    logged = np.arange(TOKENS) != 3
    weights = log.weights[logged].astype(float)
    shares = np.zeros((TOKENS - 1, LAYERS, EXPERTS))
    np.put_along_axis(shares, log.experts[logged].astype(int), weights / weights.sum(axis=2, keepdims=True), axis=2)
    taken = (shares > 0).astype(int)
    assert (observation.load.tokens, observation.load.texts) == (TOKENS - 1, 4)
    assert "1 tokens have no expert at some layer" in " ".join(observation.notes)
    logarithms = np.log(shares, where=shares > 0, out=np.zeros_like(shares))
    np.testing.assert_allclose(
        observation.load.token_entropy, -(shares * logarithms).sum(axis=2).mean(axis=0), rtol=1e-5
    )
    np.testing.assert_array_equal(observation.load.chosen[:, :, 0], taken.sum(axis=0))
    np.testing.assert_allclose(observation.load.weight, shares.sum(axis=0), rtol=1e-5)
    np.testing.assert_array_equal(observation.load.together, np.einsum("tle,tlf->lef", taken, taken))
    assert observation.load.dead == (("l1.e5",), ("l2.e5",), ("l4.e5",))


def test_exemplars_are_the_tokens_of_most_weight_one_a_sequence(log: RoutingLog) -> None:
    observation = [item for item in observed(log).load.exemplars if item.unit == "l4.e2"]
    best = []
    for sequence in range(4):
        part = []
        for token in range(15 * sequence + 1, 15 * sequence + 15):  # not the first, which nothing precedes
            for slot in range(SLOTS):
                if token != 3 and log.experts[token, 2, slot] == 1:
                    assert log.weights is not None
                    share = float(log.weights[token, 2, slot]) / float(log.weights[token, 2].astype(float).sum())
                    part.append((share, token - 15 * sequence))
        if part:
            best.append((*max(part), sequence))
    best.sort(reverse=True)
    assert [(entry.sample, entry.token) for entry in observation] == [(sequence, token) for _, token, sequence in best]
    assert [element.weight for element in observation] == pytest.approx([share for share, _, _ in best], rel=1e-5)


def test_pairs_are_left_out_where_they_are_not_wanted(log: RoutingLog) -> None:
    few, whole = observed(log, pairs=False).load, observed(log).load
    assert few.by_token is not None and whole.by_token is not None
    assert few.together is None and few.lift is None and few.by_token.alike is None
    assert whole.together is not None and whole.by_token.alike is not None
    assert np.isfinite(whole.together).all() and np.isfinite(whole.by_token.alike[:, :4, :4]).all()
    np.testing.assert_array_equal(few.chosen, whole.chosen)
    np.testing.assert_array_equal(few.by_token.share, whole.by_token.share)


def test_of_very_many_experts_neither_pairs_nor_kinds_are_looked_at(log: RoutingLog) -> None:
    many = observed(replace(log, num_experts=MOST_EXPERTS // LAYERS + 1))
    assert many.load.together is None and many.load.by_token is None
    assert many.notes[-1] == "There are too many experts to count the kinds of tokens of each."
    np.testing.assert_array_equal(many.load.chosen[:, :4], observed(log).load.chosen[:, :4])
    assert [len(table(many.load, name)) for name in ("together", "alike", "tokens")] == [0, 0, 0]


def test_what_a_log_does_not_say_is_not_made_up(log: RoutingLog) -> None:
    observation = observed(replace(log, weights=None)).load
    assert (
        np.isnan(observation.weight).all() and np.isnan(observation.token_entropy).all() and not observation.exemplars
    )
    assert observation.chosen.sum() == (TOKENS - 1) * LAYERS * SLOTS
    silent = observed(replace(log, token_texts=None)).load
    assert not silent.exemplars and silent.by_token is None
    numbered = observed(replace(log, token_texts=None, token_ids=np.arange(TOKENS) % 7)).load
    assert numbered.by_token is not None and set(numbered.by_token.kinds) == set("0123456")


def test_of_a_long_log_whole_sequences_are_drawn(log: RoutingLog) -> None:
    few = observed(log, most_counted=20 * LAYERS * SLOTS**2)
    assert few.load.tokens == 20 and "20 tokens of 59" in few.notes[-1]
    counts = Counter(log.sequence[few.rows].tolist())
    assert len(counts) == 2, "one whole and the beginning of another"
    for sequence, count in counts.items():
        whole = [token for token in range(TOKENS) if SEQUENCE[token] == sequence and token != 3]
        assert [row for row in few.rows.tolist() if SEQUENCE[row] == sequence] == whole[:count]


def test_shares_are_of_weights_or_alike(log: RoutingLog) -> None:
    shares = log.shares(slice(0, 5))
    np.testing.assert_allclose(shares[3, 1], 0)
    np.testing.assert_allclose(np.delete(shares.sum(axis=2).reshape(-1), 3 * LAYERS + 1), 1, rtol=1e-6)
    np.testing.assert_array_equal(replace(log, weights=None).shares(slice(0, 1)), np.full((1, LAYERS, SLOTS), 0.5))
    assert list(log.rows_of(2)) == list(range(30, 45))


def test_a_log_says_of_its_model_what_is_observed_of_it() -> None:
    model, sets = zoo.load("moe-bytes"), [read("sums", "validation").take(slice(4))]
    observer = LoadObserver(model, sets, shuffles=2)
    assert list(observer)[-1] == (4, 4)
    expected, observation = observer.result(), observed(record_log(model, sets).log).load
    np.testing.assert_array_equal(observation.chosen, expected.chosen)
    np.testing.assert_array_equal(observation.together, expected.together)
    np.testing.assert_allclose(
        observation.weight, expected.weight, rtol=2e-3, atol=1e-2
    )  # weights of logs have 16 bits
    np.testing.assert_allclose(observation.token_entropy, expected.token_entropy, rtol=1e-3)
    assert observation.dead == expected.dead
    assert observation.by_token is not None and expected.by_token is not None
    assert observation.by_token.kinds == expected.by_token.kinds
    np.testing.assert_array_equal(observation.by_token.share, expected.by_token.share)
    np.testing.assert_allclose(observation.by_token.specialised, expected.by_token.specialised)
    np.testing.assert_array_equal(observation.by_token.alike, expected.by_token.alike)
    places = [
        [(exemplar.unit, exemplar.sample, exemplar.token) for exemplar in of.exemplars]
        for of in (observation, expected)
    ]
    assert len(places[0]) == len(places[1])
    assert len(set(places[0]) & set(places[1])) > 0.9 * len(places[0])
