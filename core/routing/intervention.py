"""Interventions on routing as plain data: what is dropped, what is muted, how many iterations run.

An intervention never changes a model; ``apply`` gives a view that shares the model's parameters.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, Self

#: More function iterations than this are refused: a run's cost grows with them.
MAX_ITERATIONS = 64


class Steerable(Protocol):
    """What a network offers to interventions."""

    @property
    def units(self) -> tuple[str, ...]: ...
    @property
    def all_units(self) -> tuple[str, ...]: ...
    def keep(self, units: Sequence[str]) -> Any: ...
    def mute(self, units: Sequence[str]) -> Any: ...


class InterventionError(ValueError):
    """An intervention that the model cannot take; the message says what it would accept."""


@dataclass(frozen=True)
class Intervention:
    """What to change about the routing of one computation.

    Args:
        drop: units that are removed, so that compatibilities are renormalised over those that stay.
        mute: units whose compatibility is set to zero after normalisation. A unit that is also
            dropped is only dropped.
        iterations: function iterations per script; the model's own number when None.

    Order and duplicates do not matter; dropping every unit is allowed.
    """

    drop: tuple[str, ...] = ()
    mute: tuple[str, ...] = ()
    iterations: int | None = None

    def __post_init__(self) -> None:
        for field in ("drop", "mute"):
            value = getattr(self, field)
            names = isinstance(value, (tuple, list, set, frozenset)) and all(isinstance(unit, str) for unit in value)
            if not names:
                raise InterventionError(f"{field} must be a list of unit names such as ['f1', 'f3']")
        drop = set(self.drop)
        object.__setattr__(self, "drop", tuple(sorted(drop)))
        object.__setattr__(self, "mute", tuple(sorted(set(self.mute) - drop)))
        if self.iterations is not None and (
            isinstance(self.iterations, bool)
            or not isinstance(self.iterations, int)
            or not 0 <= self.iterations <= MAX_ITERATIONS
        ):
            raise InterventionError(f"iterations must be a whole number from 0 to {MAX_ITERATIONS}")

    def to_json(self) -> str:
        """Canonical JSON: sorted keys, no spaces."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote; raises InterventionError for anything else."""
        try:
            fields = json.loads(text)
            return cls(**fields)
        except (TypeError, json.JSONDecodeError) as error:
            raise InterventionError("an intervention is JSON with the fields drop, mute and iterations") from error

    @property
    def digest(self) -> str:
        """Hash of the canonical JSON: equal interventions have equal digests."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    def validate(self, model: Steerable) -> None:
        """Raise InterventionError when the model lacks a unit that is named."""
        unknown = sorted({*self.drop, *self.mute} - set(model.units))
        if unknown:
            shown = ", ".join(unit[:40] for unit in unknown[:5])
            raise InterventionError(f"unknown units: {shown}; this model has {', '.join(model.units)}")

    def apply(self, model: Any) -> Any:
        """A view of the model, with its own probes, in which the units are dropped and muted.

        The number of iterations is no property of a view: pass ``iterations`` to the call.
        """
        self.validate(model)
        view = model.keep([unit for unit in model.units if unit not in self.drop])
        return view.mute(self.mute) if self.mute else view
