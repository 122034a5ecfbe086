"""Observation of a network's routing: named measures with their axes, and how they follow from the counts.

Measures are defined in :mod:`routescope.routing.observed.measures`, and are per step unless their name says otherwise.
Similarity (debiased linear CKA, cosine) is of *contributions*: outputs weighted by compatibility, so that routing
enters; each row is a token of a sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Bool, Float

from routescope.nn.shown import short_repr
from routescope.routing.files import load_dataset, save_dataset
from routescope.routing.observed import measures
from routescope.routing.observed.tally import Exemplars, Tally


def centred_parts(
    x: Float[np.ndarray, "n d"],
) -> tuple[Float[np.ndarray, "n d"], Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """Return centred x (n, d), the diagonal of K = x x^T, and the row sums of K with a diagonal of zeros."""
    x = x.astype(np.float64)
    x = x - x.mean(axis=0)  # changes no HSIC_1, and keeps the numbers small
    diagonal = (x**2).sum(axis=1)
    return x, diagonal, x @ x.sum(axis=0) - diagonal


Parts = tuple[np.ndarray, np.ndarray, np.ndarray]


def hsic(a: Parts, b: Parts) -> float:
    """Return the unbiased estimator HSIC_1 of Song et al. 2012 (Equation 5) for linear kernels, without any n x n
    matrix.

    HSIC_1 = [tr(K~ L~) + 1'K~1 1'L~1 / ((n-1)(n-2)) - 2 / (n-2) 1'K~L~1] / (n (n-3)), K~ and L~ with zero diagonals.
    """
    (x, x_diagonal, x_sums), (y, y_diagonal, y_sums) = a, b
    n = len(x)
    trace = ((x.T @ y) ** 2).sum() - x_diagonal @ y_diagonal
    both = x_sums.sum() * y_sums.sum() / ((n - 1) * (n - 2))
    return float((trace + both - 2 / (n - 2) * (x_sums @ y_sums)) / (n * (n - 3)))


def cka_matrix(parts: list[Parts]) -> Float[np.ndarray, "k k"]:
    """Return the debiased linear CKA of every pair: HSIC_1(K, L) / sqrt(HSIC_1(K, K) HSIC_1(L, L)).

    1 for equal outputs up to rotation and scale, about 0 for independent ones, where it may be below 0. NaN with fewer
    than four rows, and for outputs that do not vary.
    """
    k = len(parts)
    similarity = np.full((k, k), np.nan)
    if not k or len(parts[0][0]) < 4:
        return similarity
    norms = [hsic(part, part) for part in parts]
    scale = [(part[1].mean() or 1.0) ** 2 for part in parts]
    varies = [value > 1e-12 * size and part[1].any() for value, size, part in zip(norms, scale, parts, strict=True)]
    for i in range(k):
        for j in range(i, k):
            if varies[i] and varies[j]:
                value = 1.0 if i == j else hsic(parts[i], parts[j]) / np.sqrt(norms[i] * norms[j])
                similarity[i, j] = similarity[j, i] = value
    return similarity


def cka(outputs: Float[np.ndarray, "k n d"]) -> Float[np.ndarray, "k k"]:
    """Return the debiased linear CKA between outputs for the same n inputs; see :func:`cka_matrix`."""
    return cka_matrix([centred_parts(x) for x in outputs])


def cosine(outputs: Float[np.ndarray, "k n d"]) -> Float[np.ndarray, "k k"]:
    """Return the mean over inputs of the cosine between two outputs, without inputs for which either is zero.

    NaN where no input is left.
    """
    x = outputs.astype(np.float64)
    norms = np.linalg.norm(x, axis=-1, keepdims=True)
    x = np.divide(x, norms, out=np.zeros_like(x), where=norms > 0)
    alive = (norms[..., 0] > 0).astype(np.float64)
    sums, counts = np.einsum("ind,jnd->ij", x, x, optimize=True), alive @ alive.T
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


STEP, UNITS, PAIR = ("step",), ("step", "unit"), ("step", "unit", "other")
Variables = dict[str, tuple[tuple[str, ...], Any]]

#: Tables and the variables in them, which share their axes.
TABLES: dict[str, tuple[str, ...]] = {
    "steps": (
        "entropy", "entropy_share", "effective_units", "balance_cv", "balance_max_over_mean", "balance_gini",
        "collapse_worst", "collapse_average", "mutual_information", "specialisation", "specialisation_null",
        "specialisation_null_high", "specialisation_position", "specialisation_feature", "jsd_samples", "repeat_rate",
        "repeat_chance", "unmatched", "units_taking_part", "cka_rows",
    ),
    "usage": ("usage",),
    "labels": ("joint", "label_share"),
    "specialisation_shuffled": ("specialisation_null_draws",),
    "positions": ("by_position",),
    "label_distances": ("jsd_labels",),
    "step_distances": ("jsd_steps", "cka_steps"),
    "coactivation": ("coactivation", "coactivation_expected"),
    "similarity": ("cka", "cosine"),
    "similarity_by_step": ("cka_by_step", "cosine_by_step"),
    "exemplars": ("exemplar_set", "exemplar_sample", "exemplar_token", "exemplar_step", "exemplar_weight"),
}  # fmt: skip
NAMES = tuple(TABLES)


@dataclass(frozen=True)
class Observation:
    """Observed measures of a model over data sets.

    ``dataset`` has coordinates step, unit (place in its script), label, token, rank and shuffle, and (dims in
    brackets):

    * usage (step, unit): p(m), the unit's share of routing weight; 0 for units that are dropped.
    * joint (step, unit, label): p(m, k); label_share: p(k | m), NaN for a unit that is not used.
      by_position (step, unit, token): p(m, token).
    * entropy, entropy_share, effective_units (step): means over tokens of H, H / ln M and exp(H), M the units that
      take part in the step (``units_taking_part``).
    * balance_cv, balance_max_over_mean, balance_gini, collapse_worst, collapse_average (step): of p(m), over M.
    * mutual_information, specialisation (step): I(unit; label) in nats, and over min(H(unit), H(label)).
      specialisation_null_draws (shuffle, step): with labels shuffled between samples, alike for all steps;
      specialisation_null, specialisation_null_high (step): their mean and 95th percentile. For means over steps,
      whose percentile is not the mean of these, there is ``null_over``. Controls of the same form:
      specialisation_position, by token; specialisation_feature, by what a patch looks like (k-means groups of pixels,
      as many as labels; CLS tokens left out).
    * jsd_samples (step): mean Jensen-Shannon distance (base 2, 0 to 1) between two samples' shares at one token.
      jsd_labels (step, label, label_other): between p(m | k). jsd_steps (step, step_other): mean over tokens; within
      a script.
    * repeat_rate, repeat_chance (step): share of tokens whose dominant unit is that of the step before; by chance.
    * coactivation, coactivation_expected (step, unit, other): P(i and j) and P(i) P(j), a unit being active on a
      token where its compatibility is above 0.
    * cka_by_step, cosine_by_step (step, unit, other): debiased linear CKA and mean cosine of what two units
      contribute to the same tokens, on ``cka_rows`` (step) of them. Contributions are weighted by compatibility, so
      routing enters; they are not the units' raw outputs. cka, cosine (unit, other): means over steps.
      cka_steps (step, step_other): CKA of all units' contributions side by side, on the tokens that both compute.
    * unmatched (step): share of tokens that match no unit. They have no routing and count nowhere else but in P(i).
    * exemplar_set, exemplar_sample, exemplar_token, exemplar_step (unit, rank): positions in ``attrs["data"]``, in
      that data set, in ``token`` and in ``step``; -1 where there is none. exemplar_weight: the compatibility.

    With several scripts, ``unit`` f2 stands for s1.f2 at the steps of the first script and for s2.f2 at those of the
    second. What is per step is of one unit; cka, cosine and exemplars pool the units that share a place.

    NaN stands where a measure is not defined. Attributes: model, revision, intervention, data (JSON), count, seed.
    """

    dataset: xr.Dataset

    __repr__ = short_repr

    def __getitem__(self, name: str) -> xr.DataArray:
        return self.dataset[name]

    def table(self, name: str) -> pd.DataFrame:
        """Return one of ``TABLES``, a row for each combination of its axes; raises ValueError for another name."""
        if name not in TABLES:
            raise ValueError(f"there is no table {name!r}; there are {', '.join(TABLES)}")
        return self.dataset[list(TABLES[name])].to_dataframe().reset_index()

    def null_over(self, steps: Sequence[str] | None = None) -> tuple[float, float]:
        """Return mean and 95th percentile, over shuffles, of the mean specialisation over ``steps`` (None: all of
        them).

        Compare the mean of ``specialisation`` over these steps with it. NaN where no step has a number.
        """
        draws = self["specialisation_null_draws"]
        means = draws.sel(step=draws["step"].values if steps is None else list(steps)).mean("step", skipna=True)
        return float(means.mean()), float(np.quantile(means, 0.95))

    def plot(self, name: str, axes: Any = None) -> Any:
        """Draw one variable: lines over steps, a matrix, or a matrix for each step. Returns the array of matplotlib
        axes."""
        from routescope.plots.observed import plot

        return plot(self, name, axes)

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file."""
        return save_dataset(self.dataset, path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of ``save``."""
        return cls(load_dataset(path))


def _mean(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return np.divide(sums, counts, out=np.full(np.shape(sums), np.nan), where=counts > 0)


def use(tally: Tally, taking_part: Bool[np.ndarray, "step unit"]) -> Variables:
    """Return usage, entropy, balance, collapse and co-activation."""
    p = measures.shares(tally.by_position.sum(axis=-1))
    M = taking_part.sum(axis=1).astype(float)
    H = _mean(tally.entropy, tally.matched)
    several = np.log(np.where(M > 1, M, 1))
    active = tally.together / np.maximum(tally.elements, 1)[:, None, None]
    alone = np.einsum("sii->si", active)
    return {
        "usage": (UNITS, p),
        "by_position": (("step", "unit", "token"), measures.shares(tally.by_position, axes=2)),
        "entropy": (STEP, H),
        "entropy_share": (STEP, _mean(H, several)),
        "effective_units": (STEP, _mean(tally.effective, tally.matched)),
        "units_taking_part": (STEP, M.astype(int)),
        "unmatched": (STEP, 1 - _mean(tally.matched, tally.elements)),
        **{name: (STEP, values) for name, values in measures.over_units(p, taking_part).items()},
        "coactivation": (PAIR, active),
        "coactivation_expected": (PAIR, alone[:, :, None] * alone[:, None]),
    }


def specialisation(tally: Tally, shuffles: int, rng: np.random.Generator) -> Variables:
    """Return specialisation by label, its null and its controls; NaN where heads have no labels."""
    joint, nothing = tally.joint, np.full(tally.shape.steps, np.nan)
    null, information = np.tile(nothing, (shuffles, 1)), nothing
    if tally.shape.labels:
        labels, information = np.concatenate(tally.labels), measures.mutual_information(joint)
        null = measures.specialisation_null(tally.weights, labels, tally.shape.labels, shuffles, rng)
    by_group = measures.shares(tally.by_group, axes=2)
    return {
        "joint": (("step", "unit", "label"), joint),
        "label_share": (("step", "unit", "label"), _mean(joint, joint.sum(axis=-1, keepdims=True) + 0 * joint)),
        "mutual_information": (STEP, information),
        "specialisation": (STEP, measures.specialisation(joint)),
        "specialisation_null_draws": (("shuffle", "step"), null),
        "specialisation_null": (STEP, null.mean(axis=0)),
        "specialisation_null_high": (STEP, np.quantile(null, 0.95, axis=0)),
        "specialisation_position": (STEP, measures.specialisation(measures.shares(tally.by_position, axes=2))),
        "specialisation_feature": (STEP, measures.specialisation(by_group) if tally.shape.groups else nothing),
    }


def consistency(
    tally: Tally, C: Float[np.ndarray, "sample step unit token"], pairs: int, rng: np.random.Generator
) -> Variables:
    """Return distances between samples, labels and steps, and repeated assignments."""
    by_label = measures.shares(np.moveaxis(tally.joint, -1, 1))  # p(m | k): (step, label, unit)
    between = measures.js_distance(by_label[:, :, None], by_label[:, None])
    repeated = np.array([measures.repeats(counts) for counts in tally.transitions])
    return {
        "jsd_samples": (STEP, sample_distance(C, pairs, rng)),
        "jsd_labels": (("step", "label", "label_other"), between),
        "jsd_steps": (("step", "step_other"), _mean(tally.step_distances, tally.step_pairs)),
        "repeat_rate": (STEP, repeated[:, 0]),
        "repeat_chance": (STEP, repeated[:, 1]),
    }


def sample_distance(
    C: Float[np.ndarray, "sample step unit token"], pairs: int, rng: np.random.Generator
) -> Float[np.ndarray, " step"]:
    """Return the mean Jensen-Shannon distance between two samples' shares at the same token, over pairs and tokens.

    All pairs where there are no more than ``pairs``, else so many drawn with repeats.
    """
    N, S = C.shape[:2]
    first, second = np.triu_indices(N, 1)
    if len(first) > pairs:
        drawn = rng.integers(0, len(first), pairs)
        first, second = first[drawn], second[drawn]
    distances = np.full(S, np.nan)
    for s in range(S):
        p = measures.shares(np.moveaxis(C[:, s], 1, -1).astype(np.float64))
        distance = measures.js_distance(p[first], p[second])
        if np.isfinite(distance).any():
            distances[s] = np.nanmean(distance)
    return distances


def alike(outputs: list[np.ndarray], taking_part: np.ndarray) -> Variables:
    """Return CKA and cosine of the units' contributions, between units and between steps.

    A step that computes fewer tokens, as the last one does, is compared on those. Padding, where outputs are NaN, is
    left out.

    Args:
        outputs: for each step (unit, sample, token, feature); none for a network without contributions.
    """
    S, M = taking_part.shape
    by_step, cosines = np.full((S, M, M), np.nan), np.full((S, M, M), np.nan)
    rows = [0] * S
    for s, x in enumerate(outputs):
        flat = x.reshape(M, x.shape[1] * x.shape[2], x.shape[-1])
        flat = _there(flat)
        rows[s] = flat.shape[1]
        by_step[s], cosines[s] = cka(flat), cosine(flat)
    steps = np.full((S, S), np.nan)
    for V in sorted({x.shape[2] for x in outputs}):  # steps with at least V tokens, on the first V of them
        some = [s for s in range(S) if outputs[s].shape[2] >= V]
        beside = [np.moveaxis(outputs[s][:, :, :V], 0, 2) for s in some]  # (sample, token, unit, feature)
        side = np.stack([x.reshape(-1, x.shape[2] * x.shape[3]) for x in beside])
        similarity = cka(_there(side))
        steps[np.ix_(some, some)] = similarity  # pairs that both have more tokens get theirs later
    return {
        "cka_by_step": (PAIR, by_step),
        "cosine_by_step": (PAIR, cosines),
        "cka": (("unit", "other"), _nanmean(by_step)),
        "cosine": (("unit", "other"), _nanmean(cosines)),
        "cka_steps": (("step", "step_other"), steps),
        "cka_rows": (STEP, np.array(rows)),
    }


def _there(flat: Float[np.ndarray, "k row feature"]) -> Float[np.ndarray, "k row feature"]:
    """Return the rows without padding."""
    padding = np.isnan(flat).any(axis=(0, 2))
    return flat[:, ~padding] if padding.any() else flat


def _nanmean(values: np.ndarray) -> np.ndarray:
    return _mean(np.nansum(values, axis=0), np.isfinite(values).sum(axis=0))


def exemplars(kept: Exemplars, counts: Sequence[int]) -> Variables:
    """Return data set, sample in it, token and step of the exemplars; ``counts`` are the samples of each data set."""
    axes, origin = ("unit", "rank"), kept.place
    starts = np.cumsum([0, *counts])
    present = origin["sample"] >= 0
    of = np.where(present, np.searchsorted(starts, origin["sample"], side="right") - 1, -1)
    return {
        "exemplar_set": (axes, of),
        "exemplar_sample": (axes, np.where(present, origin["sample"] - starts[of], -1)),
        "exemplar_token": (axes, origin["token"]),
        "exemplar_step": (axes, origin["step"]),
        "exemplar_weight": (axes, np.where(present, kept.weight, np.nan)),
    }
