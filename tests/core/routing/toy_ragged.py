"""A network that reads sequences of different lengths and answers with a number, all of it known without the house.

A token is a pair of numbers. Every step, units take a token by how well it matches their keys, and add their share of
what their weights make of it; the answer is the mean over the tokens that are there. What stands at padding is noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn

from routescope.data.samples import DatasetInfo, Rows, Samples, positions_of
from routescope.nn.config import Config
from routescope.nn.inputs.kind import Inputs, positions_in
from routescope.nn.measures import R2
from routescope.nn.network import Head, Network, Tokens
from tests.core.routing.toys import probes

LONGEST, UNITS, STEPS = 5, 3, 2


@dataclass(frozen=True, eq=False)
class Sequences(Inputs):
    """Pairs of numbers; places from ``lengths`` on are padding."""

    kind: ClassVar[str] = "sequences"
    words: ClassVar[str] = "a sequence of pairs"

    values: Float[Tensor, "B V 2"]
    lengths: Int64[Tensor, " B"]

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, rows: Rows, /) -> Self:
        places = positions_in(rows)
        return type(self)(self.values[places], self.lengths[places])

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.values.to(device), self.lengths.to(device))

    @property
    def mask(self) -> Tensor:
        return torch.arange(self.values.shape[1]) < self.lengths[:, None]


@dataclass(frozen=True)
class RaggedConfig(Config):
    domains: tuple[str, ...] = ("sequences",)
    iterations: int = STEPS


RaggedProbes = probes(
    compatibility="unit sample token",
    types="sample token type_feature",
    contributions="unit sample token feature",
)


class Ragged(Network):
    """See the head of this file."""

    kinds: ClassVar = (Sequences,)
    id, revision = "ragged", "0" * 16
    config: RaggedConfig

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.config = RaggedConfig()
        self.keys = nn.Parameter(2 * torch.randn(UNITS, 2, generator=generator), requires_grad=False)
        self.weights = nn.Parameter(torch.randn(UNITS, 2, 2, generator=generator), requires_grad=False)
        self.probes: Any = RaggedProbes()
        self.keep_all()
        self.eval()

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"f{u + 1}" for u in range(UNITS))

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(f"place:{v}" for v in range(LONGEST))

    def tokens_of(self, inputs: Inputs) -> Tokens:
        assert isinstance(inputs, Sequences)
        return Tokens(self.tokens[: inputs.values.shape[1]], inputs.mask)

    def step_names(self, iterations: int) -> tuple[str, ...]:
        return tuple(f"i{i + 1}" for i in range(iterations))

    @property
    def all_heads(self) -> tuple[Head, ...]:
        return (Head("sequences", (), R2()),)

    @property
    def answer_axes(self) -> tuple[str, ...]:
        return ("sample", "domain", "number")

    def example(self, batch: int) -> Sequences:
        return Sequences(torch.zeros(batch, LONGEST, 2), torch.full((batch,), LONGEST))

    def once(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Compatibilities (unit, B, V) and contributions (unit, B, V, 2) of a step."""
        kept = list(self.kept)
        C = (x @ self.keys[kept].T).softmax(dim=-1).movedim(-1, 0)
        C = C * torch.tensor([float(u not in self.silent) for u in kept])[:, None, None]
        return C, C[..., None] * torch.einsum("bvf,ufg->ubvg", x, self.weights[kept])

    def forward(self, inputs: Sequences, iterations: int | None = None) -> Float[Tensor, "B 1 1"]:
        x = inputs.values
        for step in range(STEPS if iterations is None else iterations):
            self.probes.types(nn.functional.normalize(x, dim=-1), step=step)
            C, o = self.once(x)
            self.probes.compatibility(C, step=step)
            x = x + self.probes.contributions(o, step=step).sum(dim=0)
        return answer(x, inputs.mask)


def answer(x: Tensor, mask: Tensor) -> Tensor:
    """The mean over the tokens that are there, of both numbers together, (B, 1, 1)."""
    total = (x.sum(dim=-1) * mask).sum(dim=1) / mask.sum(dim=1)
    return total[:, None, None]


def by_hand(
    network: Ragged, inputs: Sequences, replaced: Mapping[tuple[int, int], Tensor] | None = None
) -> tuple[list[Tensor], list[Tensor], Tensor]:
    """Compatibilities and contributions of every step, and the answer; (step, unit) are replaced by what is given."""
    x, every_C, every_o = inputs.values, list[Tensor](), list[Tensor]()
    for step in range(STEPS):
        C, o = network.once(x)
        o = o.clone()
        for (at, unit), new in (replaced or {}).items():
            if at == step:
                o[unit] = new
        x = x + o.sum(dim=0)
        every_C.append(C)
        every_o.append(o)
    return every_C, every_o, answer(x, inputs.mask)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SequenceSet(Samples):
    """Random sequences; what is right is a number, near what ``Ragged`` says. A batch is as long as its longest."""

    columns: ClassVar[tuple[str, ...]] = (*Samples.columns, "values", "lengths", "numbers")

    values: Tensor
    lengths: Tensor
    numbers: Tensor

    def inputs(self, rows: Rows) -> Sequences:
        values, lengths = self.values[positions_of(rows)], self.lengths[positions_of(rows)]
        return Sequences(values[:, : int(lengths.max())] if len(lengths) else values, lengths)

    def targets(self, rows: Rows, iterations: int | None = None) -> Tensor:
        return self.numbers[positions_of(rows)]


def sequences(network: Ragged, count: int = 23, seed: int = 0, noise: float = 0.3) -> SequenceSet:
    """Lengths from 1 to the longest; numbers are what the network answers, and noise."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(count, LONGEST, 2, generator=generator)
    lengths = torch.randint(1, LONGEST + 1, (count,), generator=generator)
    right = by_hand(network, Sequences(values, lengths))[2][:, 0, 0]
    return SequenceSet(
        info=DatasetInfo("sequences", "Sequences", "generated"),
        split="validation",
        labels=torch.zeros(count, dtype=torch.int64),
        hashes=tuple(str(row) for row in range(count)),
        values=values,
        lengths=lengths,
        numbers=right + noise * torch.randn(count, generator=generator),
    )
