"""Sets of matrices, each a domain: those of six regimes, drawn, or read from published files."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import torch
from jaxtyping import Int8, Int64, UInt8
from torch import Tensor

from routescope.data.cache import cached
from routescope.data.dataset import DataError, DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.kinds.matrices.files import resized
from routescope.data.matrices import draws, published, regimes
from routescope.data.matrices.grammar import RELATIONS, TRIPLES, Triple
from routescope.data.matrices.panels import SYMBOLS
from routescope.data.matrices.rendering import SIDE, render
from routescope.data.matrices.solver import ALONG, Rule
from routescope.nn.inputs.matrices import ANSWERS, PANELS, Matrices
from routescope.nn.shown import short_repr

#: The published sets have 1.2 million, 20,000 and 200,000 matrices.
SIZES = {"train": 20_000, "validation": 1_000, "test": 1_000}
_SPLITS = {name: place for place, name in enumerate(SIZES)}
SEED = 5_2018
#: Raise it when matrices that are kept on disk are drawn otherwise.
LAYOUT = 1

CLASSES = tuple(f"answer {answer}" for answer in range(1, ANSWERS + 1))
#: What the rules of a matrix are about: one relation, or several of them; of RAVEN's nothing is known.
KINDS: tuple[str, ...] = (*RELATIONS, "several relations", "rules unknown")

#: Most triples of a matrix.
MOST_RULES = 4


@dataclass(frozen=True)
class Make:
    """How the matrices of a set are drawn.

    Attributes:
        regime: what training and testing have.
        triples: that there are.
        counts: least and most of them in a matrix.
        distracting: share of matrices in which what is not ruled is drawn anew for every panel.
    """

    regime: regimes.RegimeName
    triples: tuple[Triple, ...] = TRIPLES
    counts: tuple[int, int] = (1, 4)
    distracting: float = 0.5


def _small(regime: regimes.RegimeName) -> Make:
    """With one triple a matrix of eight, two where one is not enough, and nothing that distracts."""
    count = 1 if regime in ("neutral", "triples") else 2
    return Make(regime, regimes.SMALL, (count, count), 0.0)


#: The sets of the whole grammar, and of a smaller one, by their names.
MAKES: dict[str, Make] = {
    **{f"pgm-{name}": Make(name) for name in regimes.REGIMES},
    **{f"pgm-small-{name}": _small(name) for name in regimes.REGIMES},
}


@dataclass(frozen=True, eq=False)
class MatrixSet:
    """Matrices with the number of the right answer, in memory.

    Attributes:
        labels: which answer is right, counted from 0.
        symbols: of every panel, where matrices were drawn; None of those that were read.
        panels: greys of every panel, where matrices were read.
        rules: of every matrix; none where nothing is known of them.
        side: of the panels that a network takes, in pixels.
        hashes: SHA-256 of symbols, or of panels.
        name, title, split, stand_in, stand_in_for, licence, classes, source, left_out: as of ``Dataset``.
    """

    name: str
    title: str
    split: str
    labels: Int64[Tensor, " sample"]
    symbols: Int8[np.ndarray, "sample 16 33"] | None
    panels: UInt8[np.ndarray, "sample 16 side side"] | None
    rules: tuple[tuple[Rule, ...], ...]
    side: int
    hashes: tuple[str, ...]
    licence: str
    stand_in: bool = False
    stand_in_for: str | None = None
    classes: tuple[str, ...] = CLASSES
    source: str | None = None
    left_out: int = 0

    __repr__ = short_repr

    @property
    def domain(self) -> str:
        """The head of a network that this set belongs to."""
        return self.name

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of what rules are about, in the order of their numbers."""
        return KINDS

    @property
    def kind(self) -> Int64[Tensor, " sample"]:
        """The relation of each matrix, or that it has several, or that its rules are unknown."""
        return torch.tensor([_kind(rules) for rules in self.rules], dtype=torch.int64)

    @property
    def groups(self) -> None:
        """Matrices are drawn independently of each other."""
        return

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, indices: Rows) -> "MatrixSet":
        """The samples at ``indices``, in that order, as a set of the same name."""
        chosen = torch.arange(len(self))[positions_of(indices)].tolist()
        return replace(
            self,
            labels=self.labels[chosen],
            symbols=None if self.symbols is None else self.symbols[chosen],
            panels=None if self.panels is None else self.panels[chosen],
            rules=tuple(self.rules[at] for at in chosen),
            hashes=tuple(self.hashes[at] for at in chosen),
        )

    def pictures(self, rows: Rows, side: int | None = None) -> UInt8[np.ndarray, "row 16 side side"]:
        """Greys in 0..255 of the panels of the matrices at ``rows``, in that order.

        Args:
            side: in pixels; None: as a network takes them.
        """
        chosen = torch.arange(len(self))[positions_of(rows)].tolist()
        wanted = self.side if side is None else side
        if self.symbols is not None:
            return render(self.symbols[chosen], wanted)
        assert self.panels is not None
        return np.stack([resized(each, wanted) for each in self.panels[chosen]])

    def inputs(self, rows: Rows) -> Matrices:
        """What a network takes of the samples at ``rows``, in that order: greys of their panels in 0..1."""
        return Matrices(torch.from_numpy(self.pictures(rows)).float() / 255)

    def rules_of(self, row: int) -> tuple[str, ...]:
        """The rules of a matrix, in words; none where nothing is known of them."""
        return tuple(map(str, self.rules[row]))

    def own(self, inputs: Matrices, digest: str) -> "MatrixSet":
        """A matrix that somebody brings: of its rules nothing is known, of the right answer what its file says."""
        panels = (inputs.values * 255).round().to(torch.uint8).cpu().numpy()
        return replace(
            self,
            split="own",
            labels=torch.tensor([-1]) if inputs.right is None else inputs.right.cpu(),
            symbols=None,
            panels=panels,
            rules=((),),
            hashes=(digest,),
        )

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, " row"]:
        """The right answers of the samples at ``rows``, after however many iterations."""
        return self.labels[positions_of(rows)]


def _kind(rules: Sequence[Rule]) -> int:
    """The number of what some rules are about."""
    relations = {rule.triple.relation for rule in rules}
    if not relations:
        return len(RELATIONS) + 1
    return RELATIONS.index(relations.pop()) if len(relations) == 1 else len(RELATIONS)


def drawn(name: str, split: str, count: int) -> Iterator[draws.Matrix]:
    """The first matrices of a split: matrix k is the same however many are drawn."""
    make = MAKES[name]
    part = regimes.regime(make.regime, make.triples, make.counts).part(split)
    place = list(MAKES).index(name)
    for k in range(count):
        random = Random(f"{SEED} {place} {_SPLITS[split]} {k}")
        distracting = random.random() < make.distracting
        yield draws.draw(random, part.rules(random), distracting, part.values)


def _arrays(name: str, split: str, count: int) -> dict[str, np.ndarray]:
    symbols = np.empty((count, PANELS, SYMBOLS), np.int8)
    targets, rules = np.empty(count, np.int64), np.full((count, MOST_RULES, 2), -1, np.int8)
    for at, matrix in enumerate(drawn(name, split, count)):
        symbols[at], targets[at] = matrix.panels, matrix.target
        told = [(TRIPLES.index(rule.triple), ALONG.index(rule.along)) for rule in matrix.rules]
        rules[at, : len(told)] = told
    return {"symbols": symbols, "targets": targets, "rules": rules}


def _rules(rows: np.ndarray) -> tuple[Rule, ...]:
    return tuple(Rule(TRIPLES[triple], ALONG[along]) for triple, along in rows.tolist() if triple >= 0)


def load(
    info: DatasetInfo, split: str, source: str | None = None, limit: int | None = None, side: int | None = None
) -> MatrixSet:
    """One split of a set of matrices, drawn once and kept on disk, or read from published files.

    Args:
        source: an npz file of PGM or RAVEN, or a folder of them.
        limit: only the first samples.
        side: of the panels that a network takes, in pixels; None: 80.

    Raises:
        NoSplit: no such split. DataError: a source that cannot be read.
    """
    side = SIDE if side is None else side
    if source is not None:
        return _published(info, split, source, limit, side)
    if split not in info.splits:
        raise NoSplit(f"{info.name} has no split {split!r}; there are {', '.join(info.splits)}")
    count = min(info.splits[split], limit or info.splits[split])
    parameters = {"layout": LAYOUT, "name": info.name, "split": split, "count": count}
    arrays = cached("matrices", parameters, lambda: _arrays(info.name, split, count))
    return MatrixSet(
        name=info.name,
        title=info.title,
        split=split,
        labels=torch.from_numpy(arrays["targets"]),
        symbols=arrays["symbols"],
        panels=None,
        rules=tuple(_rules(rows) for rows in arrays["rules"]),
        side=side,
        hashes=tuple(hashlib.sha256(matrix.tobytes()).hexdigest() for matrix in arrays["symbols"]),
        licence=info.licence,
        stand_in=info.stand_in,
        stand_in_for=info.stand_in_for,
    )


def _published(info: DatasetInfo, split: str, source: str, limit: int | None, side: int) -> MatrixSet:
    found = published.read(source, split, side, limit)
    if not found:
        raise DataError(f"{source} holds no matrices")
    panels = np.stack([matrix.panels for matrix in found])
    return MatrixSet(
        name=info.name,
        title=info.real_title,
        split=split,
        labels=torch.tensor([matrix.target for matrix in found]),
        symbols=None,
        panels=panels,
        rules=tuple(tuple(Rule(triple, "rows") for triple in matrix.triples) for matrix in found),
        side=side,
        hashes=tuple(hashlib.sha256(matrix.tobytes()).hexdigest() for matrix in panels),
        licence=info.real_licence,
        source=source,
    )
