"""The space of a random sweep, as data, and what each of its trials draws.

What trial k draws depends on the seed and on k alone, so that a sweep that goes on, or has more trials than another,
gives the trials that both have the same hyper-parameters.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: A value of a hyper-parameter.
Value = float | int | bool


@dataclass(frozen=True)
class Uniform:
    """U([low, high]): any number between both ends."""

    name: str
    low: float
    high: float

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the hyper-parameter."""
        return (self.name,)

    def draw(self, random: np.random.Generator) -> tuple[Value, ...]:
        """Draw one number."""
        return (float(random.uniform(self.low, self.high)),)


@dataclass(frozen=True)
class OneOf:
    """U({...}): one of some values with equal chance; for several hyper-parameters, one of some tuples."""

    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]

    def draw(self, random: np.random.Generator) -> tuple[Value, ...]:
        """Draw one value for each name."""
        return self.values[int(random.integers(len(self.values)))]


Distribution = Uniform | OneOf


def choice(name: str, values: Sequence[Value]) -> OneOf:
    """Return the distribution over some values of one hyper-parameter."""
    return OneOf((name,), tuple((value,) for value in values))


def drawn(space: Sequence[Distribution], seed: int, number: int) -> dict[str, Value]:
    """Return the hyper-parameters of one trial of a sweep, by name."""
    random = np.random.default_rng((seed, number))
    return {name: value for part in space for name, value in zip(part.names, part.draw(random), strict=True)}
