"""The base class of configs: every size of a network, as data."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


@dataclass(frozen=True)
class Config:
    """A frozen dataclass of sizes, which a checkpoint keeps as JSON beside the weights.

    A subclass has the fields, or properties, ``domains``, ``iterations`` and ``classes``; the other properties have
    defaults.

    Attributes:
        domains: data sets that the network can be scored on, one head each.
        iterations: how many run by default.
        classes: labels of a head.
    """

    @property
    def domains(self) -> tuple[str, ...]:
        """Data sets that the network can be scored on."""
        return ()

    @property
    def iterations(self) -> int:
        """Number of iterations, or layers, that run by default."""
        return 1

    @property
    def classes(self) -> int:
        """Labels of a head; 0 where heads answer with no labels."""
        return 0

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the labels in their order, where the network has its own; else none."""
        return ()

    @property
    def held_out(self) -> tuple[str, ...]:
        """Domains that training never saw."""
        return ()

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches; (0, 0) where tokens are no patches."""
        return 0, 0

    @property
    def picture_side(self) -> int | None:
        """Side of the square pictures that are read, in pixels; None where none are."""
        return None

    @property
    def prior(self) -> str | None:
        """Name of the random graph that links were drawn to; None where there is none."""
        return None

    def to_json(self) -> str:
        """Canonical JSON of all fields."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote; unknown fields raise TypeError."""
        given: dict[str, Any] = json.loads(text)
        tuples = {field.name for field in fields(cls) if str(field.type).startswith("tuple")}
        return cls(**{name: tuple(value) if name in tuples else value for name, value in given.items()})
