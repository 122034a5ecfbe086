"""Blocks of values, shown as a table."""

from routescope.data.kinds.kind import Kind, Table, register_kind
from routescope.nn.inputs.blocks import Blocks


def table(blocks: Blocks) -> Table:
    """Return the blocks of values, one a row."""
    columns = ("block", *(f"number {n + 1}" for n in range(blocks.values.shape[2])))
    return Table(columns, tuple((row, *numbers) for row, numbers in enumerate(blocks.values[0].tolist())))


register_kind(Kind(Blocks, table))
