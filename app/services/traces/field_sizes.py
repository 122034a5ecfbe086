"""How large a trace would be, field by field and in all, told before anything is recorded."""

from collections.abc import Sequence
from math import prod
from typing import Any

from core.nn.probe import probes_of
from core.routing.constants import constant_sizes
from core.routing.listening import names_along

#: Bytes of one number of a trace: float32.
NUMBER = 4


def bytes_of(model: Any, fields: Sequence[str], iterations: int) -> int:
    """Bytes of these fields of one sample, of all units, whatever an intervention drops."""
    probes, coordinates = probes_of(model), model.coordinates()

    def size(dim: str) -> int:
        """Axes with names have as many places as names; the sizes of others are in the configuration, as plurals."""
        if dim == "sample":
            return 1
        return len(coordinates[dim]) if dim in coordinates else int(getattr(model.config, dim + "s", 1))

    return sum(
        NUMBER * len(names_along(model, probes[name].along, iterations)) * prod(map(size, probes[name].dims))
        for name in fields
    )


def constant_bytes(model: Any) -> int:
    """Bytes of what every trace holds beside its fields, whatever the sample."""
    return sum(constant_sizes(model).values())
