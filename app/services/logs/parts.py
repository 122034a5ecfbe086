"""Parts of routing logs as pages show them: tokens, sequences, paths, how tokens spread over experts, two compared."""

from dataclasses import asdict
from typing import Any

import numpy as np

from app.services.errors import NotFound
from app.services.measuring.loads import AFTER, BEFORE, without_exemplars
from core.nn.mixture.routed import NO_EXPERT
from core.routing.compare import Comparison, decisions
from core.routing.logs import RoutingLog
from core.routing.observed.load import Exemplar
from core.routing.observed.log_load import observed

#: Decimals of shares and margins: weights of logs have 16 bits.
_DECIMALS = 5


def tokens(log: RoutingLog, offset: int, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Tokens with the experts that they took, from ``offset`` on, and how many there are."""
    rows = range(offset, min(offset + limit, len(log)))
    return [
        {
            "place": row,
            "sequence": log.sequences[log.sequence[row]],
            "text": log.text(row),
            "experts": [[int(expert) for expert in own if expert != NO_EXPERT] for own in log.experts[row]],
        }
        for row in rows
    ], len(log)


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
    if log.counts is not None:
        raise NotFound("This log has counts of tokens by layer and expert and no tokens, so no paths.")
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
    found = observed(log)
    own = found.load
    return without_exemplars(own) | {
        "exemplars": [_exemplar(log, each) for each in own.exemplars],
        "notes": [*log.notes, *found.notes],
    }


def agreeing(found: Comparison, sequence: int | None, offset: int, limit: int) -> tuple[int, list[dict[str, Any]], int]:
    """A sequence, its tokens from ``offset`` on with how many layers agree, and how many it has.

    Args:
        sequence: its place among those of A; None: the one that agrees least.

    Raises:
        NotFound: none of its tokens was compared.
    """
    agreement, first = found.agreement(), found.first()
    if sequence is None:
        lost = np.where(np.isfinite(agreement), 1 - agreement, 0)
        sequence = int(np.argmax(np.bincount(found.sequence, lost)))
        sequence = sequence if (found.sequence == sequence).any() else int(found.sequence[0])
    rows = np.flatnonzero(found.sequence == sequence)
    if not len(rows):
        raise NotFound("None of the tokens of this sequence was compared.")
    items = [
        {
            "place": int(found.places[0][row]),
            "text": None if found.texts is None else found.texts[row],
            "agreement": None if np.isnan(agreement[row]) else round(float(agreement[row]), 6),
            "first": None if first[row] < 0 else found.layers[first[row]],
        }
        for row in rows[offset : offset + limit]
    ]
    return sequence, items, len(rows)


def decision(a: RoutingLog, b: RoutingLog, found: Comparison, token: int) -> dict[str, Any]:
    """What a token, by its place in A, took in both; raises LogError where it was not compared."""
    layers = decisions(a, b, found, token)
    at = found.place_of(token)
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
