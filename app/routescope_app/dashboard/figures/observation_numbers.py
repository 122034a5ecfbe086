"""The numbers of an observation as arrays, and what pictures need of them: means over steps, the matrix."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routescope_app.api.schemas.results import Observation
from routescope_app.dashboard.figures import steps as step_names


def values(observation: Observation, name: str) -> np.ndarray:
    """A variable of an observation, float64; NaN where it has no finite number.

    Raises:
        KeyError: when the observation has no such variable; the message names those it has.
    """
    if name not in observation.variables:
        raise KeyError(f"an observation has no variable {name!r}; it has {', '.join(observation.variables)}")
    return np.asarray(observation.variables[name].values, dtype=np.float64)


def taking_part(observation: Observation) -> int:
    """Return the largest number of units in a step, without dropped ones."""
    if "units_taking_part" in observation.variables:
        return int(np.nanmax(values(observation, "units_taking_part")))
    return len([unit for unit in observation.units if unit not in observation.intervention.drop])


def chosen_steps(observation: Observation, steps: Sequence[str]) -> list[int]:
    """Positions of the named steps, in the model's order; of all steps when none of the names is one."""
    return _places(observation.steps, steps)


def _places(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    return [index for index, name in enumerate(names) if name in wanted] or list(range(len(names)))


def words_of_steps(names: Sequence[str], wanted: Sequence[str]) -> str:
    """Return the words for steps: ``"iteration 3"`` or ``"mean over iteration 1 to iteration 6"``."""
    taken = [names[index] for index in _places(names, wanted)]
    said = [step_names.step_words(name) for name in taken]
    if len(taken) == 1:
        return said[0] if said != taken else f"step {taken[0]}"
    if len(taken) == len(names):
        return f"mean over {said[0]} to {said[-1]}"
    return f"mean over {'; '.join(said)}"


def step_words(observation: Observation, steps: Sequence[str]) -> str:
    """:func:`words_of_steps` for the steps of an observation."""
    return words_of_steps(observation.steps, steps)


def brief_steps(observation: Observation, steps: Sequence[str]) -> str:
    """:func:`step_words`, where there are several scripts by the names of the steps, which are shorter."""
    if not several_scripts(observation):
        return step_words(observation, steps)
    names = [observation.steps[index] for index in chosen_steps(observation, steps)]
    if len(names) == 1:
        return names[0]
    return f"mean over {f'{names[0]} to {names[-1]}' if len(names) == len(observation.steps) else ', '.join(names)}"


def over_steps(observation: Observation, name: str, steps: Sequence[str]) -> np.ndarray:
    """Mean of a variable with a leading axis of steps over the chosen ones; NaN where none has a number."""
    taken = values(observation, name)[chosen_steps(observation, steps)]
    counted = np.isfinite(taken)
    total = np.where(counted, taken, 0).sum(axis=0)
    count = counted.sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def null_over_steps(observation: Observation, steps: Sequence[str]) -> tuple[float, float] | None:
    """Mean and 95th percentile, over shuffles of the labels, of the mean specialisation over the chosen steps.

    Not the mean of the steps' percentiles, which is too high. None where the observation has no shuffles.
    """
    if "specialisation_null_draws" not in observation.variables:
        return None
    draws = values(observation, "specialisation_null_draws")[:, chosen_steps(observation, steps)]
    counted = np.isfinite(draws).sum(axis=1)
    means = np.where(counted > 0, np.nansum(draws, axis=1) / np.maximum(counted, 1), np.nan)
    means = means[np.isfinite(means)]
    return (float(means.mean()), float(np.quantile(means, 0.95))) if len(means) else (float("nan"), float("nan"))


def several_scripts(observation: Observation) -> bool:
    """Return whether steps are named by script and iteration, such as s1.i2."""
    return any("." in step for step in observation.steps)


def dropped(observation: Observation, steps: Sequence[str] = ()) -> list[bool]:
    """For each unit, whether it is dropped at all of the chosen steps; f2 is s1.f2 at the steps of script s1."""
    gone = set(observation.intervention.drop)
    scripts = {observation.steps[index].rpartition(".")[0] for index in chosen_steps(observation, steps)}
    return [all(f"{script}.{unit}".lstrip(".") in gone for script in scripts) for unit in observation.units]


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """``above / below``, NaN where there is nothing below."""
    return np.divide(above, below, out=np.full(np.broadcast_shapes(above.shape, below.shape), np.nan), where=below > 0)


@dataclass(frozen=True)
class LabelMatrix:
    """Units against labels.

    Attributes:
        joint: p(m, k), mean over the steps, (unit, label).
        share: p(m | k), the share of a label's routing that a unit takes, (unit, label).
        lift: p(m, k) / (p(m) p(k)); 1 where unit and label are independent, (unit, label).
        usage: p(m), (unit,).
    """

    joint: np.ndarray
    share: np.ndarray
    lift: np.ndarray
    usage: np.ndarray


def label_matrix(observation: Observation, steps: Sequence[str] = ()) -> LabelMatrix:
    """The joint share of units and labels, and what follows from it, as the mean over ``steps`` (none: over all)."""
    joint = over_steps(observation, "joint", steps)
    unit, label = np.nansum(joint, axis=1), np.nansum(joint, axis=0)
    total = unit.sum()
    return LabelMatrix(
        joint,
        ratio(joint, label[None, :]),
        ratio(joint * total, unit[:, None] * label[None, :]),
        ratio(unit, np.asarray(total)),
    )


PATCH = re.compile(r"^patch:(\d+),(\d+)$")


def token_words(token: str) -> str:
    """A token for people; patches are counted from 1."""
    if patch := PATCH.match(token):
        return f"patch {int(patch[1]) + 1}, {int(patch[2]) + 1}"
    return token.replace("cls:", "CLS ").replace(":", " ", 1)
