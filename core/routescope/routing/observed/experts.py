"""What kinds of tokens take an expert, which experts go together, and which are alike: of the few that tokens take.

Pure functions of a recorded layer: ``experts`` holds, for each token that is no padding, the places of those that it
takes, ``NO_EXPERT`` where it takes fewer. How many take each is in :mod:`routescope.routing.observed.load`. All of it
is observed, nothing caused.

Symbols: T tokens, K experts that a token takes, E experts of the layer, L labels.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from routescope.nn.experts import NO_EXPERT
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.observed.measures import js_distance, shares, specialisation

#: Ends of intervals, and of what shuffles lie between.
ENDS = (0.025, 0.975)
#: Shuffles, and draws of samples, unless told otherwise.
SHUFFLES, DRAWS = 200, 500
#: Numbers, one for every two experts of every layer, beyond which pairs are not looked at for how alike they are.
MOST_PAIRS = 200_000


def are_few(layers: int, experts: int) -> bool:
    """Whether every two experts of every layer are compared, of layers of so many experts: there are not too many."""
    return layers * experts**2 <= MOST_PAIRS


@dataclass(frozen=True)
class AgainstChance:
    """A measure beside the same with shuffled labels: their mean, and between what 95 % of them lie."""

    value: float
    null: float
    null_low: float
    null_high: float

    @property
    def beyond_chance(self) -> bool:
        """Whether it is larger than 97.5 % of the shuffles."""
        return self.value > self.null_high


@dataclass(frozen=True, eq=False)
class Together:
    """Which experts tokens take together.

    Attributes:
        tokens: how many take both; of an expert with itself, how many take it.
        lift: that, over what it would be if experts were taken independently of each other, as often as they are; NaN
            where that is never, and on the diagonal.
        low, high: 95 % interval of the lift, the bootstrap's over samples.
    """

    tokens: Int[np.ndarray, "E E"]
    lift: Float[np.ndarray, "E E"]
    low: Float[np.ndarray, "E E"]
    high: Float[np.ndarray, "E E"]


@dataclass(frozen=True)
class DeadShare:
    """Experts that no token takes: their places, their share, and up to what share of samples could still take one of
    them (the end of Wilson's 95 % interval of none)."""

    places: tuple[int, ...]
    share: float
    samples_high: float


def taken(experts: Int[np.ndarray, "T K"], count: int) -> Bool[np.ndarray, "T E"]:
    """Which of ``count`` experts each token takes."""
    takes = np.zeros((len(experts), count + 1), dtype=bool)
    np.put_along_axis(takes, np.where(experts == NO_EXPERT, count, experts).astype(np.int64), True, axis=1)
    return takes[:, :count]


def dead(experts: Int[np.ndarray, "T K"], count: int, samples: int) -> DeadShare:
    """Which of ``count`` experts none of the tokens of so many samples takes."""
    never = np.flatnonzero(~taken(experts, count).any(axis=0))
    return DeadShare(tuple(map(int, never)), len(never) / count, wilson_interval(0, samples)[1])


def joint(experts: Int[np.ndarray, "T K"], labels: Int[np.ndarray, " T"], count: int) -> Int[np.ndarray, "E L"]:
    """How many tokens of each label take each of ``count`` experts."""
    token, slot = np.nonzero(experts != NO_EXPERT)
    size = int(labels.max()) + 1 if len(labels) else 1
    places = experts[token, slot].astype(np.int64) * size + labels[token]
    return np.bincount(places, minlength=count * size).reshape(count, size)


def specialised(
    experts: Int[np.ndarray, "T K"],
    labels: Int[np.ndarray, " T"],
    count: int,
    samples: Int[np.ndarray, " T"] | None = None,
    shuffles: int = SHUFFLES,
    seed: int = 0,
) -> AgainstChance:
    """How well a label of a token tells its experts: their mutual information over the smaller entropy, 0 to 1.

    Labels are what tokens are, such as their bytes, or of what domain their text is. Few tokens of many labels look
    specialised by chance: labels are shuffled to tell how much.

    Args:
        samples: of which sample each token is, where all tokens of a sample have one label, such as its domain: then
            labels are shuffled between samples, as its tokens are not independent. None: between tokens.

    Raises:
        ValueError: samples with several labels, or no shuffle.
    """
    if shuffles < 1:
        raise ValueError(f"labels are shuffled once or more, not {shuffles} times")
    of_token, sample_labels = np.arange(len(labels)), labels
    if samples is not None:
        _, first, of_token = np.unique(samples, return_index=True, return_inverse=True)
        sample_labels = labels[first]
        if (sample_labels[of_token] != labels).any():
            raise ValueError("all tokens of a sample have one label, or labels are shuffled between tokens")
    rng = np.random.default_rng(seed)
    value = _specialisation(experts, labels, count)
    null = np.array(
        [_specialisation(experts, rng.permutation(sample_labels)[of_token], count) for _ in range(shuffles)]
    )
    low, high = np.quantile(null, ENDS)
    return AgainstChance(value, float(null.mean()), float(low), float(high))


def _specialisation(experts: Int[np.ndarray, "T K"], labels: Int[np.ndarray, " T"], count: int) -> float:
    return float(specialisation(shares(joint(experts, labels, count).astype(np.float64), axes=2)))


def together(
    experts: Int[np.ndarray, "T K"],
    samples: Int[np.ndarray, " T"],
    count: int,
    draws: int = DRAWS,
    seed: int = 0,
) -> Together:
    """Which of ``count`` experts tokens take together, against independence.

    A token that takes K of E experts at random takes each pair less often than independence says: by
    (K - 1) E / (K (E - 1)), which is 4 / 7 for 2 of 8.

    Args:
        samples: of which sample each token is; whole samples are drawn for the interval.

    Raises:
        ValueError: no draw.
    """
    if draws < 1:
        raise ValueError(f"samples are drawn once or more, not {draws} times")
    whole, (_, of) = taken(experts, count), np.unique(samples, return_inverse=True)
    groups = int(of.max()) + 1 if len(of) else 0
    pairs, length = np.zeros((groups, count, count), np.int64), np.bincount(of, minlength=groups)
    for group in range(groups):
        members = whole[of == group].astype(np.int64)
        pairs[group] = members.T @ members
    rng, drawn = np.random.default_rng(seed), np.full((draws, count, count), np.nan)
    for draw in range(draws if groups else 0):
        times = np.bincount(rng.integers(0, groups, groups), minlength=groups)
        drawn[draw] = _lift(np.tensordot(times, pairs, axes=1), int(times @ length))
    total = pairs.sum(axis=0)
    low, high = quantiles(drawn)
    return Together(total, _lift(total, int(length.sum())), low, high)


def _lift(pairs: Int[np.ndarray, "E E"], tokens: int) -> Float[np.ndarray, "E E"]:
    alone = np.diagonal(pairs).astype(np.float64)
    expected = alone[:, None] * alone[None] / max(1, tokens)
    lift = np.divide(pairs, expected, out=np.full(pairs.shape, np.nan), where=expected > 0)
    np.fill_diagonal(lift, np.nan)
    return lift


def quantiles(drawn: Float[np.ndarray, "D *some"]) -> tuple[Float[np.ndarray, "*some"], Float[np.ndarray, "*some"]]:
    """95 % of the draws, of those in which there is a figure; NaN where there is none."""
    ordered = np.sort(drawn, axis=0)  # those without a figure last
    last = np.count_nonzero(~np.isnan(ordered), axis=0) - 1
    below, above = (np.full(last.shape, np.nan) for _ in ENDS)
    for end, bound in zip(ENDS, (below, above), strict=True):
        position = np.maximum(last, 0) * end
        first = np.floor(position).astype(np.int64)
        two = [np.take_along_axis(ordered, at[None], axis=0)[0] for at in (first, np.minimum(first + 1, last.clip(0)))]
        np.copyto(bound, two[0] + (two[1] - two[0]) * (position - first), where=last >= 0)
    return below, above


def alike(experts: Int[np.ndarray, "T K"], labels: Int[np.ndarray, " T"], count: int) -> Float[np.ndarray, "E E"]:
    """How alike two experts are in what they take: 1 - the Jensen-Shannon distance of p(label | expert), 0 to 1.

    With the bytes or ids of tokens as labels, experts are alike that take the same kinds of tokens, whether or not a
    token takes both. NaN for an expert that no token takes.
    """
    profile = shares(joint(experts, labels, count).astype(np.float64))
    return 1 - js_distance(profile[:, None], profile[None])
