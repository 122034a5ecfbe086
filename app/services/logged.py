"""Parts of a routing log as pages show them: its sequences, the path of some tokens, how tokens spread over experts."""

from dataclasses import asdict
from typing import Any

import numpy as np

from app.services.errors import NotFound
from app.services.measuring.loads import AFTER, BEFORE, MOST_PAIRS, told
from core.routing.compare import Comparison, decisions
from core.routing.logs import RoutingLog
from core.routing.observed.load import Exemplar
from core.routing.observed.logged import observed

#: Decimals of shares and margins: weights of logs have 16 bits.
_DECIMALS = 5


def sequences(log: RoutingLog, offset: int, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Sequences from ``offset`` on with how many tokens each has, and how many there are."""
    counts = np.bincount(log.sequence, minlength=len(log.sequences))
    places = range(offset, min(offset + limit, len(log.sequences)))
    return [{"sequence": at, "name": log.sequences[at], "tokens": int(counts[at])} for at in places], len(counts)


def path(log: RoutingLog, sequence: int, start: int, count: int, most: int) -> dict[str, Any]:
    """The experts of ``count`` tokens of a sequence from its place ``start`` on, layer by layer.

    Args:
        most: numbers that are told; there are fewer tokens where more are asked for.

    Raises:
        NotFound: the sequence, or a token of it at that place, is not there.
    """
    if sequence >= len(log.sequences):
        raise NotFound(f"This log has no sequence {sequence}; they are numbered from 0 to {len(log.sequences) - 1}.")
    rows = log.rows_of(sequence)
    if start >= len(rows):
        raise NotFound(f"This sequence has no token {start}; it has {len(rows)}, counted from 0.")
    count = max(1, min(count, most // (2 * len(log.layers) * log.slots)))
    part = slice(rows.start + start, min(rows.start + start + count, rows.stop))
    shares = np.round(log.shares(part).astype(np.float64), _DECIMALS)
    return {
        "sequence": sequence,
        "sequence_name": log.sequences[sequence],
        "start": start,
        "total": len(rows),
        "steps": list(log.layers),
        "indices": list(log.indices),
        "units": log.num_experts,
        "tokens": [_token(log, row, rows.start) for row in range(part.start, part.stop)],
        "experts": log.experts[part].transpose(1, 0, 2).tolist(),
        "shares": shares.transpose(1, 0, 2).tolist(),
        "weighted": log.weights is not None,
        "margin": None if log.margin is None else _margins(log, part),
        "margin_of": None if log.margin is None else log.margin_of,
    }


def _margins(log: RoutingLog, part: slice) -> list[list[float | None]]:
    assert log.margin is not None
    found = log.margin[part].T.astype(np.float64)
    return [[round(value, _DECIMALS) if np.isfinite(value) else None for value in layer] for layer in found.tolist()]


def _token(log: RoutingLog, row: int, start: int) -> dict[str, Any]:
    return {
        "place": row - start,
        "text": None if log.token_texts is None else log.token_texts[row],
        "number": None if log.token_ids is None else int(log.token_ids[row]),
    }


def load(log: RoutingLog) -> dict[str, Any]:
    """How its tokens spread over experts."""
    found = observed(log, pairs=len(log.layers) * log.num_experts**2 <= MOST_PAIRS)
    own = found.load
    return told(own) | {
        "exemplars": [_exemplar(log, each) for each in own.exemplars],
        "notes": [*log.notes, *found.notes],
    }


def decision(a: RoutingLog, b: RoutingLog, found: Comparison, token: int) -> dict[str, Any]:
    """What a token, by its place in A, took in both; raises LogError where it was not compared."""
    layers = decisions(a, b, found, token)
    at = int(np.flatnonzero(found.places[0] == token)[0])
    own = np.flatnonzero(found.sequence == found.sequence[at])
    other = int(found.places[1][at])
    sequence, beside = int(found.sequence[at]), int(b.sequence[other])
    return {
        "token": token,
        "at": int(np.flatnonzero(own == at)[0]),
        "sequence": sequence,
        "sequence_b": beside,
        "place": token - a.rows_of(sequence).start,
        "place_b": other - b.rows_of(beside).start,
        "name": found.sequences[sequence],
        "text": None if found.texts is None else found.texts[at],
        "weighted": a.weights is not None and b.weights is not None,
        "layers": [asdict(each) for each in layers],
    }


def _exemplar(log: RoutingLog, each: Exemplar) -> dict[str, Any]:
    """A token within what stands around it."""
    assert log.token_texts is not None
    texts = [log.token_texts[row] for row in log.rows_of(each.sample)[max(0, each.token - BEFORE) : each.token + AFTER]]
    at = min(each.token, BEFORE)
    return {
        "unit": each.unit,
        "sequence": each.sample,
        "name": log.sequences[each.sample],
        "token": each.token,
        "weight": each.weight,
        "before": "".join(texts[:at]),
        "text": texts[at],
        "after": "".join(texts[at + 1 :]),
    }
