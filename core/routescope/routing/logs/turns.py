"""Turns of one conversation: a request whose prompt repeats an earlier request and its answer."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int16, Int64, UInt64

from routescope.nn.experts import NO_EXPERT

#: Numbers of a sequence, over tokens, layers and slots, from which on equal routing is no chance.
FEWEST_NUMBERS = 16
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Turn:
    """Origin of a sequence.

    Attributes:
        document: position of its response in the file.
        prompt: number of prompt tokens; None: unknown.
        after: id of the token after the last routed one; None: unknown.
    """

    document: int
    prompt: int | None = None
    after: int | None = None


def repeated(
    experts: Sequence[Int16[np.ndarray, "token layer slot"]],
    ids: Sequence[Int64[np.ndarray, " token"]] | None,
    turns: Sequence[Turn],
) -> dict[int, int]:
    """Map each sequence to the later sequence that begins with all its tokens and goes on.

    Tokens are compared by ``ids``, else by their experts, as no two tokens are routed alike everywhere by chance. The
    prompt of the later sequence must hold the earlier sequence with its answer, where its length is known.
    """
    factors = np.random.default_rng(0).integers(1, 2**63, experts[0][0].size, dtype=np.uint64) | np.uint64(1)
    keys = [_keys(block, factors) if ids is None else _mixed(ids[at]) for at, block in enumerate(experts)]
    starts = [_prefixes(tokens) for tokens in keys]
    wholes: dict[int, deque[int]] = {}
    for at, (tokens, turn) in enumerate(zip(keys, turns, strict=True)):
        if ids is None and experts[at].size < FEWEST_NUMBERS:
            continue
        with_after = ids is not None and turn.after is not None
        whole = np.append(tokens, _mixed(np.array([turn.after]))) if with_after else tokens
        wholes.setdefault(int(_prefixes(whole)[-1]), deque()).append(at)
    hashes = np.sort(np.array(list(wholes), dtype=np.uint64))
    later_of: dict[int, int] = {}
    if not len(hashes):
        return later_of
    for later, (prefixes, turn) in enumerate(zip(starts, turns, strict=True)):
        places = np.minimum(np.searchsorted(hashes, prefixes), len(hashes) - 1)
        for hit in np.flatnonzero(hashes[places] == prefixes):
            waiting = wholes[int(prefixes[hit])]
            count = len(keys[waiting[0]]) if waiting else len(prefixes)
            if count >= len(prefixes) or (turn.prompt is not None and turn.prompt <= count):
                continue
            while waiting and turns[waiting[0]].document < turn.document:
                earlier = waiting.popleft()
                if np.array_equal(keys[earlier], keys[later][:count]):
                    later_of[earlier] = later
    return later_of


def filled(
    experts: list[Int16[np.ndarray, "token layer slot"]], later_of: dict[int, int]
) -> list[Int16[np.ndarray, "token layer slot"]]:
    """Return the blocks with cached tokens of later turns filled in: they get the experts of the earlier turn."""
    experts = list(experts)
    for earlier, later in sorted(later_of.items(), key=lambda pair: len(experts[pair[0]])):
        before, block = experts[earlier], experts[later].copy()
        start = block[: len(before)]
        empty = (start == NO_EXPERT).all(axis=2)
        start[empty] = before[empty]
        experts[later] = block
    return experts


def _keys(
    block: Int16[np.ndarray, "token layer slot"], factors: UInt64[np.ndarray, " number"]
) -> UInt64[np.ndarray, " token"]:
    """Return a number for each token that follows from its experts at all layers."""
    flat = block.reshape(len(block), -1).astype(np.int64).astype(np.uint64)
    return _mixed((flat * factors).sum(axis=1, dtype=np.uint64))


def _mixed(numbers: np.ndarray) -> UInt64[np.ndarray, " token"]:
    values = numbers.astype(np.uint64) + _ODD
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return values ^ (values >> np.uint64(27))


def _prefixes(tokens: UInt64[np.ndarray, " token"]) -> UInt64[np.ndarray, " token"]:
    """Return a number for the start of a sequence up to each token."""
    powers = np.cumprod(np.full(len(tokens), _ODD, dtype=np.uint64))
    return np.cumsum(tokens * powers, dtype=np.uint64)
