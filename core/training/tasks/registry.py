"""The kinds of training data by name: what a ``Recipe`` names in ``data``."""

from typing import Any

from core.training.tasks.blocks import BlocksTask
from core.training.tasks.matrices import MatricesTask
from core.training.tasks.numbers import NumbersTask
from core.training.tasks.pictures import ClassesTask, DigitsTask
from core.training.tasks.statements import StatementsTask
from core.training.tasks.task import Task
from core.training.tasks.text import TextTask

TASKS: dict[str, Task[Any]] = {
    "digits": DigitsTask(),
    "images": ClassesTask(),
    "statements": StatementsTask(),
    "blocks": BlocksTask(),
    "text": TextTask(),
    "numbers": NumbersTask(),
    "matrices": MatricesTask(),
}
