"""Layers of experts and their numbers in arrays, without any library, so that readers of routing logs start fast."""

from dataclasses import dataclass
from functools import lru_cache

#: Place of an expert that a token did not take, where it takes fewer than others.
NO_EXPERT = -1


@dataclass(frozen=True)
class RoutedLayer:
    """A layer whose tokens are routed to experts.

    Attributes:
        name: "l3" for the third layer of all, whether those before it route or not.
        index: its place among all layers as a checkpoint numbers them, from 0.
        experts: how many there are.
        top_k: how many a token takes, as it was trained.
    """

    name: str
    index: int
    experts: int
    top_k: int

    @property
    def units(self) -> tuple[str, ...]:
        """Names of its experts, numbered from 1."""
        return _units(self.name, self.experts)

    def refusal(self, left: int, top_k: int) -> str | None:
        """Why it cannot route with so many experts left when a token takes ``top_k``; None: it can."""
        if left >= top_k:
            return None
        experts = "expert" if top_k == 1 else "experts"
        return f"layer {self.name[1:]} needs {top_k} {experts}, as many as a token takes, and {left} would be left"


@dataclass(frozen=True)
class ActiveExperts:
    """Experts of a layer in one pass of a view.

    Attributes:
        step: the layer's place among those that route.
        kept: numbers, from 0, of the experts that are left.
        silent: numbers, among all experts, of those that are muted.
        chosen: how many a token takes.
    """

    step: int
    kept: tuple[int, ...]
    silent: frozenset[int]
    chosen: int


@lru_cache(maxsize=4096)
def _units(name: str, experts: int) -> tuple[str, ...]:
    return tuple(f"{name}.e{e + 1}" for e in range(experts))
