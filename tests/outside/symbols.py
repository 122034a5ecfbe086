"""Sequences of symbols of different lengths, and a network whose experts each know a part of what comes next.

Nothing of this is known to the project: the network, its kind of input and its data set are registered from here, with
what the project offers to everybody. Symbol s is followed by s + 1 (of ``SYMBOLS``, in a circle); expert k knows that
for the symbols of remainder k, and says nothing of others. So every drop is known: the bits of exactly these symbols.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor, nn

from routescope.data import DatasetInfo, LabelledSamples
from routescope.data.kinds.kind import FileCodec, InvalidSample, Kind, Table, TextCodec, register_kind
from routescope.nn.config import Config
from routescope.nn.inputs.kind import Inputs, Rows, positions_in
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

    def first(self) -> list[int]:
        symbols: list[int] = self.values[0, : int(self.lengths[0])].tolist()
        return symbols


def decode(text: str) -> Symbols:
    """Return one sequence of digits below ``SYMBOLS``."""
    if not text or len(text) > LONGEST or any(symbol not in "01234567" for symbol in text):
        raise InvalidSample(f"{text!r} is no sequence of 1 to {LONGEST} digits from 0 to {SYMBOLS - 1}")
    return Symbols(torch.tensor([list(map(int, text.ljust(LONGEST, "0")))]), torch.tensor([len(text)]))


def thumbnail(symbols: Symbols, side: int) -> np.ndarray:
    """Return a picture as light as the first symbol is large."""
    return np.full((side, side, 4), (*[30 * symbols.first()[0]] * 3, 255), np.uint8)


def decode_file(name: str, content: bytes, most_rows: int) -> str:
    """Return the digits of a file, a line each."""
    digits = "".join(content.decode().split())
    decode(digits)
    return digits


register_kind(
    Kind(
        Symbols,
        table=lambda symbols: Table(("place", "symbol"), tuple(enumerate(symbols.first()))),
        thumbnail=thumbnail,
        text=TextCodec("digits from 0 to 7", "0123", decode, lambda symbols: "".join(map(str, symbols.first()))),
        file=FileCodec("a digit a line", (".digits",), decode_file),
        label_word="length",
    )
)


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
    unit_kind = "function"
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
        self.keep_all()

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"e{u + 1}" for u in range(self.config.experts))

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


@dataclass(frozen=True, eq=False)
class Circle:
    """Sequences of different lengths in which every symbol is followed by the next."""

    first: Int64[Tensor, " sample"]
    lengths: Int64[Tensor, " sample"]
    name: str = "circle"
    title: str = "Symbols in a circle"
    split: str = "validation"
    stand_in: bool = False
    stand_in_for: str | None = None
    licence: str = "generated"
    classes: tuple[str, ...] = ()
    source: str | None = None
    left_out: int = 0

    @property
    def domain(self) -> str:
        return self.name

    @property
    def labels(self) -> Int64[Tensor, " sample"]:
        """Sequences have no labels; their lengths serve to tell them apart."""
        return self.lengths

    @property
    def hashes(self) -> tuple[str, ...]:
        pairs = zip(self.first.tolist(), self.lengths.tolist(), strict=True)
        return tuple(f"{first}-{length}" for first, length in pairs)

    def __len__(self) -> int:
        return len(self.first)

    def _values(self, rows: Rows) -> Int64[Tensor, "row V"]:
        return (self.first[positions_in(rows)][:, None] + torch.arange(LONGEST)) % SYMBOLS

    def inputs(self, rows: Rows) -> Symbols:
        return Symbols(self._values(rows), self.lengths[positions_in(rows)])

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, "row V"]:
        return (self._values(rows) + 1) % SYMBOLS

    def own(self, inputs: Symbols, digest: str) -> Self:
        return replace(self, first=inputs.values[:, 0], lengths=inputs.lengths, split="own")

    def take(self, indices: Rows) -> Self:
        return replace(self, first=self.first[positions_in(indices)], lengths=self.lengths[positions_in(indices)])


def circle(split: str = "validation", limit: int | None = None) -> LabelledSamples:
    """Forty sequences: every first symbol with lengths 2 to 6, in turn."""
    every = [(first, length) for length in range(2, LONGEST + 1) for first in range(SYMBOLS)]
    chosen = torch.tensor(every[:limit])
    return Circle(chosen[:, 0], chosen[:, 1], split=split)


INFO = DatasetInfo(
    name="circle",
    title="Symbols in a circle",
    real_title="Symbols in a circle",
    stand_in=False,
    stand_in_for=None,
    licence="generated",
    real_licence="generated",
    splits={"train": 40, "validation": 40},
    classes=(),
    inputs="symbols",
)
