"""Facts about a log, as numbers for people and programs."""

from typing import Any

import numpy as np
from jaxtyping import Int64

from routescope.nn.experts import NO_EXPERT
from routescope.routing.logs.log import RoutingLog

#: Number of a layer's experts that are named.
MOST_USED = 8


def evenness(counts: Int64[np.ndarray, " expert"]) -> float:
    """Return the entropy of the use of experts over that of equal use, 0 to 1; NaN of no use."""
    total = counts.sum()
    if not total or len(counts) == 1:
        return 0.0 if total else float("nan")
    shares = counts[counts > 0] / total
    return float(-(shares * np.log(shares)).sum() / np.log(len(counts)) + 0.0)


def facts_of(log: RoutingLog) -> dict[str, Any]:
    """Return source, assumptions, sizes and use of experts by layer of a log, as JSON has them.

    Shares are of all choices at the layer. Experts have their name, numbered from 1, and the log's number, from 0. The
    evenness of a layer without logged experts is None. A log of counts has no tokens: ``top_k`` and the tokens of its
    layers are None.
    """
    usage = log.usage()
    return {
        "format": log.source.format,
        "version": log.source.version,
        "file": log.source.file,
        "tokens": len(log),
        "sequences": len(log.sequences),
        "experts": log.num_experts,
        "experts_counted": log.counted,
        "top_k": log.slots if log.counts is None else None,
        "counts_only": log.counts is not None,
        "has": {
            "weights": log.weights is not None,
            "margin": log.margin is not None,
            "token_ids": log.token_ids is not None,
            "token_texts": log.token_texts is not None,
        },
        "missing": log.missing(),
        "layers": [_layer(log, layer, usage[layer]) for layer in range(len(log.layers))],
        "assumed": list(log.assumed),
        "notes": list(log.notes),
    }


def _layer(log: RoutingLog, layer: int, counts: Int64[np.ndarray, " expert"]) -> dict[str, Any]:
    total = int(counts.sum())
    order = np.argsort(-counts, kind="stable")[:MOST_USED]
    even = evenness(counts)
    return {
        "layer": log.layers[layer],
        "index": log.indices[layer],
        "evenness": None if np.isnan(even) else round(even, 6),
        "never_used": int((counts == 0).sum()),
        "tokens": None if log.counts is not None else int((log.experts[:, layer] != NO_EXPERT).any(axis=1).sum()),
        "most_used": [
            {
                "unit": log.unit(layer, int(expert)),
                "index": int(expert),
                "count": int(counts[expert]),
                "share": round(int(counts[expert]) / total, 6),
            }
            for expert in order
            if counts[expert]
        ],
    }
