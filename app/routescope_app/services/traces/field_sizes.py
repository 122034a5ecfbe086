"""How large a trace would be, field by field and in all, told before anything is recorded."""

from collections.abc import Sequence
from dataclasses import asdict
from math import prod

from routescope.nn.network import Network
from routescope.routing.trace import constant_sizes

#: Bytes of one number of a trace: float32.
NUMBER = 4


def bytes_of(model: Network, fields: Sequence[str], iterations: int) -> int:
    """Bytes of these fields of one sample, of all units, whatever an intervention drops."""
    told, coordinates, sizes = model.fields, model.coordinates(), asdict(model.config)

    def size(dim: str) -> int:
        """Axes with names have as many places as names; the sizes of others are in the configuration, as plurals."""
        if dim == "sample":
            return 1
        return len(coordinates[dim]) if dim in coordinates else int(sizes.get(dim + "s", 1))

    def times(along: str | None) -> int:
        return 1 if along is None else len(model.along(along, iterations))

    return sum(NUMBER * times(told[name].along) * prod(map(size, told[name].dims)) for name in fields)


def constant_bytes(model: Network) -> int:
    """Bytes of what every trace holds beside its fields, whatever the sample."""
    return sum(constant_sizes(model).values())
