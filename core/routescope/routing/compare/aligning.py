"""Alignment of two logs: the tokens and layers that are the same in both."""

import numpy as np
from jaxtyping import Int64

from routescope.routing.logs import LogError, RoutingLog

Tokens = tuple[Int64[np.ndarray, " token"], Int64[np.ndarray, " token"]]
Layers = tuple[tuple[int, ...], tuple[int, ...]]


def align(a: RoutingLog, b: RoutingLog) -> tuple[Tokens, Layers, list[str]]:
    """Pair layers by name and tokens by sequence and position.

    Sequences are paired by name where names are unique and shared, else in their order where there are as many. The
    tokens of a sequence are compared up to the first that differs: later tokens have another context. Where a log has
    neither ids nor texts of its tokens, they are taken to be the same.

    Raises:
        LogError: logs without a layer, a sequence or a token in common, of counts alone, or of models with different
            numbers of experts.
    """
    for name, log in (("A", a), ("B", b)):
        if log.counts is not None:
            raise LogError(
                f"{name}, {log.source.file}, has counts of tokens by layer and expert and no tokens; two routings are "
                "compared token by token. Give logs with tokens"
            )
    if a.num_experts != b.num_experts and not (a.counted or b.counted):
        raise LogError(
            f"A has {a.num_experts} experts a layer and B {b.num_experts}; two routings are compared of layers that "
            "have the same experts"
        )
    notes = list[str]()
    layers = _layers(a, b, notes)
    pairs = _sequences(a, b, notes)
    left, right, left_out = [], [], 0
    starts = [_starts(log) for log in (a, b)]
    for in_a, in_b in pairs:
        first, second = (slice(*at[sequence : sequence + 2]) for at, sequence in zip(starts, (in_a, in_b), strict=True))
        count = _shared(a, b, first, second)
        left.append(np.arange(first.start, first.start + count))
        right.append(np.arange(second.start, second.start + count))
        left_out += max(first.stop - first.start, second.stop - second.start) - count
    tokens = np.concatenate(left), np.concatenate(right)
    if not len(tokens[0]):
        raise LogError("A and B have no token in common: their sequences begin with different tokens")
    if left_out:
        notes.append(
            f"{left_out:,} tokens follow others than in the other log, or are of one log alone, and are left out."
        )
    if not _known(a, b):
        notes.append("A log has neither ids nor texts of its tokens: they are taken to be the same in both.")
    if a.slots != b.slots:
        notes.append(f"A token takes {a.slots} experts in A and {b.slots} in B: no set can be the same.")
    return tokens, layers, notes


def _layers(a: RoutingLog, b: RoutingLog, notes: list[str]) -> Layers:
    shared = [name for name in a.layers if name in b.layers]
    if len(a.layers) == len(b.layers) and len(shared) < len(a.layers):
        notes.append(f"Layers are paired in their order: {a.layers[0]} is {b.layers[0]} in B.")
        return tuple(range(len(a.layers))), tuple(range(len(b.layers)))
    if not shared:
        raise LogError(f"A and B have no layer in common: {', '.join(a.layers[:5])} and {', '.join(b.layers[:5])}")
    if left_out := len(a.layers) + len(b.layers) - 2 * len(shared):
        notes.append(f"{left_out} layers are of one log alone and are left out.")
    return tuple(a.layers.index(name) for name in shared), tuple(b.layers.index(name) for name in shared)


def _sequences(a: RoutingLog, b: RoutingLog, notes: list[str]) -> list[tuple[int, int]]:
    places = {name: at for at, name in enumerate(b.sequences)}
    unique = len(places) == len(b.sequences) and len(set(a.sequences)) == len(a.sequences)
    pairs = [(at, places[name]) for at, name in enumerate(a.sequences) if name in places] if unique else []
    if pairs:
        if left_out := len(a.sequences) + len(b.sequences) - 2 * len(pairs):
            notes.append(f"{left_out:,} sequences are of one log alone and are left out.")
        return pairs
    if len(a.sequences) != len(b.sequences):
        raise LogError(
            f"A has {len(a.sequences)} sequences and B {len(b.sequences)}, and none of the same name: two routings are "
            "compared of the same sequences"
        )
    notes.append("Sequences are paired in their order, as their names differ.")
    return [(at, at) for at in range(len(a.sequences))]


def _starts(log: RoutingLog) -> list[int]:
    """Return the position of the first token of every sequence, and the number of tokens."""
    numbers = np.arange(len(log.sequences) + 1, dtype=log.sequence.dtype)  # of another type all tokens would be copied
    starts: list[int] = np.searchsorted(log.sequence, numbers).tolist()
    return starts


def _known(a: RoutingLog, b: RoutingLog) -> bool:
    ids = a.token_ids is not None and b.token_ids is not None
    return ids or (a.token_texts is not None and b.token_texts is not None)


def _shared(a: RoutingLog, b: RoutingLog, first: slice, second: slice) -> int:
    """Return how many tokens are the same from the start of two sequences."""
    count = min(first.stop - first.start, second.stop - second.start)
    if a.token_ids is not None and b.token_ids is not None:
        differ = np.flatnonzero(a.token_ids[first][:count] != b.token_ids[second][:count])
        return int(differ[0]) if len(differ) else count
    if a.token_texts is not None and b.token_texts is not None:
        pairs = zip(a.token_texts[first], b.token_texts[second], strict=False)
        return next((at for at, (text, other) in enumerate(pairs) if text != other), count)
    return count
