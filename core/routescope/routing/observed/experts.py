"""Counts and likeness of the experts of a recorded layer, of the few that each token takes.

``experts`` holds the experts of each token without padding; ``NO_EXPERT`` fills the slots of a token that takes fewer.

Symbols: T tokens, K experts that a token takes, E experts of the layer, L labels.
"""

import numpy as np
from jaxtyping import Float, Int

from routescope.nn.experts import NO_EXPERT
from routescope.routing.observed.measures import js_distance, shares

#: Ends of 95 % intervals.
ENDS = (0.025, 0.975)
#: Pairs of experts, over all layers, up to which every pair is compared.
MOST_PAIRS = 200_000


def are_few(layers: int, experts: int) -> bool:
    """Whether layers have few enough experts to compare every pair."""
    return layers * experts**2 <= MOST_PAIRS


def joint(experts: Int[np.ndarray, "T K"], labels: Int[np.ndarray, " T"], count: int) -> Int[np.ndarray, "E L"]:
    """Count the tokens of each label that take each of ``count`` experts."""
    token, slot = np.nonzero(experts != NO_EXPERT)
    size = int(labels.max()) + 1 if len(labels) else 1
    cells = experts[token, slot].astype(np.int64) * size + labels[token]
    return np.bincount(cells, minlength=count * size).reshape(count, size)


def quantiles(drawn: Float[np.ndarray, "D *some"]) -> tuple[Float[np.ndarray, "*some"], Float[np.ndarray, "*some"]]:
    """Return the ends of 95 % of the draws that are not NaN; NaN where all are."""
    ordered = np.sort(drawn, axis=0)  # NaN last
    last = np.count_nonzero(~np.isnan(ordered), axis=0) - 1
    below, above = (np.full(last.shape, np.nan) for _ in ENDS)
    for end, bound in zip(ENDS, (below, above), strict=True):
        position = np.maximum(last, 0) * end
        first = np.floor(position).astype(np.int64)
        two = [np.take_along_axis(ordered, at[None], axis=0)[0] for at in (first, np.minimum(first + 1, last.clip(0)))]
        np.copyto(bound, two[0] + (two[1] - two[0]) * (position - first), where=last >= 0)
    return below, above


def alike(experts: Int[np.ndarray, "T K"], labels: Int[np.ndarray, " T"], count: int) -> Float[np.ndarray, "E E"]:
    """Return the likeness of every two experts: 1 - the Jensen-Shannon distance of p(label | expert), 0 to 1.

    With bytes or ids of tokens as labels, experts are alike that take the same kinds of tokens, whether or not a token
    takes both. NaN for an expert that no token takes.
    """
    profile = shares(joint(experts, labels, count).astype(np.float64))
    return 1 - js_distance(profile[:, None], profile[None])
