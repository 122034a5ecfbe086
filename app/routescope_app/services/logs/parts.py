"""Parts of routing logs for pages: tokens, sequences, paths, the spread of tokens over experts, comparisons."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from routescope.nn.experts import NO_EXPERT
from routescope.routing.compare import Comparison, decisions
from routescope.routing.logs import RoutingLog
from routescope.routing.logs.packing import LONGEST_LAYER, LONGEST_NOTE, MOST_LAYERS, cut
from routescope.routing.observed.load import Exemplar
from routescope.routing.observed.log_load import observed
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring.loads import AFTER, BEFORE, without_exemplars

#: Decimals of shares and margins: weights of logs have 16 bits.
_DECIMALS = 5
#: Sentences about a log in one answer, and characters of the tokens before and after an exemplar.
MOST_NOTES, LONGEST_AROUND = 24, 200
#: Numbers that one exemplar takes the room of in an answer.
_EXEMPLAR = 60


def facts_within(facts: Mapping[str, Any], *, whole: bool) -> dict[str, Any]:
    """Return facts of a log, names and sentences cut; layers and sentences only if ``whole``, not in lists."""
    layers, assumed, notes = (facts.get(key, []) for key in ("layers", "assumed", "notes"))
    short = {
        **facts,
        **{key: cut(str(facts[key])) for key in ("format", "version", "file")},
        "layer_count": len(layers),
        "note_count": len(notes),
    }
    if not whole:
        return short | {"layers": [], "assumed": [], "notes": []}
    return short | {
        "layers": [_layer_within(layer) for layer in layers[:MOST_LAYERS]],
        "assumed": [cut(line, LONGEST_NOTE) for line in assumed[:MOST_NOTES]],
        "notes": [cut(line, LONGEST_NOTE) for line in notes[:MOST_NOTES]],
    }


def _layer_within(layer: Mapping[str, Any]) -> dict[str, Any]:
    used = [{**unit, "unit": cut(unit["unit"], 2 * LONGEST_LAYER)} for unit in layer["most_used"]]
    return {**layer, "layer": cut(layer["layer"], LONGEST_LAYER), "most_used": used}


def usage(log: RoutingLog, offset: int, limit: int, most: int) -> dict[str, Any]:
    """Return counts of tokens by expert at up to ``limit`` layers, and ``most`` numbers, from ``offset`` on."""
    part = slice(offset, offset + max(1, min(limit, most // log.num_experts)))
    return {
        "layers": list(log.layers[part]),
        "indices": list(log.indices[part]),
        "counts": log.usage()[part].tolist(),
        "offset": offset,
        "total": len(log.layers),
    }


def tokens(log: RoutingLog, offset: int, limit: int, most: int) -> tuple[list[dict[str, Any]], int]:
    """Return tokens from ``offset`` on with up to ``most`` experts in all, and the number of tokens."""
    limit = min(limit, max(1, most // max(1, len(log.layers) * log.slots)))
    rows = range(offset, min(offset + limit, len(log)))
    return [
        {
            "place": row,
            "sequence": log.sequences[log.sequence[row]],
            "text": log.text(row),
            "experts": [[int(expert) for expert in slots if expert != NO_EXPERT] for slots in log.experts[row]],
        }
        for row in rows
    ], len(log)


def sequences(log: RoutingLog, offset: int, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Return sequences from ``offset`` on with their numbers of tokens, and the number of sequences."""
    counts = np.bincount(log.sequence, minlength=len(log.sequences))
    places = range(offset, min(offset + limit, len(log.sequences)))
    return [{"sequence": at, "name": log.sequences[at], "tokens": int(counts[at])} for at in places], len(counts)


def path(log: RoutingLog, sequence: int, start: int, count: int, most: int) -> dict[str, Any]:
    """Return the experts of ``count`` tokens of a sequence from index ``start`` on, layer by layer.

    Args:
        most: numbers in the answer, which limits the tokens.

    Raises:
        NotFound: there is no such sequence, or no token at that index.
    """
    if log.counts is not None:
        raise NotFound("This log has counts of tokens by layer and expert and no tokens, so no paths.")
    if sequence >= len(log.sequences):
        raise NotFound(f"This log has no sequence {sequence}; they are numbered from 0 to {len(log.sequences) - 1}.")
    rows = log.rows_of(sequence)
    if start >= len(rows):
        raise NotFound(f"This sequence has no token {start}; it has {len(rows)}, counted from 0.")
    count = max(1, min(count, most // (len(log.layers) * (2 * log.slots + 1))))
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
    margins = log.margin[part].T.astype(np.float64)
    return [[round(value, _DECIMALS) if np.isfinite(value) else None for value in layer] for layer in margins.tolist()]


def _token(log: RoutingLog, row: int, start: int) -> dict[str, Any]:
    return {
        "place": row - start,
        "text": None if log.token_texts is None else log.token_texts[row],
        "number": None if log.token_ids is None else int(log.token_ids[row]),
    }


def load(log: RoutingLog) -> dict[str, Any]:
    """Return how the tokens of a log spread over experts."""
    observation = observed(log)
    spread = observation.load
    return _rounded(without_exemplars(spread)) | {
        "exemplars": [_exemplar(log, exemplar) for exemplar in spread.exemplars],
        "notes": [cut(note, LONGEST_NOTE) for note in [*log.notes, *observation.notes][:MOST_NOTES]],
    }


def load_within(whole: Mapping[str, Any], layer: str | None, most: int) -> dict[str, Any]:
    """Return a load for an answer: all of it, or the details of one layer if all are too many.

    Details are pairs of experts, kinds of tokens and exemplars.

    Args:
        whole: from ``load``.
        layer: whose details are included; the first one if there is no such layer.
        most: numbers in the answer.
    """
    if _numbers(whole["layers"]) + _EXEMPLAR * len(whole["exemplars"]) <= most:
        return {**whole, "detailed": None}
    names = [entry["name"] for entry in whole["layers"]]
    name = layer if layer in names else names[0]
    layers = [entry if entry["name"] == name else {**entry, **dict.fromkeys(_DETAILS)} for entry in whole["layers"]]
    exemplars = [entry for entry in whole["exemplars"] if entry["unit"].rpartition(".")[0] == name]
    notes, at = list(whole["notes"]), names.index(name)
    if _numbers(layers) > 2 * most:
        layers[at] = {**layers[at], **dict.fromkeys(_DETAILS)}
        notes.append("Pairs of experts and kinds of tokens are left out: a layer has too many experts.")
    return {**whole, "layers": layers, "exemplars": exemplars[: most // _EXEMPLAR], "notes": notes, "detailed": name}


#: Fields of a layer that have a number for every two experts, or for every expert and kind of token.
_DETAILS = ("together", "alike", "by_token")


def _numbers(value: object) -> int:
    """Return the number of values in nested lists and objects."""
    if isinstance(value, dict):
        return sum(map(_numbers, value.values()))
    if isinstance(value, list):
        return len(value) if value and isinstance(value[0], int | float) else sum(map(_numbers, value))
    return 1


def _rounded(value: Any) -> Any:
    """Return the value with its fractions rounded."""
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list) else value


def agreeing(
    comparison: Comparison, sequence: int | None, offset: int, limit: int
) -> tuple[int, list[dict[str, Any]], int]:
    """Return a sequence, its tokens from ``offset`` on with the share of layers that agree, and the number of tokens.

    Args:
        sequence: its index in A; None: the one that agrees least.

    Raises:
        NotFound: none of its tokens was compared.
    """
    agreement, first = comparison.agreement(), comparison.first()
    if sequence is None:
        lost = np.where(np.isfinite(agreement), 1 - agreement, 0)
        sequence = int(np.argmax(np.bincount(comparison.sequence, lost)))
        sequence = sequence if (comparison.sequence == sequence).any() else int(comparison.sequence[0])
    rows = np.flatnonzero(comparison.sequence == sequence)
    if not len(rows):
        raise NotFound("None of the tokens of this sequence was compared.")
    items = [
        {
            "place": int(comparison.places[0][row]),
            "text": None if comparison.texts is None else comparison.texts[row],
            "agreement": None if np.isnan(agreement[row]) else round(float(agreement[row]), 6),
            "first": None if first[row] < 0 else comparison.layers[first[row]],
        }
        for row in rows[offset : offset + limit]
    ]
    return sequence, items, len(rows)


def decision(a: RoutingLog, b: RoutingLog, comparison: Comparison, token: int) -> dict[str, Any]:
    """Return the experts of a token in both logs, by its index in A; raises LogError if it was not compared."""
    layers = decisions(a, b, comparison, token)
    at = comparison.place_of(token)
    rows = np.flatnonzero(comparison.sequence == comparison.sequence[at])
    other = int(comparison.places[1][at])
    sequence, beside = int(comparison.sequence[at]), int(b.sequence[other])
    return {
        "token": token,
        "at": int(np.flatnonzero(rows == at)[0]),
        "sequence": sequence,
        "sequence_b": beside,
        "place": token - a.rows_of(sequence).start,
        "place_b": other - b.rows_of(beside).start,
        "name": comparison.sequences[sequence],
        "text": None if comparison.texts is None else comparison.texts[at],
        "weighted": a.weights is not None and b.weights is not None,
        "layers": layers,
    }


def _exemplar(log: RoutingLog, exemplar: Exemplar) -> dict[str, Any]:
    """Return a token with the text around it."""
    assert log.token_texts is not None
    texts = [
        log.token_texts[row]
        for row in log.rows_of(exemplar.sample)[max(0, exemplar.token - BEFORE) : exemplar.token + AFTER]
    ]
    at = min(exemplar.token, BEFORE)
    return {
        "unit": exemplar.unit,
        "sequence": exemplar.sample,
        "name": log.sequences[exemplar.sample],
        "token": exemplar.token,
        "weight": exemplar.weight,
        "before": "".join(texts[:at])[-LONGEST_AROUND:],
        "text": texts[at],
        "after": cut("".join(texts[at + 1 :]), LONGEST_AROUND),
    }
