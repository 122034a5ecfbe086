"""The tasks of networks that route blocks, and the models of each."""

from typing import Any

from routescope.data.blocks.permuted import PERMUTATIONS
from routescope.data.blocks.rules import BlockTask, DigitTask
from routescope.data.blocks.tasks import TASKS
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.blocks.inputs import task_of
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import NotAccepted
from routescope_app.services.reading import reads_blocks

#: Iterations of one run of a model of blocks, also beyond those it was trained on.
MAX_ITERATIONS = 20
#: Models of the same task that a run of a model of blocks is shown beside.
MAX_OTHERS = 4

#: A picture to begin with.
FIRST_PICTURE = "mnist.validation.0"
#: Digits to begin with; a task takes as many as it has values.
FIRST_DIGITS = (3, 1, 4, 1, 5, 9, 2, 6)


class BlockTasks:
    """Says which tasks there are."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def tasks(self) -> dict[str, Any]:
        """What the API says of all tasks; blocking."""
        models = self._models()
        return {"items": [self._described(task, models) for task in TASKS.values()]}

    def others(self, task: str, model_id: str) -> list[ModelInfo]:
        """Models of a task that route no blocks, but for one that is asked about itself; blocking."""
        found = [
            info for name, info in self._models() if name == task and not info.routes_blocks and info.id != model_id
        ]
        return found[:MAX_OTHERS]

    def _models(self) -> list[tuple[str, ModelInfo]]:
        """(task, model), those that route blocks first."""
        found = []
        for info in self._inference.models():
            if reads_blocks(info):
                try:
                    found.append((task_of(info).name, info))
                except NotAccepted:  # of blocks that no task is about
                    continue
        return sorted(found, key=lambda each: (not each[1].routes_blocks, each[1].id))

    def _described(self, task: BlockTask, models: list[tuple[str, ModelInfo]]) -> dict[str, Any]:
        digits = isinstance(task, DigitTask)
        program = [at % len(task.subtasks) for at in range(task.iterations)]
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
            "permutations": None if digits else [list(each) for each in PERMUTATIONS],
            "models": [info.id for name, info in models if name == task.name],
            "example": of_digits if digits else {"sample": FIRST_PICTURE, "permutation": 0},
        }
