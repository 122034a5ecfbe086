"""Measures of routing as functions of shares: balance, collapse, specialisation, distances, chance.

p(m) is a unit's share of routing weight, p(m, k) its joint share with a label k (or position, or group of features).
Logarithms are natural, so entropies are in nats; Jensen-Shannon distances alone use base 2, which puts them in [0, 1].
"""

import numpy as np
from jaxtyping import Bool, Float, Int, Num


def shares(weights: Num[np.ndarray, "*rest"], axes: int = 1) -> Float[np.ndarray, "*rest"]:
    """Return weights over their sum along the last ``axes`` axes, (..., m); zeros where the sum is zero."""
    total = weights.sum(axis=tuple(range(-axes, 0)), keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights, dtype=np.float64), where=total > 0)


def entropy(p: Float[np.ndarray, "*rest m"]) -> Float[np.ndarray, "*rest"]:
    """Return H = -sum_m p log p, in nats, with 0 log 0 = 0."""
    return -(p * np.log(p, out=np.zeros_like(p, dtype=np.float64), where=p > 0)).sum(axis=-1)


def balance(p: Float[np.ndarray, " m"]) -> tuple[float, float, float]:
    """Return coefficient of variation, max / mean and Gini coefficient of p(m); NaN without routing."""
    if not len(p) or p.sum() <= 0:
        return (float("nan"),) * 3
    mean = p.mean()
    gini = np.abs(p[:, None] - p[None]).sum() / (2 * len(p) ** 2 * mean)
    return float(p.std() / mean), float(p.max() / mean), float(gini)


def collapse(p: Float[np.ndarray, " m"]) -> tuple[float, float]:
    """Return worst 1 - M min_m p(m) and average M/(M-1) sum_m max(0, 1/M - p(m)) collapse (Mittal et al. 2022).

    0 is balanced, 1 collapsed. NaN without routing; the average also for a single unit.
    """
    M = len(p)
    if not M or p.sum() <= 0:
        return (float("nan"),) * 2
    average = M / (M - 1) * np.maximum(0, 1 / M - p).sum() if M > 1 else float("nan")
    return float(1 - M * p.min()), float(average)


def mutual_information(joint: Float[np.ndarray, "*rest m k"]) -> Float[np.ndarray, "*rest"]:
    """Return I(unit; k) = H(unit) + H(k) - H(unit, k) in nats, of joint shares that sum to 1; never below 0."""
    flat = joint.reshape(*joint.shape[:-2], -1)
    return np.maximum(0, entropy(joint.sum(axis=-1)) + entropy(joint.sum(axis=-2)) - entropy(flat))


def specialisation(joint: Float[np.ndarray, "*rest m k"]) -> Float[np.ndarray, "*rest"]:
    """Return I(unit; k) / min(H(unit), H(k)), from 0 to 1; NaN where a single unit or a single k has all the weight."""
    least = np.minimum(entropy(joint.sum(axis=-1)), entropy(joint.sum(axis=-2)))
    information = mutual_information(joint)
    undefined = np.full_like(information, np.nan)
    return np.minimum(1, np.divide(information, least, out=undefined, where=least > 1e-12))


def specialisation_null(
    weights: Float[np.ndarray, "sample step m"],
    labels: Int[np.ndarray, " sample"],
    label_count: int,
    shuffles: int,
    rng: np.random.Generator,
) -> Float[np.ndarray, "shuffle step"]:
    """Return the specialisation by labels that were shuffled between samples."""
    N, S, M = weights.shape
    columns, null = np.ascontiguousarray(weights.reshape(N, S * M).T, dtype=np.float64), np.empty((shuffles, S))
    for k in range(shuffles):
        given = np.eye(label_count)[rng.permutation(labels)]
        null[k] = specialisation(shares((columns @ given).reshape(S, M, label_count), axes=2))
    return null


def js_distance(p: Float[np.ndarray, "*rest m"], q: Float[np.ndarray, "*rest m"]) -> Float[np.ndarray, "*rest"]:
    """Return the Jensen-Shannon distance sqrt(H((p + q) / 2) - (H(p) + H(q)) / 2), base 2; NaN where p or q has no
    weight."""
    bits = (entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2) / np.log(2)
    distance = np.sqrt(np.clip(bits, 0, 1))
    return np.where((p.sum(axis=-1) > 0) & (q.sum(axis=-1) > 0), distance, np.nan)


def repeats(transitions: Float[np.ndarray, "m m"]) -> tuple[float, float]:
    """Return the share of tokens whose unit is that of the step before, and the same share by chance.

    ``transitions`` counts (unit before, unit now). Chance keeps how often each unit comes before and now, and combines
    them independently: sum_m q_before(m) q_now(m). NaN where nothing was counted.
    """
    total = transitions.sum()
    if total <= 0:
        return float("nan"), float("nan")
    before, now = transitions.sum(axis=1) / total, transitions.sum(axis=0) / total
    return float(np.trace(transitions) / total), float(before @ now)


def over_units(
    p: Float[np.ndarray, "step m"], taking_part: Bool[np.ndarray, "step m"]
) -> dict[str, Float[np.ndarray, " step"]]:
    """Return balance and collapse of p(m) at every step, over the units that take part in it."""
    rows = [(*balance(row[part]), *collapse(row[part])) for row, part in zip(p, taking_part, strict=True)]
    names = ("balance_cv", "balance_max_over_mean", "balance_gini", "collapse_worst", "collapse_average")
    return {name: np.array([row[k] for row in rows]) for k, name in enumerate(names)}
