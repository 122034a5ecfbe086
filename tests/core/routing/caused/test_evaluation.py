"""Accuracy, loss and their interval, against independent formulas and a plain loop."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from routescope.data import DatasetInfo
from routescope.data.pictures.sets import PictureSet
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import Intervention, InterventionError
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from tests.core.nn.networks import config, network
from tests.core.routing.hooks import hooks_on

counted = st.integers(1, 5000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


@given(counted, st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999]))
def test_the_wilson_interval_is_scipys(pair: tuple[int, int], level: float) -> None:
    correct, count = pair
    theirs = binomtest(correct, count).proportion_ci(level, method="wilson")
    assert wilson_interval(correct, count, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@given(counted)
def test_the_wilson_interval_solves_its_defining_equation(pair: tuple[int, int]) -> None:
    """Both ends p satisfy (share - p)^2 = z^2 p (1 - p) / n."""
    correct, count = pair
    low, high = wilson_interval(correct, count)
    assert 0 <= low <= correct / count <= high <= 1
    for p in (low, high):
        assert (correct / count - p) ** 2 == pytest.approx(1.959963984540054**2 * p * (1 - p) / count, abs=1e-12)


def test_of_nothing_nothing_is_known() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("correct", "count"), [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts_are_refused(correct: int, count: int) -> None:
    with pytest.raises(ValueError, match="from 0 to count"):
        wilson_interval(correct, count)


def dataset(model: NeuralInterpreter, count: int = 23, domain: str = "there") -> PictureSet:
    generator = torch.Generator().manual_seed(3)
    side = model.config.image_size
    return PictureSet(
        info=DatasetInfo(domain, "Noise", classes=tuple(map(str, range(model.config.classes))), stand_in_for="nothing"),
        split="validation",
        images=torch.randint(0, 256, (count, 3, side, side), generator=generator, dtype=torch.uint8),
        labels=torch.randint(0, model.config.classes, (count,), generator=generator),
        hashes=tuple(str(i) for i in range(count)),
    )


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return network(config(image_size=32, patch_size=16, classes=3), dtype=torch.float32)


@pytest.mark.slow
@pytest.mark.parametrize("batch_size", [1, 5, 23, 100])
@pytest.mark.parametrize(
    "change", [None, Intervention(drop=("s1.f1", "s2.f3")), Intervention(mute=("s1.f2",), iterations=5)]
)
def test_an_evaluation_is_the_plain_loop(
    model: NeuralInterpreter, change: Intervention | None, batch_size: int
) -> None:
    data = dataset(model)
    found = evaluate(model, data, change, batch_size=batch_size)
    change = change or Intervention()
    view, predicted, losses = change.apply(model), [], []
    for image, label in zip(data.images, data.labels, strict=True):
        with torch.no_grad():
            logits = view(image[None].float() / 255, change.iterations)[0, 1].double()
        predicted.append(int(logits.argmax()))
        losses.append(float(torch.logsumexp(logits, 0) - logits[label]))
    right = np.array(predicted) == data.labels.numpy()
    assert 0 < right.sum() < len(right), "the test needs right and wrong answers"
    assert found.count == 23
    assert found.predicted.tolist() == predicted
    assert found.correct.dtype == bool
    assert found.correct.tolist() == right.tolist()
    assert found.accuracy == pytest.approx(right.mean())
    assert found.mean_loss == pytest.approx(np.mean(losses), rel=1e-4)
    assert found.interval == wilson_interval(int(right.sum()), 23)
    assert found.seconds > 0
    assert found.samples_per_second == pytest.approx(23 / found.seconds)


def test_a_limit_scores_the_first_samples(model: NeuralInterpreter) -> None:
    data = dataset(model)
    whole, part = evaluate(model, data), evaluate(model, data, limit=9, batch_size=4)
    assert part.count == 9
    assert part.correct.tolist() == whole.correct[:9].tolist()
    assert evaluate(model, data, limit=1000).count == 23


def test_progress_is_told_and_may_cancel(model: NeuralInterpreter) -> None:
    data, told = dataset(model), []
    before = evaluate(model, data)
    evaluate(model, data, batch_size=10, progress=lambda done, total: told.append((done, total)))
    assert told == [(10, 23), (20, 23), (23, 23)]

    class Cancelled(BaseException):
        pass

    def cancel(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        evaluate(model, data, Intervention(drop=("s1.f1",)), batch_size=10, progress=cancel)
    after = evaluate(model, data)
    assert hooks_on(model) == []
    assert after.mean_loss == before.mean_loss
    assert after.predicted.tolist() == before.predicted.tolist()


@pytest.mark.parametrize(
    ("ask", "error", "match"),
    [
        (lambda m: evaluate(m, dataset(m, domain="elsewhere")), ValueError, "elsewhere.*here, there"),
        (lambda m: evaluate(m, dataset(m), Intervention(drop=("f1",))), InterventionError, "s1.f1"),
    ],
)
def test_what_cannot_be_scored_is_refused(model: NeuralInterpreter, ask: Any, error: type, match: str) -> None:
    with pytest.raises(error, match=match):
        ask(model)


def test_a_dead_unit_has_a_drop_effect_of_exactly_nothing() -> None:
    """On accuracy and loss as on every single answer."""
    from dataclasses import replace

    from tests.core.routing.test_known_answers import SMALL, with_dead_unit

    model = with_dead_unit(2, replace(SMALL, functions=5, tau=0.999, classes=3), torch.float32)
    data = dataset(model, count=40)
    whole, without = evaluate(model, data), evaluate(model, data, Intervention(drop=("f3",)))
    assert without.mean_loss == whole.mean_loss
    assert without.accuracy == whole.accuracy
    assert without.predicted.tolist() == whole.predicted.tolist()
