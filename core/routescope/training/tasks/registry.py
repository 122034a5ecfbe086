"""The kinds of training data by name: what a ``Recipe`` names in ``data``."""

from typing import Any

from routescope.training.tasks.blocks import BlocksTask
from routescope.training.tasks.matrices import MatricesTask
from routescope.training.tasks.numbers import NumbersTask
from routescope.training.tasks.pictures import ClassesTask, DigitsTask
from routescope.training.tasks.points import PointsTask
from routescope.training.tasks.sequences import SequencesTask
from routescope.training.tasks.statements import StatementsTask
from routescope.training.tasks.task import Task
from routescope.training.tasks.text import TextTask

TASKS: dict[str, Task[Any]] = {
    "digits": DigitsTask(),
    "images": ClassesTask(),
    "statements": StatementsTask(),
    "blocks": BlocksTask(),
    "text": TextTask(),
    "numbers": NumbersTask(),
    "matrices": MatricesTask(),
    "points": PointsTask(),
    "sequences": SequencesTask(),
}
