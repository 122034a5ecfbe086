"""The actor that computes for the service on a node: it loads models and data sets by name, and scores samples.

It does not import Ray. Answers, and descriptions of errors, are plain data, so that no object of this project is
pickled.
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

from routescope import zoo
from routescope.data import DataError, LabelledSamples, load
from routescope.data.content import content_hash
from routescope.nn import prepared
from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.ablation import Ablation
from routescope.routing.caused.scores import score_together
from routescope.routing.maps.points import at_initialisation, type_batches
from routescope.training.cluster import versions
from routescope.zoo import opened
from routescope.zoo.checkpoint import CheckpointError
from routescope_app.services.cluster.tasks import (
    ActorSettings,
    CollectPointsTask,
    SampleSet,
    ScoreTask,
    as_plain,
    points_as_plain,
)
from routescope_app.services.engine.inference import Device

#: Number of recent interventions whose view and means an actor keeps.
KEPT_ABLATIONS = 4


class MissingOnNode(Exception):
    """This node lacks something that a task names; the message is its name."""


class Actor:
    """Compute for the service, on one node.

    Args:
        settings_json: ``ActorSettings`` as JSON.
    """

    def __init__(self, settings_json: str) -> None:
        settings = ActorSettings(**json.loads(settings_json))
        self._device = Device.choose(settings.device, settings.precision)
        torch.set_num_threads(settings.threads)
        zoo.keep_at_most(settings.model_memory_bytes)
        folders = [folder.strip() for folder in os.environ.get(opened.VARIABLE, "").split(",") if folder.strip()]
        opened.use(folders, settings.opened_model_bytes, settings.opened_context, settings.opened_stride)
        prepared.keep_at_most(settings.prepared_weights_bytes)
        self._sets: dict[tuple[str, str], tuple[LabelledSamples, str]] = {}
        self._ablations: LRUCache[str, tuple[Network, Ablation]] = LRUCache(KEPT_ABLATIONS)
        self._models: dict[str, weakref.ref[Network]] = {}
        self._redrawn: tuple[weakref.ref[Network], int, Network] | None = None
        self._loads: dict[str, int] = {}
        self._tasks = 0

    def about(self) -> dict[str, Any]:
        """Return the versions, device and node of this actor, its loads by model and its number of tasks."""
        return {
            **versions(),
            "device": str(self._device),
            "node": platform.node(),
            "loads": dict(self._loads),
            "tasks": self._tasks,
        }

    def score(self, task: str) -> dict[str, Any]:
        """Score the samples of a ``ScoreTask``.

        Returns:
            ``batches``: for each batch the scores of each data set, from ``as_plain``. If it fails, ``problem``
            (``missing``, ``memory`` or ``failed``) and ``detail``.
        """
        return self._answer(lambda: self._score(ScoreTask.from_json(task)))

    def points(self, task: str) -> dict[str, Any]:
        """Collect the points of a ``CollectPointsTask``.

        Returns:
            ``points``, from ``points_as_plain``; or a problem, as ``score``.
        """
        return self._answer(lambda: self._collect(CollectPointsTask.from_json(task)))

    def _answer(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the result of ``work``, or a description of its error."""
        self._tasks += 1
        try:
            with self._device.computing():
                return work()
        except MissingOnNode as error:
            return {"problem": "missing", "detail": str(error)}
        except Exception as error:  # any error that escaped would be pickled by Ray
            # torch.OutOfMemoryError is a RuntimeError; the processor's allocator raises a plain one
            if isinstance(error, MemoryError | torch.OutOfMemoryError) or "can't allocate memory" in str(error):
                if self._device.torch.type == "cuda":
                    torch.cuda.empty_cache()
                return {"problem": "memory", "detail": str(error)}
            return {"problem": "failed", "detail": traceback.format_exc()}

    def _score(self, task: ScoreTask) -> dict[str, Any]:
        self._compute_with(task.threads)
        model = self._model(task.model, task.revision)
        datasets = [self._dataset(sample_set) for sample_set in task.samples]
        intervention = Intervention.from_json(task.intervention)
        scored = score_together(
            model,
            datasets,
            intervention,
            batch_size=task.batch_size,
            batches=task.batches,
            ablation=self._ablation(task, model, intervention, datasets[0]),
        )
        return {"batches": [[as_plain(scores) for scores in batch] for batch in scored if batch[0].count]}

    def _collect(self, task: CollectPointsTask) -> dict[str, Any]:
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
        """Return the model with its routing as at initialisation; the last one is kept for its next batches."""
        kept = self._redrawn
        if kept is None or kept[0]() is not model or kept[1] != seed:
            kept = self._redrawn = weakref.ref(model), seed, at_initialisation(model, seed)
        return kept[2]

    @staticmethod
    def _compute_with(threads: int) -> None:
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)

    def _model(self, model_id: str, revision: str) -> Network:
        """Return the model, loaded if it is not in memory; raises MissingOnNode."""
        try:
            model = zoo.load(model_id)
        except (CheckpointError, zoo.UnknownModel) as error:
            raise MissingOnNode(f"the model {model_id} ({error})") from error
        if model.revision != revision:
            raise MissingOnNode(f"revision {revision} of the model {model_id}, but {model.revision}")
        if model_id not in self._models or self._models[model_id]() is not model:
            self._loads[model_id] = self._loads.get(model_id, 0) + 1
            self._models[model_id] = weakref.ref(model)
        return model if self._device.torch.type == "cpu" else model.to(self._device.torch)

    def _dataset(self, sample_set: SampleSet) -> LabelledSamples:
        """Return the data set, loaded once; raises MissingOnNode if this node has other samples under its name."""
        key = sample_set.name, sample_set.split
        if key not in self._sets:
            try:
                dataset = load(sample_set.name, sample_set.split)
            except DataError as error:
                raise MissingOnNode(f"the data set {sample_set.name} ({error})") from error
            self._sets[key] = dataset, content_hash(dataset)
        dataset, content = self._sets[key]
        if content != sample_set.content:
            raise MissingOnNode(f"the samples of {sample_set.name}.{sample_set.split} that the service has")
        return dataset

    def _ablation(
        self, task: ScoreTask, model: Network, intervention: Intervention, reference: LabelledSamples
    ) -> Ablation:
        """Return the prepared intervention; recent ones are kept for their next batches."""
        key = json.dumps([task.revision, task.intervention, task.samples[0].content, task.batch_size, task.threads])
        kept = self._ablations.get(key)
        if kept is None or kept[0] is not model:
            kept = self._ablations[key] = model, Ablation(model, intervention, reference)
        return kept[1]
