"""Loads: how many tokens took each expert, without the tokens."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Int64, Shaped

from routescope.nn.experts import NO_EXPERT
from routescope.routing.logs.log import LogError, RoutingLog, Source, load_log
from routescope.routing.logs.packing import Reading, check_table
from routescope.routing.logs.sentinels import MOST_EXPERTS

#: Names of arrays that hold counts: (layer, expert), or (step, layer, expert), which are added up.
NAMES = ("logical_count", "expert_load", "expert_count", "expert_counts", "counts", "load")
#: What all counts of a log add up to less than, so that sums of them are exact.
MOST_COUNTED = 2**53
#: Ranks of a log that joins several.
MOST_RANKS = 1_024
NO_TOKENS = "The log has counts of tokens and no tokens: paths, pairs of experts and comparisons need the tokens."


def load_of_rows(columns: Mapping[str, Shaped[np.ndarray, " row"]], reading: Reading, source: Source) -> RoutingLog:
    """Return the load of a table with a row for each layer and expert.

    Args:
        columns: ``layer``, ``expert`` and ``count``, and ``device``, the rank that counted.

    Raises:
        LogError: counts below 0 or all 0, experts out of range, or several ranks and nobody said what they are.
    """
    layer, expert, count = (columns[name].astype(np.int64) for name in ("layer", "expert", "count"))
    assumed: list[str] = []
    if int(count.min()) < 0:
        raise LogError(f"{source.file}: a count is {int(count.min())}; counts are 0 or more")
    if "device" in columns:
        layer, kept = _of_ranks(layer, expert, count, columns["device"].astype(np.int64), reading, source.file, assumed)
        layer, expert, count = layer[kept], expert[kept], count[kept]
    if (none := expert == NO_EXPERT).any():
        assumed.append(f"Expert -1 stands for no expert: {int(count[none].sum()):,} tokens are left out.")
        layer, expert, count = layer[~none], expert[~none], count[~none]
    indices, row = np.unique(layer, return_inverse=True)
    cells = row * MOST_EXPERTS + expert
    if repeats := len(cells) - len(np.unique(cells)):
        assumed.append(f"Rows that repeat a layer and an expert: {repeats:,}. Their counts are added.")
    width = int(expert.max(initial=-1)) + 1
    check_table(len(indices), 1, source.file)
    width = max(width, reading.experts or 1)
    reading.check_size(8 * len(indices) * width, source.file)
    if float(count.sum(dtype=np.float64)) >= MOST_COUNTED:
        raise LogError(f"{source.file}: the counts add up to more than 2**53; smaller counts are read")
    counts = np.zeros((len(indices), width), dtype=np.int64)
    np.add.at(counts, (row, expert), count)
    return load_of_counts(counts, [int(index) for index in indices], reading, source, assumed)


def load_of_counts(
    counts: Int64[np.ndarray, "layer expert"],
    indices: Sequence[int],
    reading: Reading,
    source: Source,
    assumed: Sequence[str] = (),
) -> RoutingLog:
    """Return the log of counts.

    Raises:
        LogError: counts below 0 or all 0, or other numbers of layers or experts than were given.
    """
    file, lines = source.file, list(assumed)
    for what, given, actual in (("experts", reading.experts, counts.shape[1]), ("layers", reading.layers, len(counts))):
        if given is not None and given != actual:
            option = "--experts" if what == "experts" else "--layers"
            raise LogError(f"{file}: the load has {actual} {what}, and {given} were given ({option})")
    check_table(len(counts), 1, file)
    if counts.shape[1] > MOST_EXPERTS:
        raise LogError(f"{file}: the load has {counts.shape[1]:,} experts; up to {MOST_EXPERTS:,} are read")
    if float(counts.sum(dtype=np.float64)) >= MOST_COUNTED:
        raise LogError(f"{file}: the counts add up to more than 2**53; smaller counts are read")
    if not counts.any():
        raise LogError(f"{file}: nothing was recorded: all {counts.size:,} counts are 0. Record the load again")
    if reading.experts is None:
        lines.append(f"The log does not say how many experts there are; {counts.shape[1]} by the largest (--experts).")
    totals = counts.sum(axis=1)
    if empty := [str(index) for index, total in zip(indices, totals, strict=True) if not total]:
        lines.append(f"At layers {', '.join(empty)} (from 0) no token was counted. They are left out.")
    kept = np.flatnonzero(totals)
    numbers = [indices[int(at)] for at in kept]
    notes = [NO_TOKENS]
    if len(set(totals[kept].tolist())) > 1:
        least, most = int(totals[kept].min()), int(totals[kept].max())
        notes.append(
            f"Layers have {least:,} to {most:,} counts: they are not of the same tokens, or tokens were dropped."
        )
    return load_log(
        source, counts[kept], numbers, [f"l{number + 1}" for number in numbers],
        counted=reading.experts is None, assumed=lines, notes=notes,
    )  # fmt: skip


def _of_ranks(
    layer: Int64[np.ndarray, " row"],
    expert: Int64[np.ndarray, " row"],
    count: Int64[np.ndarray, " row"],
    device: Int64[np.ndarray, " row"],
    reading: Reading,
    file: str,
    assumed: list[str],
) -> tuple[Int64[np.ndarray, " row"], Int64[np.ndarray, " row"]]:
    """Return the layer of each row in the whole model, and places of the rows that are counted."""
    ranks = np.unique(device)
    check_ranks(len(ranks), file)
    every = np.arange(len(layer))
    if len(ranks) < 2:
        return layer, every
    if reading.ranks is None:
        raise LogError(ask_for_ranks(file, ranks))
    if reading.ranks == "pipeline":
        assumed.append(f"{len(ranks)} ranks are stages of a pipeline (--ranks): their layers follow each other.")
        return staged(layer, device), every
    if reading.ranks == "tensor":
        of_rank = [device == rank for rank in ranks]
        tables = [sorted(zip(layer[rows], expert[rows], count[rows], strict=True)) for rows in of_rank]
        if any(table != tables[0] for table in tables):
            raise LogError(
                f"{file}: ranks have different counts, and tensor ranks count the same tokens. Give --ranks data"
            )
        assumed.append(f"{len(ranks)} ranks count the same tokens (tensor, --ranks): they are counted once.")
        return layer, np.flatnonzero(of_rank[0])
    assumed.append(f"{len(ranks)} ranks count tokens of their own ({reading.ranks}, --ranks): their counts are added.")
    return layer, every


def check_ranks(count: int, file: str) -> None:
    """Check how many ranks a log joins.

    Raises:
        LogError: they are more than are read.
    """
    if count > MOST_RANKS:
        raise LogError(f"{file} joins {count:,} ranks; up to {MOST_RANKS:,} are read")


def ask_for_ranks(file: str, ranks: Int64[np.ndarray, " rank"]) -> str:
    """Return the refusal of several ranks of which nobody said what they are."""
    return (
        f"{file} has ranks {', '.join(str(rank) for rank in ranks[:8].tolist())}. Say what they are (--ranks): "
        "pipeline, whose layers follow each other; tensor, which repeat the same tokens; data or expert, which have "
        "tokens of their own"
    )


def staged(layer: Int64[np.ndarray, " row"], device: Int64[np.ndarray, " row"]) -> Int64[np.ndarray, " row"]:
    """Return the layer of each row in the whole model: those of a rank follow those of the ranks before, unless the
    layers of all ranks differ already."""
    moved, seen = layer.copy(), np.zeros(0, dtype=np.int64)
    for rank in np.unique(device):
        rows = device == rank
        layers = np.unique(layer[rows])
        if np.isin(layers, seen).any():
            moved[rows] = layer[rows] + len(seen)
        seen = np.union1d(seen, moved[rows])
    return moved
