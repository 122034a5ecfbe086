"""Load of the experts of a routing log, counted as :mod:`routescope.routing.observed.load` counts that of a model.

A log has the experts of its tokens, and may lack weights, texts or domains: figures that need these are NaN.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int64

from routescope.nn.experts import NO_EXPERT, RoutedLayer
from routescope.routing.logs import RoutingLog
from routescope.routing.observed.experts import are_few
from routescope.routing.observed.load import Exemplar, Load
from routescope.routing.observed.measures import entropy, shares
from routescope.routing.observed.token_kinds import MOST_EXPERTS, KindCounter, TokenKinds

#: Pairs of experts of a token, over all layers, that are counted at most; of more, whole sequences are drawn.
MOST_COUNTED = 30_000_000
#: Choices of tokens that are shuffled in all, and shuffles at least and at most.
SHUFFLED, FEWEST, SHUFFLES = 50_000_000, 10, 200
#: Tokens that each expert has most weight for; fewer where there are more experts than ``MANY`` in all.
EXEMPLARS, MANY = 6, 1_024


@dataclass(frozen=True, eq=False)
class LogLoad:
    """Observed load of a log.

    Attributes:
        load: its single domain is the log. ``weight`` and ``token_entropy`` are NaN for logs without weights. Logs with
            weights and texts have exemplars: ``sample`` is a sequence, ``token`` a position in it. Kinds of tokens are
            their texts, else their numbers; ``by_token`` is None where the log has neither, or too many experts.
        rows: positions of the counted tokens, in the order of the log.
        notes: tokens and figures that were left out, in sentences.
    """

    load: Load
    rows: Int64[np.ndarray, " token"]
    notes: tuple[str, ...]


def observed(log: RoutingLog, most_counted: int = MOST_COUNTED, seed: int = 0, pairs: bool | None = None) -> LogLoad:
    """Return the load of a log.

    Tokens without an expert at some layer are left out. Where there are more tokens than ``most_counted`` allows,
    sequences are drawn at random, and the first tokens of the last one.

    Args:
        most_counted: pairs of experts of a token, over all layers.
        pairs: whether every two experts are compared, which takes much memory for many experts; None: where
            ``are_few``.
    """
    L, E, weighted = len(log.layers), log.num_experts, log.weights is not None
    pairs = log.counts is None and (are_few(L, E) if pairs is None else pairs)
    rows, notes = _rows(log, most_counted, seed)
    experts, share, T = log.experts[rows], log.shares(rows), len(rows)
    chosen, together = np.zeros((L, E, 1)), np.zeros((L, E, E)) if pairs else None
    weight, spread = np.full((L, E), np.nan), np.full(L, np.nan)
    for layer in range(L):
        choices = experts[:, layer]
        taken = choices != NO_EXPERT
        chosen[layer, :, 0] = np.bincount(choices[taken], minlength=E)
        if together is not None:
            together[layer] = _pairs(choices, E)
        if weighted:
            weight[layer] = np.bincount(choices[taken], share[:, layer][taken], minlength=E)
            spread[layer] = entropy(share[:, layer]).sum() / max(1, T)
    if log.counts is not None:
        chosen = log.counts.astype(np.float64)[:, :, None]
    of_domain = np.moveaxis(shares(np.moveaxis(chosen, 2, 1)), 1, 2)
    layers = tuple(RoutedLayer(name, index, E, log.slots) for name, index in zip(log.layers, log.indices, strict=True))
    nothing = np.full(L, np.nan)
    has_exemplars = weighted and log.token_texts is not None
    if (many := L * E > MOST_EXPERTS) and log.counts is None:
        notes = (*notes, "There are too many experts to count the kinds of tokens of each.")
    load = Load(
        layers, (log.source.file,), len(np.unique(log.sequence[rows])), T, chosen, weight, together, spread,
        nothing, nothing, nothing, of_domain, of_domain, _exemplars(log, rows, share, layers) if has_exemplars else (),
        by_token=None if many or log.counts is not None or log.text(0) is None else _kinds(log, rows, seed, pairs),
        unwritten="a log does not say what experts write",
    )  # fmt: skip
    return LogLoad(load, rows, notes)


def _rows(log: RoutingLog, most_counted: int, seed: int) -> tuple[Int64[np.ndarray, " token"], tuple[str, ...]]:
    """Return the counted tokens, and notes about those left out."""
    notes = []
    whole = (log.experts != NO_EXPERT).any(axis=2).all(axis=1)
    rows = np.flatnonzero(whole)
    if len(rows) < len(log):
        notes.append(f"{len(log) - len(rows):,} tokens have no expert at some layer and are left out.")
    most = max(1, most_counted // max(1, len(log.layers) * log.slots**2))
    if len(rows) > most:
        order = np.random.default_rng(seed).permutation(len(log.sequences))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        drawn = rows[np.argsort(rank[log.sequence[rows]], kind="stable")][:most]
        notes.append(f"Counted are {most:,} tokens of {len(rows):,}, of sequences drawn at random (seed {seed}).")
        rows = np.sort(drawn)
    return rows.astype(np.int64), tuple(notes)


def _pairs(experts: Int64[np.ndarray, "T K"], count: int) -> Float[np.ndarray, "E E"]:
    """Return the tokens that took both of two experts; on the diagonal, those that took one."""
    counts = np.zeros(count * count)
    for first in experts.T:
        for other in experts.T:
            both = (first != NO_EXPERT) & (other != NO_EXPERT)
            counts += np.bincount(first[both].astype(np.int64) * count + other[both], minlength=count * count)
    return counts.reshape(count, count)


def _kinds(log: RoutingLog, rows: Int64[np.ndarray, " token"], seed: int, pairs: bool) -> TokenKinds:
    experts = log.experts[rows]
    shuffles = min(SHUFFLES, max(FEWEST, SHUFFLED // max(1, experts.size)))
    counter = KindCounter(len(log.layers), log.num_experts, shuffles, seed, pairs)
    starts = np.flatnonzero(np.diff(log.sequence[rows], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        reads = [log.text(int(row)) or "" for row in rows[start:end]]
        counter.add([reads], [experts[None, start:end, layer].astype(np.float64) for layer in range(len(log.layers))])
    return counter.result()


def _exemplars(
    log: RoutingLog,
    rows: Int64[np.ndarray, " token"],
    share: Float[np.ndarray, "T L K"],
    layers: tuple[RoutedLayer, ...],
) -> tuple[Exemplar, ...]:
    """Return the tokens with most weight for each expert, one from each sequence, without the first token of a
    sequence."""
    most = EXEMPLARS if len(layers) * log.num_experts <= MANY else 1
    sequence = log.sequence[rows]
    start = np.searchsorted(log.sequence, np.arange(len(log.sequences)))
    later = rows > start[sequence]
    exemplars = []
    for at, layer in enumerate(layers):
        choices, weight = log.experts[rows, at], share[:, at]
        token, slot = np.nonzero((choices != NO_EXPERT) & later[:, None])
        expert, value = choices[token, slot].astype(np.int64), weight[token, slot]
        order = np.lexsort((token, -value, sequence[token], expert))
        first = np.ones(len(order), bool)  # of an expert and a sequence, the token of most weight
        first[1:] = (np.diff(expert[order]) != 0) | (np.diff(sequence[token[order]]) != 0)
        order = order[first]
        order = order[np.lexsort((-value[order], expert[order]))]
        rank = np.arange(len(order)) - np.searchsorted(expert[order], expert[order])
        for position in order[rank < most]:
            row = int(rows[token[position]])
            sequence_index = int(log.sequence[row])
            exemplars.append(
                Exemplar(
                    layer.units[expert[position]],
                    0,
                    sequence_index,
                    row - int(start[sequence_index]),
                    float(value[position]),
                )
            )
    return tuple(exemplars)
