"""Mean and resample ablation against a network whose sum over units is rewritten by hand; no hook is left behind."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from routescope.data.pictures.sets import PictureSet
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.interpreter.script import Script
from routescope.nn.probe import listening
from routescope.routing import IncompleteTrace, Intervention, InterventionError, Scores, record, score, score_together
from routescope.routing.ablation import donors
from tests.core.nn.networks import config, network
from tests.core.routing.small import noise


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return network(config(image_size=32, patch_size=16, classes=3), dtype=torch.float32)


@pytest.fixture(scope="module")
def data(model: NeuralInterpreter) -> PictureSet:
    return noise(model, 23)


def pixels(data: PictureSet) -> Tensor:
    return data.images.float() / 255


def heard(model: NeuralInterpreter, data: PictureSet, change: Intervention) -> list[Tensor]:
    """Contributions (unit, sample, token, feature) of every step of a plain run."""
    view = change.apply(model)
    with torch.no_grad(), listening(view, ("contributions",)) as captured:
        view(pixels(data), change.iterations)
    return [tensor for _, tensor in captured["contributions"]]


@contextmanager
def rewritten(replace: dict[tuple[int, int], Tensor]) -> Iterator[None]:
    """Put other contributions in place of some (step, place) for as long as this lasts."""
    original, step = Script._contributions, iter(range(100))

    def _contributions(self: Script, *arguments: object) -> Tensor:
        o, now = original(self, *arguments), next(step)
        return torch.stack([replace.get((now, u), o[u]) for u in range(len(o))])

    with mock.patch.object(Script, "_contributions", _contributions):
        yield


@pytest.mark.parametrize("kind", ["mean", "resample"])
@pytest.mark.parametrize("base", [Intervention(), Intervention(mute=("s1.f4",), iterations=4)])
def test_contributions_are_replaced_as_by_hand(
    model: NeuralInterpreter, data: PictureSet, kind: str, base: Intervention
) -> None:
    """One unit of each script; with a muted one beside them, which moves places along the unit axis."""
    chosen = ("s1.f2", "s2.f3")
    change = Intervention(**{kind: chosen}, mute=base.mute, iterations=base.iterations)
    plain, iterations = heard(model, data, base), base.iterations or model.config.iterations
    replace = {}
    for step, o in enumerate(plain):
        position = 1 if step < iterations else 2  # f2 of the first script, f3 of the second
        share = o[position]
        by_hand = torch.stack([share.double().mean(dim=0).float()] * len(share))
        replace[step, position] = by_hand if kind == "mean" else share[torch.from_numpy(donors(len(data), 5))]
    with rewritten(replace), torch.no_grad():
        wanted = base.apply(model)(pixels(data), base.iterations)[:, 1]
    scores = score(model, data, change, seed=5, first_batch=4, batch_size=9)
    assert scores.predicted.tolist() == wanted.argmax(-1).tolist()
    losses = torch.nn.functional.cross_entropy(wanted, data.labels, reduction="none").numpy()
    np.testing.assert_allclose(scores.loss, losses, rtol=2e-4, atol=1e-5)
    assert not np.allclose(scores.loss, score(model, data, base).loss, rtol=1e-2), "the replacement matters here"


@pytest.mark.parametrize("kind", ["mean", "resample"])
def test_a_recording_shows_what_was_replaced(model: NeuralInterpreter, data: PictureSet, kind: str) -> None:
    change = Intervention(**{kind: ("s1.f2",)})
    with mock.patch.object(NeuralInterpreter, "chunk_tokens", 5 * len(model.tokens)):
        plain = record(model, pixels(data), only=("contributions",))["contributions"]
        trace = record(model, pixels(data), only=("contributions",), intervention=change, reference=data, seed=5)
    steps = list(model.steps[:3])  # of the first script
    result = trace["contributions"].sel(unit="f2", step=steps).values
    share = plain.sel(unit="f2", step=steps).values
    if kind == "mean":
        np.testing.assert_allclose(result, np.broadcast_to(share.mean(axis=0), result.shape), rtol=1e-5, atol=1e-6)
    else:
        np.testing.assert_allclose(result, share[donors(len(data), 5)], rtol=1e-5, atol=1e-6)
    assert trace.intervention == change
    assert trace["contributions"].isel(step=-1, token=slice(2, None)).isnull().all()
    whole = score(model, data, change, seed=5)
    assert trace["logits"].values[:, 1].argmax(-1).tolist() == whole.predicted.tolist()


def test_a_recording_needs_reference_samples(model: NeuralInterpreter, data: PictureSet) -> None:
    for kind in ("mean", "resample"):
        change = Intervention(**{kind: ("s1.f1",)})
        for reference in (None, data.take([])):
            with pytest.raises(InterventionError, match="reference"):
                record(model, pixels(data), intervention=change, reference=reference)
        with pytest.raises(InterventionError, match="states"):
            record(model, pixels(data), only=("states",), intervention=change, reference=data)
        with pytest.raises(InterventionError, match=r"s1\.f1, s1\.f2"):
            score_together(model, [data], Intervention(**{kind: ("f9",)}))


@given(st.integers(2, 300), st.integers(0, 5))
def test_everyone_gives_once_and_never_to_itself(count: int, seed: int) -> None:
    partner = donors(count, seed)
    assert sorted(partner) == list(range(count))
    assert (partner != np.arange(count)).all()
    assert (partner == donors(count, seed)).all()


def test_replacements_do_not_depend_on_the_limit(model: NeuralInterpreter, data: PictureSet) -> None:
    for change in (Intervention(mean=("s1.f2",)), Intervention(resample=("s1.f2",))):
        whole = score(model, data, change, first_batch=5, batch_size=5)
        part = score(model, data, change, limit=10, first_batch=5, batch_size=5)
        assert part.loss.tolist() == whole.loss[:10].tolist()


@pytest.mark.parametrize("kind", [None, "mean", "resample"])
def test_a_step_that_does_not_report_is_an_error(model: NeuralInterpreter, data: PictureSet, kind: str | None) -> None:
    """Never a unit that is silently left as it is at some step, nor a trace without it."""
    step = Script.step

    def deaf_once(self: Script, x: Tensor, prepared: object, probes: object, index: int, *rest: object) -> Tensor:
        return step(self, x, prepared, type(probes)() if index == 4 else probes, index, *rest)

    with mock.patch.object(Script, "step", deaf_once), pytest.raises(IncompleteTrace, match=r"s2\.i2"):
        if kind is None:
            record(model, pixels(data))
        else:
            score(model, data, Intervention(**{kind: ("s1.f1",)}))


def test_reduced_precision_is_replaced_too(model: NeuralInterpreter, data: PictureSet) -> None:
    whole = score(model, data)
    for kind in ("mean", "resample"):
        exact = score(model, data, Intervention(**{kind: ("s1.f2",)}))
        with torch.autocast("cpu", torch.bfloat16):
            reduced = score(model, data, Intervention(**{kind: ("s1.f2",)}))
        assert np.abs(reduced.loss - exact.loss).mean() < 0.5 * np.abs(exact.loss - whole.loss).mean()


def test_preparing_scores_nothing_and_takes_time(model: NeuralInterpreter, data: PictureSet) -> None:
    batches = score_together(model, [data], Intervention(mean=("s1.f1",)), first_batch=4, batch_size=10)
    parts = [part for (part,) in batches]
    assert [part.count for part in parts] == [0, 0, 0, 4, 10, 9]
    assert all(part.seconds > 0 for part in parts)
    assert Scores.join(parts).seconds == sum(part.seconds for part in parts)
