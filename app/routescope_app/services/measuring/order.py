"""Scoring order of the samples of several data sets, so that partial figures are of a simple random sample.

All samples of all sets are put in one random order. It depends on the data only, so that an intervention, its baseline
and its controls score the same samples in pairs. Figures are shown at fixed numbers of samples.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int64

from routescope.routing.caused.scores import Scores
from routescope.routing.running import BATCH, FIRST_BATCH

#: Least average number of samples of each data set in a round, because small batches are slow.
FEWEST_OF_EACH = 24


@dataclass(frozen=True)
class ScoredSamples:
    """Scores of some samples of one data set; ``rows`` are their positions in rising order."""

    rows: Int64[np.ndarray, " sample"]
    scores: Scores


class Order:
    """One random order of all samples of some data sets, cut into rounds.

    Data sets with the same inputs count as one in the order: each of its samples is a sample of every such set.

    Attributes:
        marks: number of samples after each round, which figures cover.
        rows_in_order: samples of each data set in their scoring order.
        counts: (data set, round) number of its samples after each round.
        together: numbers of the data sets in groups with the same inputs.
    """

    def __init__(
        self, contents: Sequence[str], limits: Sequence[int], together: Sequence[Sequence[int]] | None = None
    ) -> None:
        """Order the first ``limits`` samples of sets with these content hashes.

        Args:
            together: from ``routescope.data.sharing.with_same_inputs``; None: all inputs differ.
        """
        self.together = tuple((part,) for part in range(len(limits))) if together is None else tuple(together)
        sizes = [max(limits[part] for part in parts) for parts in self.together]
        hashes = [contents[parts[0]] for parts in self.together]
        facts = "\n".join(f"{content} {limit}" for content, limit in zip(hashes, sizes, strict=True))
        seed = int.from_bytes(hashlib.sha256(facts.encode()).digest()[:16])
        total = sum(sizes)
        shuffled = np.random.default_rng(seed).permutation(total)
        group_of = np.repeat(np.arange(len(sizes)), sizes)[shuffled]
        row_of = np.concatenate([np.arange(size) for size in sizes])[shuffled]
        step = max(BATCH, FEWEST_OF_EACH * len(sizes))
        marks = np.append(np.arange(FIRST_BATCH, total, step), total)
        self._group = {part: group for group, parts in enumerate(self.together) for part in parts}
        rounds = list(zip(np.split(row_of, marks[:-1]), np.split(group_of, marks[:-1]), strict=True))
        self._drawn = [[rows[groups == group] for rows, groups in rounds] for group in range(len(sizes))]
        by_round = [
            [rows[rows < limit] for rows in self._drawn[self._group[part]]] for part, limit in enumerate(limits)
        ]
        self.rows_in_order = [np.concatenate(part_rounds) for part_rounds in by_round]
        self.counts = np.stack([np.cumsum([len(rows) for rows in part_rounds]) for part_rounds in by_round])
        self.marks = self.counts.sum(axis=0)

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return len(self.marks)

    def batches(self, part: int, most: int) -> list[Int64[np.ndarray, " sample"]]:
        """Return the samples of a data set round by round, in batches of at most ``most``.

        Batches include samples beyond its limit that are scored for larger sets with the same inputs.
        """
        batches = []
        for rows in self._drawn[self._group[part]]:
            if len(rows):
                batches += np.array_split(rows, -(-len(rows) // most))
        return batches

    def rounds_of(self, part: int, done: int) -> int:
        """Return the number of complete rounds of a data set after ``done`` samples."""
        return int(np.searchsorted(self.counts[part], done, side="right"))

    def rows(self, part: int, rounds: int) -> Int64[np.ndarray, " sample"]:
        """Return the positions of the samples of a data set in the first rounds, in rising order."""
        return np.sort(self.rows_in_order[part][: self.counts[part][rounds - 1] if rounds else 0])
