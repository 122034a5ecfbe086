"""Tasks of networks that route blocks: their inputs, their answers, and the samples that training shows."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from routescope.data.samples import DataError
from routescope.nn.inputs.blocks import Blocks

#: Digits 0 to 9, one-hot: also the size of a block of a digit task.
DIGITS = 10

#: No program of subtasks is longer.
MOST_PROGRAM = 16


class Draws(NamedTuple):
    """Samples of a digit task: digits (n, K) in 0..9, and the subtask (n, T) of every iteration."""

    digits: Int64[Tensor, "n K"]
    program: Int64[Tensor, "n T"]


@dataclass(frozen=True)
class BlockTask:
    """The facts about a task.

    Attributes:
        name: the word for it on the command line; also the name of its data set and of a network's domain.
        title: what people read.
        block_size: numbers in a block.
        values: names of the blocks that the task is about, K of them.
        subtasks: names of what may be asked; the task block is their indicator, one-hot and padded with zeros.
        outputs: names of the blocks that a network gives.
        iterations: how often a network is applied to its own output in training.
        classes: how many digits the first numbers of an output block tell apart.
    """

    name: str
    title: str
    block_size: int
    values: tuple[str, ...]
    subtasks: tuple[str, ...]
    outputs: tuple[str, ...]
    iterations: int = 1
    classes: int = DIGITS

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of all blocks that a network reads, in their order: the values, then the task block."""
        return (*self.values, "task")


@dataclass(frozen=True)
class DigitTask(BlockTask, ABC):
    """A task whose values are digits."""

    block_size: int = field(default=DIGITS, kw_only=True)

    def encode(
        self,
        digits: Int64[Tensor, "n K"],
        program: Int64[Tensor, "n T"],
        asked: Int64[Tensor, " n"] | None = None,
    ) -> Blocks:
        """Return samples as a network takes them: one-hot digits (n, K, s), one-hot subtasks (n, T, s).

        Args:
            asked: which output is scored; the first where nothing is said.

        Raises:
            DataError: digits, subtasks or outputs that the task has not.
        """
        self.check(digits, program)
        if asked is None:
            asked = torch.zeros(len(digits), dtype=torch.int64, device=digits.device)
        elif asked.shape != (len(digits),) or not _within(asked, len(self.outputs)):
            raise DataError(f"asked is one output of {', '.join(self.outputs)} a sample, by its number from 0")
        one_hot = torch.nn.functional.one_hot
        return Blocks(one_hot(digits, DIGITS).float(), one_hot(program, self.block_size).float(), asked)

    def check(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> None:
        """Check digits and program; raises DataError for wrong shapes, digits beyond 0..9, or unknown subtasks."""
        if digits.ndim != 2 or digits.shape[1] != len(self.values) or not _within(digits, DIGITS):
            raise DataError(f"{self.name} takes {len(self.values)} digits from 0 to 9: {', '.join(self.values)}")
        if program.ndim != 2 or program.shape[0] != len(digits) or not program.shape[1]:
            raise DataError("a program is one subtask or more for every sample")
        if not _within(program, len(self.subtasks)):
            raise DataError(f"subtasks of {self.name} are numbered from 0: {', '.join(self.subtasks)}")

    def states(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n T+1 K"]:
        """Return the values before and after every iteration; raises DataError for tasks of one iteration."""
        raise DataError(f"{self.name} gives one answer and has no states; ask for its answer")

    @abstractmethod
    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        """The right digit of every output after all T iterations."""

    @abstractmethod
    def training(self, generator: torch.Generator, n: int) -> Draws:
        """Draw ``n`` samples of the training distribution; all subtasks are equally likely."""

    def seen(self) -> Draws:
        """Return all samples that training may draw, each once; raises DataError for too many."""
        raise DataError(f"{self.name} has too many samples for all of them; draw them with training")

    def left_out(self) -> Draws:
        """All samples whose combination training never shows (out of distribution), each once; may be none."""
        return Draws(torch.empty(0, len(self.values), dtype=torch.int64), torch.empty(0, 1, dtype=torch.int64))

    @abstractmethod
    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        """Return the rule of one iteration as a sentence with its numbers; raises DataError for a wrong answer.

        Args:
            digits: the values before the iteration.
            subtask: which one, from 0.
            answer: what the block that the subtask is about was found to be.
        """

    def _checked(self, digits: tuple[int, ...], subtask: int) -> None:
        self.check(torch.tensor([list(digits)], dtype=torch.int64), torch.tensor([[subtask]], dtype=torch.int64))


def _within(numbers: Int64[Tensor, "..."], count: int) -> bool:
    return bool(((numbers >= 0) & (numbers < count)).all())


def check_once(task: BlockTask, program: Int64[Tensor, "n T"]) -> None:
    """Check that programs have one subtask; raises DataError."""
    if program.shape[1] != 1:
        raise DataError(f"{task.name} has one iteration; got a program of {program.shape[1]} subtasks")


def every(values: int, subtasks: int) -> Draws:
    """Return every combination of digits with every subtask."""
    digits = torch.tensor(list(product(range(DIGITS), repeat=values)), dtype=torch.int64)
    program = torch.arange(subtasks).repeat_interleave(len(digits))[:, None]
    return Draws(digits.repeat(subtasks, 1), program)


def chosen_of(draws: Draws, chosen: Bool[Tensor, " n"]) -> Draws:
    """The samples where ``chosen`` is true, in their order."""
    return Draws(draws.digits[chosen], draws.program[chosen])


def check_answer(task: BlockTask, right: int, answer: int) -> None:
    """Check that an answer is what the rule gives; raises DataError."""
    if answer != right:
        raise DataError(f"by the rule of {task.name} the answer is {right}, not {answer}")


def sum_in_words(words: str, total: int) -> str:
    """Return ``words`` with their total, and mod 10 where that is another number."""
    return f"{words} = {total}" if total < DIGITS else f"{words} = {total}, so {total % DIGITS}"
