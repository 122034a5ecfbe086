"""Kinds of tokens, such as bytes, and the experts that they take, beside the same with shuffled tokens.

All of it is observed. The first token of a text is left out: nothing precedes it, and it is always the same.

Symbols: L layers, E experts of the largest layer (0 where a layer has fewer), V kinds of tokens, T tokens, K experts
that a token takes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from jaxtyping import Float, Float32, Int, Int64

from routescope.nn.experts import NO_EXPERT
from routescope.nn.shown import short_repr
from routescope.routing.observed.experts import ENDS, alike, joint
from routescope.routing.observed.measures import shares, specialisation

#: Kinds that are told apart, the most frequent ones; all others are one kind, as few tokens of many kinds would look
#: specialised by chance.
MOST_KINDS = 256
#: Kinds whose experts are told, and numbers that this may be.
TOLD, MOST_TOLD = 30, 60_000
#: Choices that all shuffles together count anew, numbers of them that are held, and shuffles there are at least, if as
#: many are asked for: of many layers of many experts there are fewer than that.
MOST_COUNTED, MOST_HELD, FEWEST_SHUFFLES = 500_000_000, 25_000_000, 40
#: Experts of all layers of which kinds are counted: a shuffle counts every expert by every kind.
MOST_EXPERTS = 75_000


@dataclass(frozen=True, eq=False)
class TokenKinds:
    """Experts that kinds of tokens take.

    Attributes:
        kinds: texts of the most frequent ones, the most frequent first.
        counts: tokens of each.
        tokens, distinct: tokens and kinds in all.
        shuffles: number of shuffles.
        share: p(expert | kind).
        low, high: ends of 95 % of the shuffles of each text's own tokens.
        specialised: mutual information of expert and kind over the smaller entropy, 0 to 1; NaN for a single kind.
        null, null_high: mean and 97.5 % quantile of the same with all tokens shuffled.
        within, within_high: with the tokens of each text shuffled, which keeps the topics of texts.
        alike: 1 - the Jensen-Shannon distance of p(kind | expert) of two experts, 0 to 1; NaN for dead experts. None
            where pairs were not compared.
    """

    kinds: tuple[str, ...]
    counts: Int64[np.ndarray, " V"]
    tokens: int
    distinct: int
    shuffles: int
    share: Float[np.ndarray, "L E V"]
    low: Float[np.ndarray, "L E V"]
    high: Float[np.ndarray, "L E V"]
    specialised: Float[np.ndarray, " L"]
    null: Float[np.ndarray, " L"]
    null_high: Float[np.ndarray, " L"]
    within: Float[np.ndarray, " L"]
    within_high: Float[np.ndarray, " L"]
    alike: Float[np.ndarray, "L E E"] | None

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class _Flat:
    """Choices of a layer one after the other, which are counted for every shuffle; see ``experts.joint``."""

    token: Int64[np.ndarray, " choices"]
    base: Int64[np.ndarray, " choices"]
    experts: int

    @classmethod
    def of(cls, experts: Int[np.ndarray, "T K"], count: int) -> Self:
        token, slot = np.nonzero(experts != NO_EXPERT)
        return cls(token, experts[token, slot].astype(np.int64) * (MOST_KINDS + 1), count)

    def joint(self, labels: Int64[np.ndarray, " T"]) -> Int64[np.ndarray, "E V"]:
        size = MOST_KINDS + 1
        return np.bincount(self.base + labels[self.token], minlength=self.experts * size).reshape(-1, size)


class KindCounter:
    """Collects tokens and their experts, text by text, then shuffles; an iteration is one shuffle.

    Args:
        experts: experts of the largest layer.
        shuffles: of all tokens, and as many of the tokens of each text, at most; see ``times``.
        pairs: whether every two experts are compared.
    """

    def __init__(self, layers: int, experts: int, shuffles: int, seed: int, pairs: bool = True) -> None:
        self.layers, self.experts, self.shuffles, self.pairs, self.done = layers, experts, shuffles, pairs, 0
        self._texts: list[np.ndarray] = []
        self._reads: list[str] = []
        self._taken: list[list[np.ndarray]] = [[] for _ in range(layers)]
        self._rng = np.random.default_rng(seed)
        self._numbers = np.zeros((2, shuffles, layers))
        self._drawn: Float32[np.ndarray, "times L E V"] | None = None
        self._settled: tuple[tuple[str, ...], np.ndarray, list[np.ndarray], np.ndarray] | None = None

    def add(self, reads: Sequence[Sequence[str]], experts: Sequence[Float[np.ndarray, "n t K"]]) -> None:
        """Add texts: the text of each token, and the experts that it takes at every layer."""
        number = len(self._texts)
        for row, text in enumerate(reads):
            positions = range(1, len(text))
            self._reads += [text[token] for token in positions]
            self._texts.append(np.full(len(positions), number + row))
            for taken, every in zip(self._taken, experts, strict=True):
                experts_of_text = every[row, 1 : len(text)]
                taken.append(np.where(experts_of_text >= 0, experts_of_text, NO_EXPERT).astype(np.int16))

    def _settle(self) -> tuple[tuple[str, ...], np.ndarray, list[np.ndarray], np.ndarray]:
        """Return kinds (most frequent first), each token's kind, experts by layer, and each token's text."""
        if self._settled is None:
            ranked = sorted(Counter(self._reads).items(), key=lambda counted: (-counted[1], counted[0]))
            rank = {read: min(at, MOST_KINDS) for at, (read, _) in enumerate(ranked)}
            labels = np.array([rank[read] for read in self._reads], dtype=np.int64)
            taken = [np.concatenate(arrays) if arrays else np.zeros((0, 1), np.int16) for arrays in self._taken]
            texts = np.concatenate(self._texts) if self._texts else np.zeros(0, np.int64)
            self._settled = tuple(read for read, _ in ranked), labels, taken, texts
        return self._settled

    @property
    def told(self) -> int:
        """Number of kinds in the result."""
        most = max(8, MOST_TOLD // (self.layers * self.experts))
        return min(TOLD, most, len(self._settle()[0]), MOST_KINDS)

    @property
    def times(self) -> int:
        """Number of shuffles: fewer than asked for where that would take minutes, or too much memory."""
        choices = sum(experts.size for experts in self._settle()[2])
        numbers = self.layers * self.experts * self.told
        most = min(MOST_COUNTED // max(1, choices), MOST_HELD // max(1, numbers))
        return min(self.shuffles, max(FEWEST_SHUFFLES, most))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(shuffles done, in all)."""
        _, labels, taken, texts = self._settle()
        times = self.times
        flat = [_Flat.of(experts, self.experts) for experts in taken]
        if self._drawn is None:
            self._drawn = np.empty((times, self.layers, self.experts, self.told), np.float32)
        while self.done < times and len(labels):
            within = labels[np.argsort(texts + self._rng.random(len(texts)))]  # texts follow each other
            shuffled = self._rng.permutation(labels), within
            for step, experts in enumerate(flat):
                for way, given in enumerate(shuffled):
                    counts = experts.joint(given)
                    self._numbers[way, self.done, step] = _specialised(counts)
                self._drawn[self.done, step] = _of_kinds(counts, self.told)  # of the last way, within texts
            self.done += 1
            yield self.done, times

    def result(self) -> TokenKinds:
        """Return the counts, after the shuffles that are left."""
        for _ in self:
            pass
        kinds, labels, taken, _ = self._settle()
        counts = [joint(experts, labels, self.experts) for experts in taken]
        number = np.bincount(labels, minlength=self.told)[: self.told]
        share = np.stack([_of_kinds(kind_counts, self.told) for kind_counts in counts])
        low, high, null, within = share, share, *np.full((2, 1, self.layers), np.nan)
        if self._drawn is not None and self.done:
            bands = [np.quantile(self._drawn[: self.done, step], ENDS, axis=0) for step in range(self.layers)]
            low, high = np.stack(bands, axis=1)
            null, within = self._numbers[:, : self.done]
        return TokenKinds(
            kinds[: self.told], number, len(labels), len(kinds), self.done, share, low, high,
            np.array([_specialised(kind_counts) for kind_counts in counts]),
            null.mean(axis=0), np.quantile(null, ENDS[1], axis=0),
            within.mean(axis=0), np.quantile(within, ENDS[1], axis=0),
            self._alike(taken, labels),
        )  # fmt: skip

    def _alike(self, taken: list[np.ndarray], labels: Int64[np.ndarray, " T"]) -> Float[np.ndarray, "L E E"] | None:
        if not self.pairs:
            return None
        return np.stack([alike(experts, labels, self.experts) for experts in taken])


def _specialised(counts: Int[np.ndarray, "E V"]) -> float:
    return float(specialisation(shares(counts.astype(np.float64), axes=2)))


def _of_kinds(counts: Int[np.ndarray, "E V"], count: int) -> Float[np.ndarray, "E count"]:
    """Return p(expert | kind) of the first ``count`` kinds."""
    return shares(counts[:, :count].T.astype(np.float64)).T
