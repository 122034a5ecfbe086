"""Matrices of six regimes, each a domain: drawn, or read from published files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Int8, Int64, UInt8
from torch import Tensor

from routescope.data.cache import cached
from routescope.data.catalogue import dataset
from routescope.data.kinds.matrices.files import resized
from routescope.data.matrices import draws, published, regimes
from routescope.data.matrices.grammar import RELATIONS, TRIPLES, Triple
from routescope.data.matrices.panels import SYMBOLS
from routescope.data.matrices.rendering import SIDE, render
from routescope.data.matrices.solver import ALONG, Rule
from routescope.data.samples import DataError, DatasetInfo, Rows, SampleRequest, Samples, hashes_of
from routescope.nn.inputs.matrices import ANSWERS, PANELS, Matrices

#: The published sets have 1.2 million, 20,000 and 200,000 matrices.
SIZES = {"train": 20_000, "validation": 1_000, "test": 1_000}
_SPLITS = {name: place for place, name in enumerate(SIZES)}
SEED = 5_2018
#: Raise it when matrices that are kept on disk are drawn otherwise.
LAYOUT = 1

#: What the rules of a matrix are about: one relation, or several of them; of RAVEN's nothing is known.
KINDS: tuple[str, ...] = (*RELATIONS, "several relations", "rules unknown")

#: Most triples of a matrix.
MOST_RULES = 4


@dataclass(frozen=True)
class Make:
    """The way to draw the matrices of a data set.

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
    """Return a small grammar: one triple of eight a matrix, two where one is not enough, no distraction."""
    count = 1 if regime in ("neutral", "triples") else 2
    return Make(regime, regimes.SMALL, (count, count), 0.0)


#: The sets of the whole grammar, and of a smaller one, by their names.
MAKES: dict[str, Make] = {
    **{f"pgm-{name}": Make(name) for name in regimes.REGIMES},
    **{f"pgm-small-{name}": _small(name) for name in regimes.REGIMES},
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MatrixSet(Samples):
    """Matrices with the number of the right answer.

    Attributes:
        labels: the right answer, counted from 0.
        symbols: of every panel, where matrices were drawn; None where they were read.
        panels: greys of every panel, where matrices were read.
        rules: of every matrix; none where they are unknown.
        side: of the panels that a network takes, in pixels.
        hashes: of symbols, or of panels.
        kind: the relation of each matrix, or that it has several, or that its rules are unknown.
    """

    columns: ClassVar[tuple[str, ...]] = (*Samples.columns, "symbols", "panels", "rules")

    kinds: tuple[str, ...] = KINDS
    kind: Int64[Tensor, " sample"]
    symbols: Int8[np.ndarray, "sample 16 33"] | None = None
    panels: UInt8[np.ndarray, "sample 16 side side"] | None = None
    rules: tuple[tuple[Rule, ...], ...]
    side: int

    def pictures(self, rows: Rows, side: int | None = None) -> UInt8[np.ndarray, "row 16 side side"]:
        """Return greys in 0..255 of the panels at ``rows``, ``side`` pixels or by default as networks take them."""
        positions = self.positions(rows).tolist()
        wanted = self.side if side is None else side
        if self.symbols is not None:
            return render(self.symbols[positions], wanted)
        assert self.panels is not None
        return np.stack([resized(panels, wanted) for panels in self.panels[positions]])

    def inputs(self, rows: Rows) -> Matrices:
        """Return greys in 0..1 of the panels of the matrices at ``rows``, in that order."""
        return Matrices(torch.from_numpy(self.pictures(rows)).float() / 255)

    def rules_of(self, row: int) -> tuple[str, ...]:
        """Return the rules of a matrix, in words; none where they are unknown."""
        return tuple(map(str, self.rules[row]))

    def user_sample(self, inputs: Matrices, digest: str) -> "MatrixSet":
        """Return a user's matrix: its rules are unknown, and its file may name the right answer (else -1)."""
        panels = (inputs.values * 255).round().to(torch.uint8).cpu().numpy()
        return replace(
            self,
            split="own",
            labels=torch.tensor([-1]) if inputs.right is None else inputs.right.cpu(),
            symbols=None,
            panels=panels,
            rules=((),),
            kind=_kinds([()]),
            hashes=(digest,),
        )


def _kinds(rules: Sequence[Sequence[Rule]]) -> Int64[Tensor, " sample"]:
    return torch.tensor([_kind(of_matrix) for of_matrix in rules], dtype=torch.int64)


def _kind(rules: Sequence[Rule]) -> int:
    relations = {rule.triple.relation for rule in rules}
    if not relations:
        return len(RELATIONS) + 1
    return RELATIONS.index(relations.pop()) if len(relations) == 1 else len(RELATIONS)


def drawn(name: str, split: str, count: int) -> Iterator[draws.Matrix]:
    """The first matrices of a split: matrix k is the same however many are drawn."""
    make = MAKES[name]
    part = regimes.regime(make.regime, make.triples, make.counts).part(split)
    position = list(MAKES).index(name)
    for k in range(count):
        random = Random(f"{SEED} {position} {_SPLITS[split]} {k}")
        distracting = random.random() < make.distracting
        yield draws.draw(random, part.rules(random), distracting, part.values)


def _arrays(name: str, split: str, count: int) -> dict[str, np.ndarray]:
    symbols = np.empty((count, PANELS, SYMBOLS), np.int8)
    targets, rules = np.empty(count, np.int64), np.full((count, MOST_RULES, 2), -1, np.int8)
    for at, matrix in enumerate(drawn(name, split, count)):
        symbols[at], targets[at] = matrix.panels, matrix.target
        numbers = [(TRIPLES.index(rule.triple), ALONG.index(rule.along)) for rule in matrix.rules]
        rules[at, : len(numbers)] = numbers
    return {"symbols": symbols, "targets": targets, "rules": rules}


def _info(name: str, make: Make) -> DatasetInfo:
    grammar = "fewer rules" if make.triples == regimes.SMALL else "the whole grammar"
    regime = regimes.WORDS[make.regime]
    return DatasetInfo(
        name=name,
        title=f"Matrices, {regime} (generated, {grammar}; PGM stand-in)",
        licence="generated by this project",
        splits=dict(SIZES),
        classes=tuple(f"answer {answer}" for answer in range(1, ANSWERS + 1)),
        inputs="matrices",
        stand_in_for="PGM",
        real_title=f"Matrices, {regime}, as published",
        real_licence="PGM: D. Barrett et al. 2018, Apache 2.0; RAVEN: C. Zhang et al. 2019, GPL 3.0",
    )


@dataset(*(_info(name, make) for name, make in MAKES.items()))
def matrices(request: SampleRequest) -> MatrixSet:
    """Return matrices that are drawn once and kept on disk, or those of a source: an npz file of PGM or RAVEN, or a
    folder of them."""
    side = SIDE if request.side is None else request.side
    if request.source is not None:
        return _published(request, request.source, side)
    name, split, count = request.info.name, request.split, request.count
    parameters = {"layout": LAYOUT, "name": name, "split": split, "count": count}
    arrays = cached("matrices", parameters, lambda: _arrays(name, split, count))
    rules = tuple(
        tuple(Rule(TRIPLES[triple], ALONG[along]) for triple, along in rows.tolist() if triple >= 0)
        for rows in arrays["rules"]
    )
    return MatrixSet(
        **request.facts,
        labels=torch.from_numpy(arrays["targets"]),
        symbols=arrays["symbols"],
        rules=rules,
        kind=_kinds(rules),
        side=side,
        hashes=hashes_of(matrix.tobytes() for matrix in arrays["symbols"]),
    )


def _published(request: SampleRequest, source: str, side: int) -> MatrixSet:
    read = published.read(source, request.split, side, request.limit)
    if not read:
        raise DataError(f"{source} holds no matrices")
    panels = np.stack([matrix.panels for matrix in read])
    rules = tuple(tuple(Rule(triple, "rows") for triple in matrix.triples) for matrix in read)
    return MatrixSet(
        **request.facts,
        labels=torch.tensor([matrix.target for matrix in read]),
        panels=panels,
        rules=rules,
        kind=_kinds(rules),
        side=side,
        hashes=hashes_of(matrix.tobytes() for matrix in panels),
    )
