"""Block tasks, and the models of each."""

import contextlib
from typing import Any

from routescope.data.blocks.permuted import PERMUTATIONS
from routescope.data.blocks.rules import BlockTask, DigitTask
from routescope.data.blocks.tasks import TASKS
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.blocks.inputs import task_of
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import NotAccepted
from routescope_app.services.reading import reads_blocks

#: Largest number of iterations of a run, which may exceed those of training.
MAX_ITERATIONS = 20
#: Number of other models of the same task that a run is compared with.
MAX_OTHERS = 4

#: Example picture.
FIRST_PICTURE = "mnist.validation.0"
#: Example digits; a task takes as many as it has values.
FIRST_DIGITS = (3, 1, 4, 1, 5, 9, 2, 6)


class BlockTasks:
    """Lists block tasks."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def tasks(self) -> dict[str, Any]:
        """Return the fields of ``BlockTasks``; blocking."""
        models = self._models()
        return {"items": [self._described(task, models) for task in TASKS.values()]}

    def others(self, task: str, model_id: str) -> list[ModelInfo]:
        """Return other models of a task, without block routing; blocking."""
        infos = [
            info for name, info in self._models() if name == task and not info.routes_blocks and info.id != model_id
        ]
        return infos[:MAX_OTHERS]

    def _models(self) -> list[tuple[str, ModelInfo]]:
        """Return (task, model) pairs, models with block routing first."""
        models = []
        for info in self._inference.models():
            if reads_blocks(info):
                with contextlib.suppress(NotAccepted):  # a model of an unknown task
                    models.append((task_of(info).name, info))
        return sorted(models, key=lambda model: (not model[1].routes_blocks, model[1].id))

    def _described(self, task: BlockTask, models: list[tuple[str, ModelInfo]]) -> dict[str, Any]:
        digits = isinstance(task, DigitTask)
        program = [iteration % len(task.subtasks) for iteration in range(task.iterations)]
        of_digits = {"digits": list(FIRST_DIGITS[: len(task.values)]), "program": program}
        return {
            "name": task.name,
            "title": task.title,
            "inputs": "digits" if digits else "picture",
            "values": list(task.values),
            "subtasks": list(task.subtasks),
            "outputs": list(task.outputs),
            "iterations": task.iterations,
            "most_iterations": MAX_ITERATIONS if task.iterations > 1 else 1,
            "classes": task.classes,
            "block_size": task.block_size,
            "permutations": None if digits else list(map(list, PERMUTATIONS)),
            "models": [info.id for name, info in models if name == task.name],
            "example": of_digits if digits else {"sample": FIRST_PICTURE, "permutation": 0},
        }
