"""Samples with different numbers of tokens, and a head that is scored by no accuracy: padding counts nowhere."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from routescope.routing import Intervention, Scores, record, score
from routescope.routing.ablation import donors
from routescope.routing.caused.scores import evaluate
from routescope.routing.maps.points import type_points
from routescope.routing.observed.observer import observe
from routescope.routing.observed.usage import Usage
from tests.core.routing.hooks import hooks_on
from tests.core.routing.toy_ragged import LONGEST, STEPS, UNITS, Ragged, Sequences, SequenceSet, by_hand, sequences


@pytest.fixture(scope="module")
def model() -> Ragged:
    return Ragged()


@pytest.fixture(scope="module")
def data(model: Ragged) -> SequenceSet:
    return sequences(model)


def whole(data: SequenceSet) -> Sequences:
    """Every sample, with as many tokens as one can have."""
    return Sequences(data.values, data.lengths)


def test_a_trace_has_nothing_at_padding(model: Ragged, data: SequenceSet) -> None:
    few = data.take(torch.nonzero(data.lengths < LONGEST)[:4, 0])
    assert few.inputs(slice(None)).values.shape[1] < LONGEST, "the batch is shorter than a sample can be"
    fields = ("compatibility", "types", "contributions")
    trace = record(model, few.inputs(slice(None)), only=fields)
    mask = whole(few).mask.numpy()
    assert trace["compatibility"].sizes["token"] == LONGEST
    sums = trace["compatibility"].sum("unit").transpose("sample", "step", "token").values
    np.testing.assert_allclose(sums, np.repeat(mask[:, None], STEPS, axis=1), atol=1e-6)
    for name in fields[1:]:
        present = trace[name].notnull().transpose("sample", "token", ...).values.reshape(*mask.shape, -1)
        assert np.array_equal(present.all(axis=-1), mask) and np.array_equal(present.any(axis=-1), mask)
    assert hooks_on(model) == []


@pytest.mark.parametrize("kind", ["mean", "resample"])
def test_replacements_are_of_the_tokens_that_are_there(model: Ragged, data: SequenceSet, kind: str) -> None:
    """Means pool them; a donor gives nothing at its padding."""
    inputs, partner = whole(data), torch.from_numpy(donors(len(data), seed=0))
    _, contributions, _ = by_hand(model, inputs)
    given = {
        (step, 1): parts[1][inputs.mask].mean(dim=0) if kind == "mean" else (parts[1] * inputs.mask[..., None])[partner]
        for step, parts in enumerate(contributions)
    }
    wanted = by_hand(model, inputs, given)[2]
    for batch in (4, 100):
        scores = score(model, data, Intervention(**{kind: ("f2",)}), batch_size=batch)
        np.testing.assert_allclose(scores.loss, ((wanted[:, 0, 0] - data.numbers) ** 2).numpy(), rtol=1e-4, atol=1e-6)


def test_the_figure_is_that_of_the_measure(model: Ragged, data: SequenceSet) -> None:
    scores = score(model, data, batch_size=4, first_batch=3)
    answers = by_hand(model, whole(data))[2][:, 0, 0]
    errors, deviations = ((answers - data.numbers) ** 2).sum(), (data.numbers**2).sum()
    assert scores.figure == pytest.approx(float(1 - errors / deviations), rel=1e-4)
    assert scores.mean_loss == pytest.approx(float(errors / len(data)), rel=1e-4)
    assert scores.measure.name == "R2" and set(scores.predicted.tolist()) == {-1}
    low, high = scores.interval
    assert low < scores.figure < high
    half = scores.take(slice(10))
    assert half.count == len(half.weights) == 10 and half.measure is scores.measure
    assert Scores.join([half, scores.take(slice(10, None))]).figure == scores.figure
    for ask in ("correct", "accuracy"):
        with pytest.raises(ValueError, match="right or wrong by R2"):
            getattr(scores, ask)
    with pytest.raises(ValueError, match="one measure"):
        Scores.join([scores, replace(scores, measure=type(scores.measure)(name="R2 of others"))])
    result = evaluate(model, data)
    assert (result.figure, result.mean_loss, *result.interval, result.count) == pytest.approx(
        (scores.figure, scores.mean_loss, *scores.interval, len(data)), rel=1e-4
    )


def test_padding_is_not_observed(model: Ragged, data: SequenceSet) -> None:
    observation = observe(model, [data], shuffles=3)
    inputs = whole(data)
    every_C, every_o, _ = by_hand(model, inputs)
    usage = Usage(model, [data])
    assert list(usage)[-1] == len(data)
    for step, C in enumerate(every_C):
        p = C[:, inputs.mask].double().numpy()  # (unit, token that is there)
        for shares in (observation["usage"][step], usage.shares[step]):
            np.testing.assert_allclose(shares, p.mean(axis=1), rtol=1e-5)
        np.testing.assert_allclose(observation["entropy"][step], -(p * np.log(p)).sum(axis=0).mean(), rtol=1e-5)
        outputs = every_o[step][:, inputs.mask].double().numpy()
        units = outputs / np.linalg.norm(outputs, axis=-1, keepdims=True)
        wanted = np.einsum("inf,jnf->ij", units, units) / outputs.shape[1]
        np.testing.assert_allclose(observation["cosine_by_step"][step], wanted, atol=1e-5)
    assert (observation["unmatched"] == 0).all() and (observation["cka_rows"] == int(data.lengths.sum())).all()
    assert (observation["coactivation"] == 1).all(), "every unit takes a part of every token that is there"
    for name in ("specialisation", "mutual_information", "specialisation_null"):
        assert observation[name].isnull().all(), "sequences have no labels"
    assert observation["specialisation_position"].notnull().all()


def test_padding_is_no_point(model: Ragged, data: SequenceSet) -> None:
    points = type_points(model, [data], len(data), tokens="all")
    assert len(points) == STEPS * int(data.lengths.sum())
    assert np.array_equal(np.bincount(points.sample), STEPS * data.lengths.numpy())
    assert (points.token < data.lengths.numpy()[points.sample]).all()
    np.testing.assert_allclose(np.linalg.norm(points.types, axis=1), 1, rtol=1e-5)
    assert set(points.unit.tolist()) <= set(range(UNITS))
    assert set(points.label.tolist()) == set(points.correct.tolist()) == {-1}
