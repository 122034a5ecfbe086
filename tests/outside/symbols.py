"""Sequences of symbols of different lengths, and a network whose experts each know a part of what comes next.

Nothing of this is known to the project: the network, its kind of input and its data set are registered from here, with
what the project offers to everybody. Symbol s is followed by s + 1 (of ``SYMBOLS``, in a circle); expert k knows that
for the symbols of remainder k, and says nothing of others. So every drop is known: the bits of exactly these symbols.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor, nn

from routescope.data import DatasetInfo, SampleRequest, Samples
from routescope.nn.config import Config
from routescope.nn.inputs.kind import Inputs, Rows, Table, positions_in
from routescope.nn.measures import BitsASymbol
from routescope.nn.network import Head, Network, Tokens
from routescope.nn.probe import Probe
from routescope.nn.registry import register

SYMBOLS, LONGEST, EXPERTS = 8, 6, 4
#: How sure an expert is, in logits, and how sure routing is of an expert.
SURE, ROUTED = 5.0, 20.0


@dataclass(frozen=True, eq=False)
class Symbols(Inputs):
    """Sequences of symbols; places from ``lengths`` on are padding."""

    kind: ClassVar[str] = "symbols"
    words: ClassVar[str] = "a sequence of symbols"

    values: Int64[Tensor, "B V"]
    lengths: Int64[Tensor, " B"]

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, rows: Rows, /) -> Self:
        places = positions_in(rows)
        return type(self)(self.values[places], self.lengths[places])

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.values.to(device), self.lengths.to(device))

    def table(self) -> Table:
        there = self.values[0, : int(self.lengths[0])].tolist()
        return Table(("place", "symbol"), tuple(enumerate(there)))


@dataclass(frozen=True)
class SymbolsConfig(Config):
    """How many experts share the symbols."""

    experts: int = EXPERTS
    domains: tuple[str, ...] = ("circle",)


class SymbolsProbes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.compatibility = Probe("compatibility", ("unit", "sample", "token"))
        self.contributions = Probe("contributions", ("unit", "sample", "token", "feature"))


@register("outside_symbols", family="Experts on symbols", config=SymbolsConfig)
class SymbolsNetwork(Network):
    """Every symbol is routed to the expert of its remainder, softly; the experts' logits are added up."""

    kinds = (Symbols,)
    config: SymbolsConfig

    def __init__(self, config: SymbolsConfig) -> None:
        super().__init__()
        self.config = config
        remainder = torch.arange(SYMBOLS) % config.experts
        mine = F.one_hot(remainder, config.experts).float()
        after = F.one_hot((torch.arange(SYMBOLS) + 1) % SYMBOLS, SYMBOLS).float()
        self.router = nn.Parameter(ROUTED * mine)  # (symbol, expert)
        self.experts = nn.Parameter(SURE * mine.T[:, :, None] * after)  # (expert, symbol, next)
        self.probes = SymbolsProbes()
        self.kept: tuple[int, ...] = tuple(range(config.experts))
        self.silent: frozenset[int] = frozenset()

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"e{u + 1}" for u in range(self.config.experts))

    @property
    def units(self) -> tuple[str, ...]:
        return tuple(self.all_units[u] for u in self.kept)

    @property
    def muted(self) -> tuple[str, ...]:
        return tuple(self.all_units[u] for u in sorted(self.silent))

    @property
    def most_iterations(self) -> int:
        return 1

    @property
    def least_iterations(self) -> int:
        return 1

    def step_names(self, iterations: int) -> tuple[str, ...]:
        return ("l1",) * iterations

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(f"place:{v}" for v in range(LONGEST))

    def tokens_of(self, inputs: Inputs) -> Tokens:
        assert isinstance(inputs, Symbols)
        places = torch.arange(inputs.values.shape[1], device=inputs.lengths.device)
        return Tokens(self.tokens[: len(places)], places < inputs.lengths[:, None])

    @property
    def all_heads(self) -> tuple[Head, ...]:
        return tuple(Head(domain, (), BitsASymbol()) for domain in self.config.domains)

    @property
    def answer_axes(self) -> tuple[str, ...]:
        return ("sample", "domain", "token", "symbol")

    def _view(self, kept: tuple[int, ...], silent: frozenset[int]) -> Self:
        view = copy.copy(self)
        view._modules = dict(self._modules)
        view.probes = SymbolsProbes()
        view.kept, view.silent = kept, silent
        return view

    def _places(self, units: Sequence[str]) -> tuple[int, ...]:
        unknown = sorted(set(units) - set(self.units))
        if unknown:
            raise ValueError(f"unknown units {', '.join(unknown)}; this model has {', '.join(self.units)}")
        return tuple(u for u in self.kept if self.all_units[u] in units)

    def keep(self, units: Sequence[str]) -> Self:
        kept = self._places(units)
        return self._view(kept, self.silent & set(kept))

    def mute(self, units: Sequence[str]) -> Self:
        return self._view(self.kept, self.silent | set(self._places(units)))

    def example(self, batch: int) -> Symbols:
        values = torch.arange(LONGEST, device=self.device).expand(batch, -1) % SYMBOLS
        return Symbols(values, torch.full((batch,), LONGEST, device=self.device))

    def forward(self, inputs: Symbols, iterations: int | None = None) -> Float[Tensor, "B 1 V symbols"]:
        """Logits of what follows each place."""
        kept = list(self.kept)
        C = self.router[inputs.values][..., kept].softmax(dim=-1)  # (B, V, kept)
        muted = torch.tensor([u in self.silent for u in kept], dtype=torch.bool, device=C.device)
        C = self.probes.compatibility(C.masked_fill(muted, 0.0).permute(2, 0, 1), step=0)
        o = C[..., None] * self.experts[kept][:, inputs.values]
        return self.probes.contributions(o, step=0).sum(dim=0)[:, None]


INFO = DatasetInfo(
    name="circle",
    title="Symbols in a circle",
    licence="generated",
    splits={"train": 40, "validation": 40},
    inputs="symbols",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Circle(Samples):
    """Sequences of different lengths in which every symbol is followed by the next; labels are the lengths."""

    columns: ClassVar[tuple[str, ...]] = (*Samples.columns, "first")

    first: Int64[Tensor, " sample"]

    @property
    def lengths(self) -> Int64[Tensor, " sample"]:
        return self.labels

    def _values(self, rows: Rows) -> Int64[Tensor, "row V"]:
        return (self.first[positions_in(rows)][:, None] + torch.arange(LONGEST)) % SYMBOLS

    def inputs(self, rows: Rows) -> Symbols:
        return Symbols(self._values(rows), self.lengths[positions_in(rows)])

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, "row V"]:
        return (self._values(rows) + 1) % SYMBOLS


def circle(request: SampleRequest) -> Circle:
    """Forty sequences: every first symbol with lengths 2 to 6, in turn."""
    every = [(first, length) for length in range(2, LONGEST + 1) for first in range(SYMBOLS)][: request.limit]
    first, lengths = torch.tensor(every).unbind(1)
    hashes = tuple(f"{first}-{length}" for first, length in every)
    return Circle(**request.facts, first=first, labels=lengths, hashes=hashes)
