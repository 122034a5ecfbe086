"""In which order the samples of several data sets are scored: what is known at any moment is known of a fair draw.

All samples of all sets are put in one random order. It depends on nothing but the data, so that an intervention, its
baseline and its controls are scored in the same one and samples stay pairs. Figures are shown at fixed numbers of
samples: the first so many of the order are then a simple random sample of all, whatever the sets or labels differ in.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int64

from routescope.routing.caused.scores import Scores
from routescope.routing.running import BATCH, FIRST_BATCH

#: Samples of each data set that a round has on average, at least: smaller batches take longer a sample.
FEWEST_OF_EACH = 24


@dataclass(frozen=True)
class ScoredSamples:
    """Scores of some samples of one data set: ``rows`` are their places in it, in rising order."""

    rows: Int64[np.ndarray, " sample"]
    scores: Scores


class Order:
    """One random order of all samples of some data sets, cut into rounds.

    Data sets that hold the same inputs are in the order as one: a sample of it is one of each of them.

    Attributes:
        marks: samples in all after each round: what is shown covers as many.
        places: of each data set, its samples in the order in which they come.
        counts: (data set, round) how many of its samples have come after each round.
        together: places of the data sets in groups, those together that hold the same inputs.
    """

    def __init__(
        self, contents: Sequence[str], limits: Sequence[int], together: Sequence[Sequence[int]] | None = None
    ) -> None:
        """The first ``limits`` samples of sets with these hashes of their contents.

        Args:
            together: as ``routescope.data.sharing.with_same_inputs`` gives it; None: every set is alone.
        """
        self.together = tuple((part,) for part in range(len(limits))) if together is None else tuple(together)
        held = [max(limits[part] for part in parts) for parts in self.together]
        hashes = [contents[parts[0]] for parts in self.together]
        facts = "\n".join(f"{content} {limit}" for content, limit in zip(hashes, held, strict=True))
        seed = int.from_bytes(hashlib.sha256(facts.encode()).digest()[:16])
        total = sum(held)
        shuffled = np.random.default_rng(seed).permutation(total)
        which = np.repeat(np.arange(len(held)), held)[shuffled]
        place = np.concatenate([np.arange(limit) for limit in held])[shuffled]
        size = max(BATCH, FEWEST_OF_EACH * len(held))
        marks = np.append(np.arange(FIRST_BATCH, total, size), total)
        self._group = {part: group for group, parts in enumerate(self.together) for part in parts}
        rounds = list(zip(np.split(place, marks[:-1]), np.split(which, marks[:-1]), strict=True))
        self._drawn = [[rows[of == group] for rows, of in rounds] for group in range(len(held))]
        own = [[rows[rows < limit] for rows in self._drawn[self._group[part]]] for part, limit in enumerate(limits)]
        self.places = [np.concatenate(each) for each in own]
        self.counts = np.stack([np.cumsum([len(rows) for rows in each]) for each in own])
        self.marks = self.counts.sum(axis=0)

    @property
    def rounds(self) -> int:
        return len(self.marks)

    def batches(self, part: int, most: int) -> list[Int64[np.ndarray, " sample"]]:
        """The samples of a data set round by round, at most so many at once; with those that only sets with the same
        inputs have of which more are scored."""
        found = []
        for rows in self._drawn[self._group[part]]:
            if len(rows):
                found += np.array_split(rows, -(-len(rows) // most))
        return found

    def rounds_of(self, part: int, done: int) -> int:
        """How many rounds are whole as far as a data set goes of which so many samples were scored."""
        return int(np.searchsorted(self.counts[part], done, side="right"))

    def rows(self, part: int, rounds: int) -> Int64[np.ndarray, " sample"]:
        """Places of the samples of a data set in the first so many rounds, in rising order."""
        return np.sort(self.places[part][: self.counts[part][rounds - 1] if rounds else 0])
