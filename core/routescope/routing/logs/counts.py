"""Loads: how many tokens took each expert, without the tokens."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int64

from routescope.routing.logs.log import LogError, RoutingLog, Source, load_log
from routescope.routing.logs.packing import Reading, check_table
from routescope.routing.logs.sentinels import MOST_EXPERTS

#: Names of arrays that hold counts: (layer, expert), or (step, layer, expert), which are added up.
NAMES = ("logical_count", "expert_load", "expert_count", "expert_counts", "counts", "load")
#: All counts of a log add up to less than this, so that sums of them are exact.
MOST_COUNTED = 2**53
#: Ranks of a log that joins several.
MOST_RANKS = 1_024
NO_TOKENS = "The log has counts of tokens and no tokens: paths, pairs of experts and comparisons need the tokens."


def load_of_counts(
    counts: Int64[np.ndarray, "layer expert"],
    indices: Sequence[int],
    reading: Reading,
    source: Source,
    assumed: Sequence[str] = (),
) -> RoutingLog:
    """Return the log of counts; raises LogError for counts below 0, all 0, or of another shape than given."""
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
        lines.append(
            f"The log does not say the number of experts: {counts.shape[1]} assumed, the highest seen (--experts)."
        )
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


def check_ranks(count: int, file: str) -> None:
    """Raise LogError where a log joins more than ``MOST_RANKS`` ranks."""
    if count > MOST_RANKS:
        raise LogError(f"{file} joins {count:,} ranks; up to {MOST_RANKS:,} are read")
