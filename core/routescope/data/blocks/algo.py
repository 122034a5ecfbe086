"""Block-Operations' ALGO: conditional assignment to one of five variables an iteration, mod 10 (section 5.3)."""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.data.blocks.rules import DIGITS, DigitTask, Draws, check_answer, sum_in_words
from routescope.data.samples import DataError

#: How ALGO's subtasks follow each other: each is drawn anew, or one is drawn for all iterations.
Programs = Literal["drawn", "same"]

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
        """Return the values after one iteration."""
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

    def copied(self, iterations: int | None = None) -> float:
        """Return the share of right answers when every output copies the input block that is right most often.

        This is what chance comes to: most variables are not assigned and stay what they were. Over all digits and all
        programs of the length that is trained, which begin again where there are more iterations.
        """
        return _copied(self, self.iterations if iterations is None else iterations)

    def training(
        self, generator: torch.Generator, n: int, *, iterations: int | None = None, program: Programs = "drawn"
    ) -> Draws:
        """Draw ``n`` samples with uniform digits, of two iterations by default; raises DataError for other programs."""
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
        check_answer(self, (of[taken] + 1) % 10, answer)
        because = f"{assigned} = {taken} + 1 because {left} {sign} {right}"
        return f"{because}: {sum_in_words(f'{of[taken]} + 1', of[taken] + 1)}, and {of[left]} {sign} {of[right]}"


@cache
def _copied(task: Algo, iterations: int) -> float:
    """See ``Algo.copied``. As the roles turn round, programs that begin with the first subtask tell of all of them."""
    count = len(task.values)
    start = torch.cartesian_prod(*[torch.arange(DIGITS)] * count)
    equal = torch.zeros(count, dtype=torch.int64)  # to the input so many places further on, over all outputs
    programs = list(product((0,), *[range(len(task.subtasks))] * (task.iterations - 1)))
    for program in programs:
        digits = start
        for iteration in range(iterations):
            digits = task.step(digits, torch.full((len(start),), program[iteration % len(program)]))
        equal += torch.stack([(digits == start.roll(-further, 1)).sum() for further in range(count)])
    return int(equal.max()) / (start.numel() * len(programs))


ALGO = Algo(
    name="algo",
    title="Conditional assignment (ALGO)",
    values=tuple("ABCDE"),
    subtasks=tuple(f"assign {name}" for name in "ABCDE"),
    outputs=tuple("ABCDE"),
    iterations=2,
)
