"""From what an Observer has counted to named measures."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr
from jaxtyping import Float

from core.routing.observed import measures, similarity
from core.routing.observed.tally import Tally

if TYPE_CHECKING:
    from core.routing.observed.observer import Observer

STEP, UNITS, PAIR = ("step",), ("step", "unit"), ("step", "unit", "other")
Variables = dict[str, tuple[tuple[str, ...], Any]]


def assemble(
    observer: "Observer", outputs: list[np.ndarray], compatibilities: Float[np.ndarray, "sample step unit token"]
) -> xr.Dataset:
    """All variables of :class:`core.routing.observed.observer.Observation`.

    Args:
        outputs: for each step what the units contribute, (unit, sample, token, feature).
        compatibilities: of the samples that distances between samples are measured on.
    """
    from core.routing.observed.observer import SAMPLE_PAIRS

    tally, model = observer.tally, observer.model
    rng = np.random.default_rng(observer.seed)
    variables: Variables = {
        **use(tally, observer.taking_part),
        **specialisation(tally, observer.shuffles, rng),
        **consistency(tally, compatibilities, SAMPLE_PAIRS, rng),
        **alike(outputs, observer.taking_part),
        **exemplars(observer),
    }
    names = model.coordinates()
    coordinates = {
        "step": model.step_names(tally.shape.steps // tally.shape.scripts),
        "unit": names["unit"],
        "label": names["label"],
        "token": model.tokens,
        "rank": np.arange(1, observer.exemplars.most + 1),
        "shuffle": np.arange(1, observer.shuffles + 1),
    }
    coordinates |= {f"{name}_other": coordinates[name] for name in ("step", "label")} | {"other": names["unit"]}
    data = [
        {"name": dataset.name, "title": dataset.title, "split": dataset.split, "count": count}
        for dataset, count in zip(observer.datasets, observer.counts, strict=True)
    ]
    attrs = {
        "model": getattr(model, "id", ""),
        "revision": getattr(model, "revision", ""),
        "intervention": observer.intervention.to_json(),
        "data": json.dumps(data),
        "count": observer.total,
        "seed": observer.seed,
        "shuffles": observer.shuffles,
    }
    return xr.Dataset(variables, coords={k: (k, np.array(v)) for k, v in coordinates.items()}, attrs=attrs)


def _mean(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return np.divide(sums, counts, out=np.full(np.shape(sums), np.nan), where=counts > 0)


def use(tally: Tally, taking_part: np.ndarray) -> Variables:
    """Usage, entropy, balance, collapse, co-activation."""
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
    """Specialisation by label, its null and its controls."""
    joint, labels = tally.joint, np.concatenate(tally.labels)
    null = measures.specialisation_null(tally.weights, labels, tally.shape.labels, shuffles, rng)
    by_group = measures.shares(tally.by_group, axes=2)
    nothing = np.full(tally.shape.steps, np.nan)
    return {
        "joint": (("step", "unit", "label"), joint),
        "label_share": (("step", "unit", "label"), _mean(joint, joint.sum(axis=-1, keepdims=True) + 0 * joint)),
        "mutual_information": (STEP, measures.mutual_information(joint)),
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
    """Distances between samples, labels and steps; repeated assignments."""
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
    """Mean Jensen-Shannon distance between two samples' shares at the same token, over pairs and tokens.

    All pairs where there are no more than ``pairs``, else so many drawn with repeats.
    """
    N, S = C.shape[:2]
    first, second = np.triu_indices(N, 1)
    if len(first) > pairs:
        drawn = rng.integers(0, len(first), pairs)
        first, second = first[drawn], second[drawn]
    found = np.full(S, np.nan)
    for s in range(S):
        p = measures.shares(np.moveaxis(C[:, s], 1, -1).astype(np.float64))
        distance = measures.js_distance(p[first], p[second])
        if np.isfinite(distance).any():
            found[s] = np.nanmean(distance)
    return found


def alike(outputs: list[np.ndarray], taking_part: np.ndarray) -> Variables:
    """CKA and cosine of what units contribute, between units and between steps.

    A step that computes fewer tokens, as the last one does, is compared on those.
    """
    S, M = taking_part.shape
    by_step, cosines = np.full((S, M, M), np.nan), np.full((S, M, M), np.nan)
    rows = [x.shape[1] * x.shape[2] for x in outputs]
    for s, x in enumerate(outputs):
        flat = x.reshape(M, rows[s], x.shape[-1])
        by_step[s], cosines[s] = similarity.cka(flat), similarity.cosine(flat)
    steps = np.full((S, S), np.nan)
    for V in sorted({x.shape[2] for x in outputs}):  # steps with at least V tokens, on the first V of them
        some = [s for s in range(S) if outputs[s].shape[2] >= V]
        beside = [np.moveaxis(outputs[s][:, :, :V], 0, 2) for s in some]  # (sample, token, unit, feature)
        found = similarity.cka(np.stack([x.reshape(-1, x.shape[2] * x.shape[3]) for x in beside]))
        steps[np.ix_(some, some)] = found  # pairs that both have more tokens get theirs later
    return {
        "cka_by_step": (PAIR, by_step),
        "cosine_by_step": (PAIR, cosines),
        "cka": (("unit", "other"), _nanmean(by_step)),
        "cosine": (("unit", "other"), _nanmean(cosines)),
        "cka_steps": (("step", "step_other"), steps),
        "cka_rows": (STEP, np.array(rows)),
    }


def _nanmean(values: np.ndarray) -> np.ndarray:
    return _mean(np.nansum(values, axis=0), np.isfinite(values).sum(axis=0))


def exemplars(observer: "Observer") -> Variables:
    """Where the exemplars are: data set, sample in it, token and step."""
    axes, place = ("unit", "rank"), observer.exemplars.place
    starts = np.cumsum([0, *observer.counts])
    found = place["sample"] >= 0
    of = np.where(found, np.searchsorted(starts, place["sample"], side="right") - 1, -1)
    return {
        "exemplar_set": (axes, of),
        "exemplar_sample": (axes, np.where(found, place["sample"] - starts[of], -1)),
        "exemplar_token": (axes, place["token"]),
        "exemplar_step": (axes, place["step"]),
        "exemplar_weight": (axes, np.where(found, observer.exemplars.weight, np.nan)),
    }
