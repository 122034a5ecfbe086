"""Block-Operations' tasks of one sum or product of digits, mod 10: addmul (section 5.1) and double (section 5.2)."""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from routescope.data.blocks.rules import (
    DIGITS,
    DigitTask,
    Draws,
    check_answer,
    check_once,
    chosen_of,
    every,
    sum_in_words,
)
from routescope.data.samples import DataError

#: The limited data: one number is below it, the other one is not (paper: 0 to 4, 5 to 9).
LOW = 5

Stage = Literal["preparation", "interference"]
STAGES: tuple[Stage, ...] = ("preparation", "interference")


@dataclass(frozen=True)
class AddMultiply(DigitTask):
    """Addition or multiplication of two digits, mod 10 (section 5.1).

    Two stages of training. In preparation, addition is shown whole and multiplication limited: one number is 0 to 4 and
    the other one 5 to 9. In interference it is the other way round. ``alternate``: one number is even and the other
    one odd (see :class:`DoubleAddition`).
    """

    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        self.check(digits, program)
        check_once(self, program)
        first, second = digits.unbind(1)
        return (torch.where(program[:, 0] == 0, first + second, first * second) % 10)[:, None]

    def training(
        self, generator: torch.Generator, n: int, *, stage: Stage = "preparation", alternate: bool = False
    ) -> Draws:
        digits = torch.randint(DIGITS, (n, 2), generator=generator)
        program = torch.randint(2, (n, 1), generator=generator)
        limited = program == _limited_subtask(stage)
        return Draws(torch.where(limited, _limit(digits, alternate, generator), digits), program)

    def seen(self, *, stage: Stage = "preparation", alternate: bool = False) -> Draws:
        """All samples of a stage: 100 of the subtask that is shown whole, 50 of the limited one."""
        draws = every(2, 2)
        whole = draws.program[:, 0] != _limited_subtask(stage)
        return chosen_of(draws, whole | _is_limited(draws.digits, alternate))

    def left_out(self, *, stage: Stage = "interference", alternate: bool = False) -> Draws:
        """Return the 50 samples of the limited subtask that a stage never shows.

        Of interference these are the preparation data: additions that were trained on in preparation alone.
        """
        draws = every(2, 2)
        limited = draws.program[:, 0] == _limited_subtask(stage)
        return chosen_of(draws, limited & ~_is_limited(draws.digits, alternate))

    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        self._checked(digits, subtask)
        sign, (first, second) = "+×"[subtask], digits
        total = first + second if subtask == 0 else first * second
        check_answer(self, total % 10, answer)
        return f"answer = a {sign} b, mod 10: {sum_in_words(f'{first} {sign} {second}', total)}"


@dataclass(frozen=True)
class DoubleAddition(DigitTask):
    """The sum of the first or of the second of two pairs of digits, mod 10 (section 5.2).

    In training the digits of the first pair are uniform and those of the second pair limited, whichever pair is asked
    for: one number is 0 to 4, the other one 5 to 9, and either may be the low one. ``alternate`` is our reading of
    Table 6's "alternate split": digits belong to the two classes in turn, so that one number is even and the other odd.

    Out of distribution are second pairs of two digits of one class. For these the paper's reason holds why a
    feed-forward network is never right: with the other number frozen, no sum of training equals one of them. Were it
    always the first number that is low, SMFRs of one hidden layer stopped at 92 % here, on any seed; the paper's reach
    100 %.
    """

    def answer(self, digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"]) -> Int64[Tensor, "n outputs"]:
        self.check(digits, program)
        check_once(self, program)
        sums = (digits[:, 0::2] + digits[:, 1::2]) % 10
        return sums.gather(1, program)

    def training(self, generator: torch.Generator, n: int, *, alternate: bool = False) -> Draws:
        digits = torch.randint(DIGITS, (n, 4), generator=generator)
        digits[:, 2:] = _limit(digits[:, 2:], alternate, generator)
        return Draws(digits, torch.randint(2, (n, 1), generator=generator))

    def seen(self, *, alternate: bool = False) -> Draws:
        """All 10,000 samples of training: 100 first pairs, 50 second ones, two subtasks."""
        draws = every(4, 2)
        return chosen_of(draws, _is_limited(draws.digits[:, 2:], alternate))

    def left_out(self, *, alternate: bool = False) -> Draws:
        """All 5,000 samples that ask for the sum of a second pair that training never shows."""
        draws = every(4, 2)
        return chosen_of(draws, (draws.program[:, 0] == 1) & ~_is_limited(draws.digits[:, 2:], alternate))

    def explain(self, digits: tuple[int, ...], subtask: int, answer: int) -> str:
        self._checked(digits, subtask)
        first, second = digits[2 * subtask : 2 * subtask + 2]
        check_answer(self, (first + second) % 10, answer)
        names = self.values[2 * subtask : 2 * subtask + 2]
        return f"answer = {' + '.join(names)}, mod 10: {sum_in_words(f'{first} + {second}', first + second)}"


def _limited_subtask(stage: Stage) -> int:
    """Return the subtask of addmul that a stage limits."""
    if stage not in STAGES:
        raise DataError(f"a stage is {' or '.join(STAGES)}; got {stage!r}")
    return 1 if stage == "preparation" else 0


def _limit(digits: Int64[Tensor, "n 2"], alternate: bool, generator: torch.Generator) -> Int64[Tensor, "n 2"]:
    """Uniform digits to uniform ones of the limited data: one of each class, in either order."""
    rank = digits % LOW  # among the digits of a class
    pairs = 2 * rank + torch.tensor([0, 1]) if alternate else rank + torch.tensor([0, LOW])
    turned = torch.randint(2, (len(pairs), 1), generator=generator) == 1
    return torch.where(turned, pairs.flip(1), pairs)


def _is_limited(digits: Int64[Tensor, "n 2"], alternate: bool = False) -> Bool[Tensor, " n"]:
    second = digits % 2 == 1 if alternate else digits >= LOW
    return second[:, 0] != second[:, 1]


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
