"""An observation in the shape of the API's answer, computed from made-up compatibilities."""

import numpy as np

from routescope_app.api.schemas.base import MeasuredSet
from routescope_app.api.schemas.interventions import AppliedIntervention
from routescope_app.api.schemas.results import Exemplar, Observation, ObservedVariable

UNITS = [f"f{n}" for n in range(1, 6)]
STEPS = [f"i{n}" for n in range(1, 7)]
LABELS = [str(n) for n in range(10)]
TOKENS = ["cls:mnist", "cls:mnist-m", "cls:street-digits", *(f"patch:{r},{c}" for r in range(4) for c in range(4))]


def made_up(seed: int = 0, drop: list[str] | None = None) -> Observation:
    """Routing at random, with a preference of every unit for some labels and some places."""
    generator = np.random.default_rng(seed)
    drop = drop or []
    steps, units, labels, tokens = len(STEPS), len(UNITS), len(LABELS), len(TOKENS)
    routing = generator.gamma(0.6, size=(steps, units, labels, tokens)) + 0.15
    routing[:, [UNITS.index(unit) for unit in drop]] = 0
    routing /= routing.sum(axis=1, keepdims=True)
    joint = routing.mean(axis=3) / labels
    position = routing.mean(axis=2) / tokens
    usage = joint.sum(axis=2)
    left = units - len(drop)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(usage > 0, usage * np.log(usage), 0).sum(axis=1)
    together = np.einsum("sulk,svlk->suv", routing, routing) / (labels * tokens)
    expected = usage[:, :, None] * usage[:, None, :]
    symmetric = generator.uniform(0, 1, (units, units))
    symmetric = (symmetric + symmetric.T) / 2
    np.fill_diagonal(symmetric, 1)
    far = generator.uniform(0.05, 0.4, (steps, labels, labels))
    far = far + far.transpose(0, 2, 1)
    between = np.abs(np.subtract.outer(np.arange(steps), np.arange(steps))) * 0.08
    falling = np.linspace(0.12, 0.05, steps)
    draws = falling * generator.uniform(0, 0.05, (200, steps))
    outcome: dict[str, tuple[list[str], np.ndarray]] = {
        "usage": (["step", "unit"], usage),
        "joint": (["step", "unit", "label"], joint),
        "by_position": (["step", "unit", "token"], position),
        "entropy": (["step"], entropy),
        "entropy_share": (["step"], entropy / np.log(left)),
        "effective_units": (["step"], np.exp(entropy)),
        "balance_cv": (["step"], usage.std(axis=1) / usage.mean(axis=1)),
        "balance_max_over_mean": (["step"], usage.max(axis=1) / usage.mean(axis=1)),
        "balance_gini": (["step"], falling * 1.3),
        "collapse_worst": (["step"], 1 - units * usage.min(axis=1)),
        "collapse_average": (["step"], units / (units - 1) * np.maximum(0, 1 / units - usage).sum(axis=1)),
        "specialisation": (["step"], falling),
        "specialisation_null_draws": (["shuffle", "step"], draws),
        "specialisation_null": (["step"], draws.mean(axis=0)),
        "specialisation_null_high": (["step"], np.quantile(draws, 0.95, axis=0)),
        "specialisation_position": (["step"], falling * 2.1),
        "specialisation_feature": (["step"], falling * 1.4),
        "jsd_samples": (["step"], falling * 2),
        "jsd_labels": (["step", "label", "label_other"], far),
        "jsd_steps": (["step", "step_other"], between),
        "repeat_rate": (["step"], 1 - falling),
        "repeat_chance": (["step"], 0.22 + falling),
        "coactivation": (["step", "unit", "other"], together),
        "coactivation_expected": (["step", "unit", "other"], expected),
        "cka": (["unit", "other"], symmetric),
        "cka_by_step": (["step", "unit", "other"], np.stack([symmetric * 0.9**step for step in range(steps)])),
        "cosine_by_step": (["step", "unit", "other"], np.stack([2 * symmetric - 1] * steps)),
        "cka_rows": (["step"], np.array([2033] * (steps - 1) + [321])),
        "units_taking_part": (["step"], np.full(steps, left)),
        "unmatched": (["step"], np.linspace(0, 0.004, steps)),
        "mutual_information": (["step"], falling * 1.5),
        "cka_steps": (["step", "step_other"], 1 - between),
        "cosine": (["unit", "other"], 2 * symmetric - 1),
    }
    variables = {
        name: ObservedVariable(dims=dims, values=np.where(np.isfinite(array), array, np.nan).tolist())
        for name, (dims, array) in outcome.items()
    }
    exemplars = [
        Exemplar(unit=unit, rank=rank, sample=f"mnist.validation.{7 * rank + index}", step=STEPS[rank % 6],
                 token=TOKENS[(3 * rank + index) % len(TOKENS)], weight=0.99 - rank / 50)
        for index, unit in enumerate(UNITS) if unit not in drop for rank in range(12)
    ]  # fmt: skip
    return Observation(
        id="0" * 40, model="ni-digits", revision="abcdef0123456789", seed=seed,
        intervention=AppliedIntervention(drop=drop),
        data=[MeasuredSet(name="mnist", title="MNIST", stand_in=False, count=150),
              MeasuredSet(name="street-digits", title="Street digits", stand_in=True, count=150)],
        count=300, units=UNITS, steps=STEPS, labels=LABELS, tokens=TOKENS, tables=["usage", "joint"],
        variables=variables, exemplars=exemplars, seconds=1.5,
    )  # fmt: skip
