"""Blocks of values with a task indicator for every iteration, which networks of blocks take."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from routescope.nn.inputs.kind import Inputs, Rows, check_tensors, positions_in


@dataclass(frozen=True, eq=False)
class Blocks(Inputs):
    """A batch of samples.

    Attributes:
        values: the K blocks that the task is about, of s numbers each.
        tasks: the task indicator of each of T iterations; a run of more iterations starts again at the first.
        asked: which output block holds the answer that is scored.

    Raises:
        TypeError: a field that is no tensor.
        ValueError: different numbers of samples.
    """

    kind: ClassVar[str] = "blocks"
    words: ClassVar[str] = "blocks of numbers with a task indicator"

    values: Float[Tensor, "B K s"]
    tasks: Float[Tensor, "B T s"]
    asked: Int64[Tensor, " B"]

    def __post_init__(self) -> None:
        check_tensors(self, values=self.values, tasks=self.tasks, asked=self.asked)
        if not len(self.values) == len(self.tasks) == len(self.asked):
            counts = f"{len(self.values)}, {len(self.tasks)} and {len(self.asked)}"
            raise ValueError(f"values, tasks and asked are of {counts} samples")

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""
        positions = positions_in(rows)
        return type(self)(self.values[positions], self.tasks[positions], self.asked[positions])

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.values.to(device), self.tasks.to(device), self.asked.to(device))

    def task(self, iteration: int) -> Float[Tensor, "B s"]:
        """The task indicator of an iteration, counted from 0."""
        return self.tasks[:, iteration % self.tasks.shape[1]]
