"""The rules and values of matrices for training and for testing, by regime.

Barrett et al. 2018, section 4, and *Neural Interpreters*, Appendix D.0.1. What is held out is drawn at random there and
not printed; here it is drawn from ``SEED`` and stays. In every regime but neutral, validation is like training.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Literal, get_args

from routescope.data.matrices.draws import ALL_VALUES, Values, can_be_drawn
from routescope.data.matrices.grammar import (
    ATTRIBUTE_PAIRS,
    KINDS,
    TRIPLE_PAIRS,
    TRIPLES,
    VALUES,
    ObjectAttribute,
    Triple,
)

RegimeName = Literal["neutral", "interpolation", "attribute-pairs", "triple-pairs", "triples", "extrapolation"]
#: In the order of Table 2.
REGIMES: tuple[RegimeName, ...] = get_args(RegimeName)
WORDS: dict[RegimeName, str] = {
    "neutral": "neutral",
    "interpolation": "interpolation",
    "attribute-pairs": "held-out pairs of attributes",
    "triple-pairs": "held-out pairs of triples",
    "triples": "held-out triples",
    "extrapolation": "extrapolation",
}

SEED = 7_2018
#: How often rules are drawn before it is said that there are none.
PATIENCE = 2_000
#: Of every 29 triples, 400 pairs of triples and 20 pairs of attributes.
HELD_OUT_TRIPLES, HELD_OUT_TRIPLE_PAIRS, HELD_OUT_ATTRIBUTE_PAIRS = 7, 40, 4
#: The attributes whose values are in an order.
ORDERED: tuple[ObjectAttribute, ...] = tuple(kind for kind in KINDS if kind.attribute in ("size", "colour"))

#: A smaller grammar: what can be ruled by one value a panel, for networks that two cores train.
SMALL: tuple[Triple, ...] = tuple(
    rule
    for rule in TRIPLES
    if rule.relation in ("progression", "consistent union") and rule.attribute in ("size", "colour", "number")
)


def _held_out_triples(triples: Sequence[Triple]) -> tuple[Triple, ...]:
    """Draw triples, each of another object and attribute."""
    random = Random(SEED)
    kinds = [kind for kind in KINDS if any(rule.kind == kind for rule in triples)]
    count = min(len(kinds), round(len(triples) * HELD_OUT_TRIPLES / len(TRIPLES)))
    chosen = random.sample(kinds, count)
    return tuple(random.choice([rule for rule in triples if rule.kind == kind]) for kind in KINDS if kind in chosen)


def _pairs_of(triples: Sequence[Triple]) -> tuple[tuple[Triple, Triple], ...]:
    wanted = set(triples)
    return tuple(pair for pair in TRIPLE_PAIRS if wanted.issuperset(pair))


def _held_out_triple_pairs(triples: Sequence[Triple]) -> tuple[tuple[Triple, Triple], ...]:
    pairs = _pairs_of(triples)
    count = round(len(pairs) * HELD_OUT_TRIPLE_PAIRS / len(TRIPLE_PAIRS))
    chosen = set(Random(SEED + 1).sample(range(len(pairs)), count))
    return tuple(pair for at, pair in enumerate(pairs) if at in chosen)


def _held_out_attribute_pairs(triples: Sequence[Triple]) -> tuple[tuple[ObjectAttribute, ObjectAttribute], ...]:
    kinds = {rule.kind for rule in triples}
    pairs = [pair for pair in ATTRIBUTE_PAIRS if kinds.issuperset(pair)]
    count = round(len(pairs) * HELD_OUT_ATTRIBUTE_PAIRS / len(ATTRIBUTE_PAIRS))
    chosen = set(Random(SEED + 2).sample(range(len(pairs)), count))
    return tuple(pair for at, pair in enumerate(pairs) if at in chosen)


Rules = tuple[Triple, ...]


@dataclass(frozen=True)
class RegimePart:
    """The matrices of one part of a regime.

    Attributes:
        triples: that its matrices may have.
        counts: least and most of them in a matrix.
        values: that panels may show.
        starts: one of these, at random, is among the rules of every matrix; none: any rules do.
        allowed: whether a matrix may have these rules.
    """

    triples: Rules
    counts: tuple[int, int]
    values: Values = field(default_factory=lambda: ALL_VALUES)
    starts: tuple[Rules, ...] = ()
    allowed: Callable[[Rules], bool] = lambda rules: True

    def rules(self, random: Random) -> Rules:
        """Draw the rules of a matrix; every number of triples is equally likely.

        Raises:
            ValueError: where none of many can be drawn.
        """
        least, most = max(self.counts[0], max(map(len, self.starts), default=0)), self.counts[1]
        count = random.randint(least, most)
        for _ in range(PATIENCE):
            start = random.choice(self.starts) if self.starts else ()
            rest = [rule for rule in self.triples if rule not in start]
            chosen = (*start, *random.sample(rest, count - len(start)))
            if self.allowed(chosen) and can_be_drawn(chosen, self.values):
                return chosen
        raise ValueError(f"of {count} of these triples no matrix can be drawn: eight answers have to differ")


#: For training, then for testing: the ordered values that panels show.
_SHOWN: dict[str, tuple[Callable[[range], range], Callable[[range], range]]] = {
    "interpolation": (lambda values: values[::2], lambda values: values[1::2]),
    "extrapolation": (lambda values: values[: len(values) // 2], lambda values: values[len(values) // 2 :]),
}


def _restricted(shown: Callable[[range], range]) -> Values:
    """Return all values, but of the ordered attributes those that are shown."""
    return {kind: tuple(shown(range(count)) if kind in ORDERED else range(count)) for kind, count in VALUES.items()}


def _without_pairs(held: Sequence[tuple[Triple, Triple]]) -> Callable[[Rules], bool]:
    apart = {frozenset(pair) for pair in held}
    return lambda rules: not any(frozenset(pair) in apart for pair in combinations(rules, 2))


def _without_kinds(held: Sequence[tuple[ObjectAttribute, ObjectAttribute]]) -> Callable[[Rules], bool]:
    apart = {frozenset(pair) for pair in held}
    return lambda rules: not any(frozenset((a.kind, b.kind)) in apart for a, b in combinations(rules, 2))


@dataclass(frozen=True)
class Regime:
    """The matrices of training and those of testing."""

    train: RegimePart
    test: RegimePart

    def part(self, split: str) -> RegimePart:
        """Return the part of a split; validation is like training."""
        return self.test if split == "test" else self.train


def regime(name: RegimeName, triples: Rules = TRIPLES, counts: tuple[int, int] = (1, 4)) -> Regime:
    """A regime of the grammar, or of some of its triples.

    Args:
        counts: least and most triples of a matrix; where pairs are held out a matrix has two at least.
    """
    pairs = (max(2, counts[0]), max(2, counts[1]))
    if name == "neutral":
        every = RegimePart(triples, counts)
        return Regime(every, every)
    if name in _SHOWN:
        ordered = tuple((rule,) for rule in triples if rule.kind in ORDERED)
        return Regime(*(RegimePart(triples, counts, _restricted(shown), ordered) for shown in _SHOWN[name]))
    if name == "triples":
        held = _held_out_triples(triples)
        rest = tuple(rule for rule in triples if rule not in held)
        return Regime(RegimePart(rest, counts), RegimePart(triples, counts, starts=tuple((rule,) for rule in held)))
    if name == "triple-pairs":
        held_pairs = _held_out_triple_pairs(triples)
        starts = tuple(pair for pair in held_pairs if can_be_drawn(pair))
        return Regime(
            RegimePart(triples, pairs, allowed=_without_pairs(held_pairs)), RegimePart(triples, pairs, starts=starts)
        )
    held_kinds = _held_out_attribute_pairs(triples)
    starts = tuple(
        pair
        for pair in _pairs_of(triples)
        if can_be_drawn(pair) and {frozenset(rule.kind for rule in pair)} <= set(map(frozenset, held_kinds))
    )
    return Regime(
        RegimePart(triples, pairs, allowed=_without_kinds(held_kinds)), RegimePart(triples, pairs, starts=starts)
    )


def held_out(name: RegimeName, triples: Rules = TRIPLES) -> Mapping[str, tuple[str, ...]]:
    """Return what a regime keeps for testing, in words."""
    if name == "triples":
        return {"triples": tuple(map(str, _held_out_triples(triples)))}
    if name == "triple-pairs":
        return {"pairs of triples": tuple(f"{a} with {b}" for a, b in _held_out_triple_pairs(triples))}
    if name == "attribute-pairs":
        return {"pairs of attributes": tuple(f"{a} with {b}" for a, b in _held_out_attribute_pairs(triples))}
    if name == "neutral":
        return {}
    words = "odd-numbered" if name == "interpolation" else "upper half"
    return {"values": tuple(f"{words} of {kind}" for kind in ORDERED)}
