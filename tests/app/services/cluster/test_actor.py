"""What an actor does with a task, without Ray: the scores of the core, as plain data, and what it lacks in words."""

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
import torch

from app.services.cluster.actor import Actor
from app.services.cluster.tasks import ActorFacts, SampleSet, ScoreTask, joined
from core import zoo
from core.data import load
from core.data.content import content_hash
from core.nn.measures import ACCURACY
from core.routing import Intervention
from core.routing.caused.scores import score_batches
from tests.app.serving import MODEL

FACTS = ActorFacts("cpu", "float32", torch.get_num_threads(), 2**26, 2**26, 2**26)
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
        samples=(SampleSet.of(shown, content_hash(shown)),),
        batches=batches,
        batch_size=16,
        threads=torch.get_num_threads(),
    )


@pytest.mark.parametrize(
    "intervention",
    [
        Intervention(),
        Intervention(drop=("f1",), iterations=2),
        Intervention(mean=("f2",)),
        Intervention(resample=("f3",), mute=("f1",)),
    ],
    ids=["whole", "drop", "mean", "resample"],
)
def test_scores_are_those_of_the_core_to_the_bit(actor: Actor, intervention: Intervention) -> None:
    """In one task or in several: what was prepared for the first of them serves the others."""
    expected = [
        piece
        for piece in score_batches(zoo.load(MODEL), load("mnist"), intervention, batch_size=16, batches=BATCHES)
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


def test_what_is_sent_is_json_and_what_comes_back_is_plain(actor: Actor) -> None:
    sent = task(Intervention(drop=("f1",)))
    assert ScoreTask.from_json(sent.to_json()) == sent
    found = actor.score(sent.to_json())
    assert list(found) == ["batches"]
    for pieces in found["batches"]:
        for scores in pieces:
            assert {type(each) for each in scores.values()} <= {np.ndarray, float, type(None)}
            assert all(each.dtype != object for each in scores.values() if isinstance(each, np.ndarray))


def test_a_model_is_loaded_once(actor: Actor) -> None:
    before = actor.about()["tasks"]
    for _ in range(3):
        actor.score(task(Intervention()).to_json())
    assert actor.about()["tasks"] == before + 3 and actor.about()["loads"] == {MODEL: 1}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": "nobody"}, "the model nobody"),
        ({"revision": "of yesterday"}, "revision of yesterday of the model tiny"),
        ({"samples": (SampleSet("nothing", "validation", "0"),)}, "the data set nothing"),
        ({"samples": (SampleSet("mnist", "validation", "0"),)}, "the samples of mnist.validation"),
    ],
    ids=["model", "revision", "set", "samples"],
)
def test_what_a_node_lacks_is_told(actor: Actor, changes: dict[str, Any], said: str) -> None:
    found = actor.score(replace(task(Intervention()), **changes).to_json())
    assert found["problem"] == "missing" and said in found["detail"]


def test_what_fails_is_told_in_words(actor: Actor) -> None:
    found = actor.score(task(Intervention(drop=("no such unit",))).to_json())
    assert found["problem"] == "failed" and "no such unit" in found["detail"]


def test_it_computes_with_the_threads_of_the_task(actor: Actor) -> None:
    before = torch.get_num_threads()
    try:
        actor.score(replace(task(Intervention()), threads=before + 1).to_json())
        assert torch.get_num_threads() == before + 1
    finally:
        torch.set_num_threads(before)
