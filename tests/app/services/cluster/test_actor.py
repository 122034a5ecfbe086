"""What an actor does with a task, without Ray: the scores of the core, as plain data, and what it lacks in words."""

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
import torch

from routescope import zoo
from routescope.data import load
from routescope.nn.measures import ACCURACY
from routescope.routing import Intervention
from routescope.routing.caused.scores import score_together
from routescope.routing.maps.points import TypePoints, at_initialisation, type_batches
from routescope.routing.running import whole_passes
from routescope_app.services.cluster.actor import Actor
from routescope_app.services.cluster.tasks import ActorSettings, CollectPointsTask, SampleSet, ScoreTask, joined
from tests.app.serving import MODEL

FACTS = ActorSettings("cpu", "float32", torch.get_num_threads(), 2**26, 2**26, 2**26)
BATCHES = ((5, 3, 8), (40, 2), (7, 11, 190, 1))


@pytest.fixture(scope="module")
def actor() -> Actor:
    return Actor(json.dumps(asdict(FACTS)))


def task(intervention: Intervention, batches: Any = BATCHES) -> ScoreTask:
    shown = load("mnist")
    return ScoreTask(
        model=MODEL,
        revision=zoo.load(MODEL).revision,
        intervention=intervention.to_json(),
        samples=(SampleSet.of(shown, shown.content_hash()),),
        batches=batches,
        batch_size=16,
        threads=torch.get_num_threads(),
    )


@pytest.mark.parametrize(
    "intervention",
    [
        Intervention(drop=("f1",), iterations=2),
        Intervention(mean=("f2",)),
        Intervention(resample=("f3",), mute=("f1",)),
    ],
    ids=["drop", "mean", "resample"],
)
def test_scores_are_those_of_the_core_to_the_bit(actor: Actor, intervention: Intervention) -> None:
    """In one task or in several: what was prepared for the first of them serves the others."""
    expected = [
        piece
        for (piece,) in score_together(zoo.load(MODEL), [load("mnist")], intervention, batch_size=16, batches=BATCHES)
        if piece.count
    ]
    whole = actor.score(task(intervention).to_json())["batches"]
    alone = [actor.score(task(intervention, (rows,)).to_json())["batches"][0] for rows in BATCHES]
    for found in (whole, alone):
        for pieces, wanted in zip(found, expected, strict=True):
            (scores,) = joined([pieces], [ACCURACY])
            for name in ("value", "loss", "predicted"):
                own, there = getattr(wanted, name), getattr(scores, name)
                assert own.dtype == there.dtype and own.tobytes() == there.tobytes(), name


@pytest.mark.needs_gpu
def test_on_a_gpu_losses_are_within_1e_4_of_the_processors(actor: Actor) -> None:
    on_gpu = Actor(json.dumps(asdict(replace(FACTS, device="cuda"))))
    sent = task(Intervention(drop=("f1",))).to_json()
    for here, there in zip(actor.score(sent)["batches"], on_gpu.score(sent)["batches"], strict=True):
        np.testing.assert_allclose(there[0]["loss"], here[0]["loss"], atol=1e-4)


@pytest.mark.parametrize("initial", [None, 3], ids=["trained", "initial"])
def test_points_are_those_of_the_core_to_the_bit(
    actor: Actor, initial: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batch by batch, each a task of its own."""
    model, shown, change = zoo.load(MODEL), load("mnist"), Intervention(drop=("f4",), mean=("f1",))
    monkeypatch.setattr(type(model), "rows_at_once", lambda _: 7)
    network = model if initial is None else at_initialisation(model, initial)
    expected = TypePoints.join(type_batches(network, [shown.take(slice(20))], intervention=change))
    found = []
    for rows in whole_passes(model, 20):
        task = CollectPointsTask(
            model=MODEL,
            revision=model.revision,
            initial=initial,
            intervention=change.to_json(),
            tokens="patches",
            samples=SampleSet.of(shown, shown.content_hash()),
            limit=20,
            start=rows.start,
            stop=rows.stop,
            threads=torch.get_num_threads(),
        )
        assert CollectPointsTask.from_json(task.to_json()) == task
        found.append(TypePoints(**actor.points(task.to_json())["points"]))
    joined_points = TypePoints.join(found)
    assert len(found) == 3 and len(expected) == len(joined_points) > 100
    for name, own in vars(expected).items():
        there = getattr(joined_points, name)
        assert own.tobytes() == there.tobytes() if isinstance(own, np.ndarray) else own == there, name


@pytest.mark.parametrize(
    ("changes", "problem", "said"),
    [
        ({"model": "nobody"}, "missing", "the model nobody"),
        ({"revision": "of yesterday"}, "missing", "revision of yesterday of the model tiny"),
        ({"samples": (SampleSet("nothing", "validation", "0"),)}, "missing", "the data set nothing"),
        ({"samples": (SampleSet("mnist", "validation", "0"),)}, "missing", "the samples of mnist.validation"),
        ({"intervention": Intervention(drop=("no such unit",)).to_json()}, "failed", "no such unit"),
    ],
    ids=["model", "revision", "set", "samples", "unit"],
)
def test_what_a_node_lacks_and_what_fails_is_told(
    actor: Actor, changes: dict[str, Any], problem: str, said: str
) -> None:
    found = actor.score(replace(task(Intervention()), **changes).to_json())
    assert found["problem"] == problem and said in found["detail"]


def test_a_task_is_json_with_its_threads_its_answer_is_plain_and_its_model_is_loaded_once(actor: Actor) -> None:
    before, done = torch.get_num_threads(), actor.about()["tasks"]
    sent = replace(task(Intervention(drop=("f1",))), threads=before + 1)
    assert ScoreTask.from_json(sent.to_json()) == sent
    try:
        found = actor.score(sent.to_json())
        assert torch.get_num_threads() == before + 1
    finally:
        torch.set_num_threads(before)
    actor.score(task(Intervention()).to_json())
    assert actor.about()["tasks"] == done + 2 and actor.about()["loads"] == {MODEL: 1}
    assert list(found) == ["batches"]
    for value in (value for pieces in found["batches"] for scores in pieces for value in scores.values()):
        assert value is None or isinstance(value, float | np.ndarray)
        assert not isinstance(value, np.ndarray) or not value.dtype.hasobject
