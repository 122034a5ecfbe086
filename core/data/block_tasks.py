"""Tasks of networks that route blocks: what goes in, what comes out, and which combinations training shows.

The digit tasks are those of Block-Operations (section 5): one digit a block, one-hot, and a task block that names the
subtask. All sums are mod 10. See ``block_permuted`` for the pictures of the fourth task.
"""

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from core.data.block_permuted import BLOCK_SIZE as STRIP_SIZE
from core.data.block_permuted import PERMUTATIONS, SLOTS
from core.data.dataset import DataError

if TYPE_CHECKING:
    from core.nn.blocks import Blocks

#: Digits 0 to 9, one-hot: also the size of a block of a digit task.
DIGITS = 10

#: Digits of the limited data: one number is below it, the other one is not (paper: 0 to 4, 5 to 9).
LOW = 5

#: No program of subtasks is longer.
MOST_PROGRAM = 16

Stage = Literal["preparation", "interference"]
STAGES: tuple[Stage, ...] = ("preparation", "interference")

#: How ALGO's subtasks follow each other: each is drawn anew, or one is drawn for all iterations.
Programs = Literal["drawn", "same"]


class Draws(NamedTuple):
    """Samples of a digit task: digits (n, K) in 0..9, and the subtask (n, T) of every iteration."""

    digits: Int64[Tensor, "n K"]
    program: Int64[Tensor, "n T"]


@dataclass(frozen=True)
class BlockTask:
    """What is known of a task.

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
class DigitTask(BlockTask):
    """A task whose values are digits."""

    block_size: int = field(default=DIGITS, kw_only=True)

    def encode(
        self,
        digits: Int64[Tensor, "n K"],
        program: Int64[Tensor, "n T"],
        asked: Int64[Tensor, " n"] | None = None,
    ) -> "Blocks":
        """What a network takes: one-hot digits (n, K, s), one-hot subtasks (n, T, s).

        Args:
            asked: which output is scored; the first where nothing is said.

        Raises:
            DataError: digits, subtasks or outputs that the task has not.
        """
        from core.nn.blocks import Blocks

        self.check(digits, program)
        if asked is None:
            asked = torch.zeros(len(digits), dtype=torch.int64, device=digits.device)
        elif asked.shape != (len(digits),) or not _within(asked, len(self.outputs)):
            raise DataError(f"asked is one output of {', '.join(self.outputs)} a sample, by its number from 0")
        one_hot = torch.nn.functional.one_hot
        return Blocks(one_hot(digits, DIGITS).float(), one_hot(program, self.block_size).float(), asked)

    def check(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> None:
        """Refuse what is no sample of the task.

        Raises:
            DataError: other shapes, a digit beyond 0..9, or a subtask that the task has not.
        """
        if digits.ndim != 2 or digits.shape[1] != len(self.values) or not _within(digits, DIGITS):
            raise DataError(f"{self.name} takes {len(self.values)} digits from 0 to 9: {', '.join(self.values)}")
        if program.ndim != 2 or program.shape[0] != len(digits) or not program.shape[1]:
            raise DataError("a program is one subtask or more for every sample")
        if not _within(program, len(self.subtasks)):
            raise DataError(f"subtasks of {self.name} are numbered from 0: {', '.join(self.subtasks)}")

    def states(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n T+1 K"]:
        """The values before the first iteration and after every one; raises DataError where a task has no such."""
        raise DataError(f"{self.name} gives one answer and has no states; ask for its answer")

    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        """The right digit of every output after all T iterations."""
        raise NotImplementedError

    def training(self, generator: torch.Generator, n: int) -> Draws:
        """``n`` samples of the training distribution, every subtask as likely as every other one."""
        raise NotImplementedError

    def seen(self) -> Draws:
        """All samples that training may draw, each once; raises DataError where they are too many."""
        raise DataError(f"{self.name} has too many samples for all of them; draw them with training")

    def left_out(self) -> Draws:
        """All samples whose combination training never shows (out of distribution), each once; may be none."""
        return Draws(torch.empty(0, len(self.values), dtype=torch.int64), torch.empty(0, 1, dtype=torch.int64))

    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        """The sentence that one iteration amounts to, with its numbers; it knows of the rule alone.

        Args:
            digits: the values before it.
            subtask: which one, from 0.
            answer: what the block that the subtask is about was found to be.

        Raises:
            DataError: the answer is not what the rule gives.
        """
        raise NotImplementedError

    def _checked(self, digits: tuple[int, ...], subtask: int) -> None:
        self.check(torch.tensor([list(digits)], dtype=torch.int64), torch.tensor([[subtask]], dtype=torch.int64))


@dataclass(frozen=True)
class AddMultiply(DigitTask):
    """Addition or multiplication of two digits, mod 10 (section 5.1).

    Two stages of training. In preparation, addition is shown whole and multiplication limited: its first number is 0
    to 4 and its second one 5 to 9. In interference it is the other way round.
    """

    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        self.check(digits, program)
        _once(self, program)
        first, second = digits.unbind(1)
        return (torch.where(program[:, 0] == 0, first + second, first * second) % 10)[:, None]

    def training(self, generator: torch.Generator, n: int, *, stage: Stage = "preparation") -> Draws:
        digits = torch.randint(DIGITS, (n, 2), generator=generator)
        program = torch.randint(2, (n, 1), generator=generator)
        limited = program[:, 0] == _limited_subtask(stage)
        return Draws(torch.where(limited[:, None], _limit(digits), digits), program)

    def seen(self, *, stage: Stage = "preparation") -> Draws:
        """All samples of a stage: 100 of the subtask that is shown whole, 25 of the limited one."""
        draws = _all(2, 2)
        limited = draws.program[:, 0] == _limited_subtask(stage)
        return _where(draws, ~limited | _is_limited(draws.digits))

    def left_out(self, *, stage: Stage = "interference") -> Draws:
        """What a stage never shows of the subtask that it limits, 75 samples.

        Of interference these are the preparation data: additions that were trained on in preparation alone.
        """
        draws = _all(2, 2)
        limited = draws.program[:, 0] == _limited_subtask(stage)
        return _where(draws, limited & ~_is_limited(draws.digits))

    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        self._checked(digits, subtask)
        sign, (first, second) = "+×"[subtask], digits
        total = first + second if subtask == 0 else first * second
        _agree(self, total % 10, answer)
        return f"answer = a {sign} b, mod 10: {_sum(f'{first} {sign} {second}', total)}"


@dataclass(frozen=True)
class DoubleAddition(DigitTask):
    """The sum of the first or of the second of two pairs of digits, mod 10 (section 5.2).

    In training the digits of the first pair are uniform and those of the second pair limited, whichever pair is asked
    for: one number is 0 to 4, the other one 5 to 9. Which one is low, ``alternate`` says (our reading of Table 6's
    "alternate split"): a2, or b2 where it is true.
    """

    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        self.check(digits, program)
        _once(self, program)
        sums = (digits[:, 0::2] + digits[:, 1::2]) % 10
        return sums.gather(1, program)

    def training(self, generator: torch.Generator, n: int, *, alternate: bool = False) -> Draws:
        digits = torch.randint(DIGITS, (n, 4), generator=generator)
        digits[:, 2:] = _limit(digits[:, 2:], alternate)
        return Draws(digits, torch.randint(2, (n, 1), generator=generator))

    def seen(self, *, alternate: bool = False) -> Draws:
        """All 5,000 samples of training: 100 first pairs, 25 second ones, two subtasks."""
        draws = _all(4, 2)
        return _where(draws, _is_limited(draws.digits[:, 2:], alternate))

    def left_out(self, *, alternate: bool = False) -> Draws:
        """All 7,500 samples that ask for the sum of a second pair that training never shows."""
        draws = _all(4, 2)
        return _where(draws, (draws.program[:, 0] == 1) & ~_is_limited(draws.digits[:, 2:], alternate))

    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        self._checked(digits, subtask)
        first, second = digits[2 * subtask : 2 * subtask + 2]
        _agree(self, (first + second) % 10, answer)
        names = self.values[2 * subtask : 2 * subtask + 2]
        return f"answer = {' + '.join(names)}, mod 10: {_sum(f'{first} + {second}', first + second)}"


#: Roles of the variables in each subtask of ALGO, in the order of "E is assigned A + 1 if C > D and B + 1 otherwise":
#: taken if so, taken otherwise, compared, compared with, assigned. The five turn round, so that every variable has
#: every role in exactly one subtask; the last is the paper's sentence.
ROLES = ("BCDEA", "CDEAB", "DEABC", "EABCD", "ABCDE")


@dataclass(frozen=True)
class Algo(DigitTask):
    """Conditional assignment to one of five variables an iteration, mod 10 (section 5.3).

    Every iteration's task block names its own subtask, drawn at random (our reading); with ``program="same"`` one
    subtask is drawn for all iterations of a sample.
    """

    def step(self, digits: Int64[Tensor, "n K"], subtask: Int64[Tensor, " n"]) -> Int64[Tensor, "n K"]:
        """The values after one iteration."""
        roles = torch.tensor([[self.values.index(name) for name in each] for each in ROLES], device=digits.device)
        taken, otherwise, left, right, assigned = roles[subtask].unbind(1)

        def value(variable: Int64[Tensor, " n"]) -> Int64[Tensor, " n"]:
            return digits.gather(1, variable[:, None])[:, 0]

        new = torch.where(value(left) > value(right), value(taken), value(otherwise)) + 1
        return digits.scatter(1, assigned[:, None], new[:, None] % 10)

    def states(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n T+1 K"]:
        self.check(digits, program)
        states = [digits]
        for subtask in program.unbind(1):
            states.append(self.step(states[-1], subtask))
        return torch.stack(states, 1)

    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        return self.states(digits, program)[:, -1]

    def training(
        self, generator: torch.Generator, n: int, *, iterations: int | None = None, program: Programs = "drawn"
    ) -> Draws:
        """``n`` samples, digits uniform; of two iterations where nothing else is said."""
        if program not in ("drawn", "same"):
            raise DataError(f"a program is drawn or same; got {program!r}")
        long = self.iterations if iterations is None else iterations
        digits = torch.randint(DIGITS, (n, len(self.values)), generator=generator)
        drawn = torch.randint(len(self.subtasks), (n, long if program == "drawn" else 1), generator=generator)
        return Draws(digits, drawn.expand(n, long).contiguous())

    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        self._checked(digits, subtask)
        of = dict(zip(self.values, digits, strict=True))
        first, second, left, right, assigned = list(ROLES[subtask])
        larger = of[left] > of[right]
        taken, sign = (first, ">") if larger else (second, "≤")
        _agree(self, (of[taken] + 1) % 10, answer)
        because = f"{assigned} = {taken} + 1 because {left} {sign} {right}"
        return f"{because}: {_sum(f'{of[taken]} + 1', of[taken] + 1)}, and {of[left]} {sign} {of[right]}"


ADDMUL = AddMultiply(
    name="addmul",
    title="Addition or multiplication",
    values=("a", "b"),
    subtasks=("add", "multiply"),
    outputs=("answer",),
)
DOUBLE = DoubleAddition(
    name="double",
    title="Double addition",
    values=("a1", "b1", "a2", "b2"),
    subtasks=("first pair", "second pair"),
    outputs=("answer",),
)
ALGO = Algo(
    name="algo",
    title="Conditional assignment (ALGO)",
    values=tuple("ABCDE"),
    subtasks=tuple(f"assign {name}" for name in "ABCDE"),
    outputs=tuple("ABCDE"),
    iterations=2,
)
BPMNIST = BlockTask(
    name="bpmnist",
    title="Block-permuted MNIST",
    block_size=STRIP_SIZE,
    values=SLOTS,
    subtasks=tuple("".join(str(strip + 1) for strip in permutation) for permutation in PERMUTATIONS),
    outputs=("digit",),
)

DIGIT_TASKS: dict[str, DigitTask] = {task.name: task for task in (ADDMUL, DOUBLE, ALGO)}
TASKS: dict[str, BlockTask] = {**DIGIT_TASKS, BPMNIST.name: BPMNIST}


def _within(numbers: Int64[Tensor, "..."], count: int) -> bool:
    return bool(((numbers >= 0) & (numbers < count)).all())


def _once(task: BlockTask, program: Int64[Tensor, "n T"]) -> None:
    if program.shape[1] != 1:
        raise DataError(f"{task.name} has one iteration; got a program of {program.shape[1]} subtasks")


def _all(values: int, subtasks: int) -> Draws:
    """Every combination of digits with every subtask."""
    digits = torch.tensor(list(product(range(DIGITS), repeat=values)), dtype=torch.int64)
    program = torch.arange(subtasks).repeat_interleave(len(digits))[:, None]
    return Draws(digits.repeat(subtasks, 1), program)


def _where(draws: Draws, chosen: Bool[Tensor, " n"]) -> Draws:
    return Draws(draws.digits[chosen], draws.program[chosen])


def _limited_subtask(stage: Stage) -> int:
    """Which subtask of addmul a stage limits."""
    if stage not in STAGES:
        raise DataError(f"a stage is {' or '.join(STAGES)}; got {stage!r}")
    return 1 if stage == "preparation" else 0


def _limit(digits: Int64[Tensor, "n 2"], alternate: bool = False) -> Int64[Tensor, "n 2"]:
    """Uniform digits to uniform ones of the limited data: one low, the other one high."""
    return digits % LOW + torch.tensor([LOW, 0] if alternate else [0, LOW])


def _is_limited(digits: Int64[Tensor, "n 2"], alternate: bool = False) -> Bool[Tensor, " n"]:
    low, high = digits.flip(1).unbind(1) if alternate else digits.unbind(1)
    return (low < LOW) & (high >= LOW)


def _agree(task: BlockTask, right: int, answer: int) -> None:
    if answer != right:
        raise DataError(f"by the rule of {task.name} the answer is {right}, not {answer}")


def _sum(words: str, total: int) -> str:
    return f"{words} = {total}" if total < DIGITS else f"{words} = {total}, so {total % DIGITS}"
