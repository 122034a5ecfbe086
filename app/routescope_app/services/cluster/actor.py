"""What runs in an actor: models by name and revision, data sets by name and content, scores of some samples.

It knows nothing of Ray, and nothing of the service but the words of its tasks. What it answers is plain data; what goes
wrong is told in it too, so that no object of the house is ever pickled.
"""

import json
import os
import platform
import traceback
import weakref
from collections.abc import Callable
from typing import Any

import torch
from cachetools import LRUCache

from routescope import __version__, zoo
from routescope.data import DataError, Samples, load
from routescope.nn import prepared
from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.ablation import Ablation
from routescope.routing.caused.scores import score_together
from routescope.routing.maps.points import at_initialisation, type_batches
from routescope.zoo import opened
from routescope.zoo.checkpoint import CheckpointError
from routescope_app.services.cluster.tasks import (
    ActorFacts,
    CollectPointsTask,
    SampleSet,
    ScoreTask,
    as_plain,
    points_as_plain,
)
from routescope_app.services.engine.inference import Device

#: Interventions whose view and means an actor keeps, the last used last.
KEPT = 4


class Missing(Exception):
    """Something that a task names is not on this node; the message says what."""


class Actor:
    """Computes for a service; see the module's text.

    Args:
        facts: ``ActorFacts`` as JSON.
    """

    def __init__(self, facts: str) -> None:
        told = ActorFacts(**json.loads(facts))
        self._device = Device.choose(told.device, told.precision)
        torch.set_num_threads(told.threads)
        zoo.keep_at_most(told.model_memory_bytes)
        places = os.environ.get(opened.VARIABLE, "").split(",")
        folders = [place.strip() for place in places if place.strip()]
        opened.use(folders, told.opened_model_bytes, told.opened_context, told.opened_stride)
        prepared.keep_at_most(told.prepared_weights_bytes)
        self._sets: dict[tuple[str, str], tuple[Samples, str]] = {}
        self._ablations: LRUCache[str, tuple[Network, Ablation]] = LRUCache(KEPT)
        self._models: dict[str, weakref.ref[Network]] = {}
        self._redrawn: tuple[weakref.ref[Network], int, Network] | None = None
        self._loads: dict[str, int] = {}
        self._tasks = 0

    def about(self) -> dict[str, Any]:
        """What the service checks before it sends anything, and what was done: loads by model, tasks."""
        return {
            "version": __version__,
            "torch": torch.__version__,
            "device": str(self._device),
            "node": platform.node(),
            "loads": dict(self._loads),
            "tasks": self._tasks,
        }

    def score(self, task: str) -> dict[str, Any]:
        """Score the samples of a ``ScoreTask``.

        Returns:
            ``batches``: for each batch the scores of each data set as ``as_plain`` gives them. Or ``problem``, which is
            ``missing``, ``memory`` or ``failed``, and ``detail``.
        """
        return self._told(lambda: self._scored(ScoreTask.from_json(task)))

    def points(self, task: str) -> dict[str, Any]:
        """Collect the points of a ``CollectPointsTask``.

        Returns:
            ``points`` as ``points_as_plain`` gives them; or a problem, as ``score``.
        """
        return self._told(lambda: self._collected(CollectPointsTask.from_json(task)))

    def _told(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What work gives, or what went wrong, in words."""
        self._tasks += 1
        try:
            with self._device.computing():
                return work()
        except Missing as error:
            return {"problem": "missing", "detail": str(error)}
        except Exception as error:  # every one, or Ray would pickle it
            # torch.OutOfMemoryError is a RuntimeError; the processor's allocator raises a plain one
            if isinstance(error, MemoryError | torch.OutOfMemoryError) or "can't allocate memory" in str(error):
                if self._device.torch.type == "cuda":
                    torch.cuda.empty_cache()
                return {"problem": "memory", "detail": str(error)}
            return {"problem": "failed", "detail": traceback.format_exc()}

    def _scored(self, task: ScoreTask) -> dict[str, Any]:
        self._compute_with(task.threads)
        model = self._model(task.model, task.revision)
        datasets = [self._dataset(each) for each in task.samples]
        intervention = Intervention.from_json(task.intervention)
        scored = score_together(
            model,
            datasets,
            intervention,
            batch_size=task.batch_size,
            batches=task.batches,
            ablation=self._ablation(task, model, intervention, datasets[0]),
        )
        return {"batches": [[as_plain(each) for each in pieces] for pieces in scored if pieces[0].count]}

    def _collected(self, task: CollectPointsTask) -> dict[str, Any]:
        self._compute_with(task.threads)
        model = self._model(task.model, task.revision)
        if task.initial is not None:
            model = self._redrawn_of(model, task.initial)
        (points,) = type_batches(
            model,
            [self._dataset(task.samples).take(slice(task.limit))],
            tokens=task.tokens,
            intervention=Intervention.from_json(task.intervention),
            grid=[range(task.start, task.stop)],
        )
        return {"points": points_as_plain(points)}

    def _redrawn_of(self, model: Network, seed: int) -> Network:
        """The model with routing as at initialisation; the last one is kept, for its further batches."""
        known = self._redrawn
        if known is None or known[0]() is not model or known[1] != seed:
            known = weakref.ref(model), seed, at_initialisation(model, seed)
            self._redrawn = known
        return known[2]

    @staticmethod
    def _compute_with(threads: int) -> None:
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)

    def _model(self, model_id: str, revision: str) -> Network:
        """The model, loaded where that was not done before; raises Missing."""
        try:
            model = zoo.load(model_id)
        except (CheckpointError, zoo.UnknownModel) as error:
            raise Missing(f"the model {model_id} ({error})") from error
        if model.revision != revision:
            raise Missing(f"revision {revision} of the model {model_id}, but {model.revision}")
        if model_id not in self._models or self._models[model_id]() is not model:
            self._loads[model_id] = self._loads.get(model_id, 0) + 1
            self._models[model_id] = weakref.ref(model)
        return model if self._device.torch.type == "cpu" else model.to(self._device.torch)

    def _dataset(self, wanted: SampleSet) -> Samples:
        """The data set, made where that was not done before; raises Missing where it has other samples."""
        key = wanted.name, wanted.split
        if key not in self._sets:
            try:
                dataset = load(wanted.name, wanted.split)
            except DataError as error:
                raise Missing(f"the data set {wanted.name} ({error})") from error
            self._sets[key] = dataset, dataset.content_hash()
        dataset, content = self._sets[key]
        if content != wanted.content:
            raise Missing(f"the samples of {wanted.name}.{wanted.split} that the service has, but others")
        return dataset

    def _ablation(self, task: ScoreTask, model: Network, intervention: Intervention, reference: Samples) -> Ablation:
        """The intervention's view with what was found for it, which further batches need not find again."""
        key = json.dumps([task.revision, task.intervention, task.samples[0].content, task.batch_size, task.threads])
        kept = self._ablations.get(key)
        if kept is None or kept[0] is not model:
            kept = self._ablations[key] = model, Ablation(model, intervention, reference)
        return kept[1]
