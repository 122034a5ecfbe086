"""Jobs that observe how tokens of texts spread over experts, batch by batch; nothing of it is caused."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from routescope.data import Samples
from routescope.nn.network import Network
from routescope.routing.observed.expert_outputs import OutputSimilarity
from routescope.routing.observed.load import Exemplar, Load, observe_load
from routescope.routing.observed.token_kinds import TokenKinds
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring.by_batches import BatchedWork
from routescope_app.services.measuring.scope import Measured
from routescope_app.services.measuring.snapshots import finite

#: Tokens before and after an exemplar that are told with it.
BEFORE, AFTER = 28, 16


class LoadWork(BatchedWork):
    """See ``jobs.Work``."""

    name = "expert-load by token"

    def accept(self, info: ModelInfo) -> None:
        """Models whose tokens are routed to experts."""
        if not info.layers:
            raise NotAccepted("Load is observed of models whose tokens are routed to experts; this one has none.")

    def observe(
        self, folder: Path, model: Network, measured: Measured, facts: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        """Write the load as the API says it."""
        datasets = measured.datasets
        load = {**facts, **described(observe_load(model, datasets, **options), model, datasets)}
        (folder / "load.json").write_text(json.dumps(load, allow_nan=False))


def described(found: Load, model: Network, sets: list[Samples]) -> dict[str, Any]:
    """What was observed, as the API says it."""
    left_out = {"tokens_left_out": found.tokens_left_out, "bytes_left_out": found.bytes_left_out}
    return without_exemplars(found) | left_out | {"exemplars": _exemplars(found.exemplars, model, sets)}


def without_exemplars(found: Load) -> dict[str, Any]:
    """The same but for exemplars, of which it depends where their texts are; None for what was not measured."""
    kinds = found.by_token
    read = [] if kinds is None else list(zip(kinds.kinds, kinds.counts.tolist(), strict=True))
    return {
        "count": found.texts,
        "tokens": found.tokens,
        "domains": list(found.domains),
        "kinds": [{"text": text, "count": count} for text, count in read],
        "distinct": None if kinds is None else kinds.distinct,
        "token_shuffles": None if kinds is None else kinds.shuffles,
        "written_texts": None if found.written is None else found.written.texts,
        "unwritten": found.unwritten,
        "layers": [_layer(found, at) for at in range(len(found.layers))],
    }


def _known(values: list[float]) -> list[float] | None:
    """The values; None where there are none, as nothing says them."""
    return None if np.isnan(values).any() else values


def _layer(found: Load, at: int) -> dict[str, Any]:
    layer, total = found.layers[at], found.load
    E = layer.experts
    lift, alike = found.lift, None if found.by_token is None else found.by_token.alike
    return {
        "name": layer.name,
        "units": list(layer.units),
        "load": total[at, :E].tolist(),
        "weight": _known((found.weight[at, :E] / max(1, found.tokens)).tolist()),
        "effective": float(found.effective[at]),
        "most_over_mean": float(total[at, :E].max() * E),
        "dead": list(found.dead[at]),
        "token_entropy": finite(float(found.token_entropy[at])),
        "specialisation": finite(float(found.specialised[at])),
        "null": finite(float(found.null[at])),
        "null_high": finite(float(found.null_high[at])),
        "by_domain": found.of_domain[at, :E].tolist(),
        "low": found.low[at, :E].tolist(),
        "high": found.high[at, :E].tolist(),
        "by_token": _by_token(found.by_token, at, E),
        "together": None if lift is None else finite(lift[at, :E, :E].tolist()),
        "alike": None if alike is None else finite(alike[at, :E, :E].tolist()),
        "written": _written(found.written, at, E),
    }


def _by_token(kinds: TokenKinds | None, at: int, E: int) -> dict[str, Any] | None:
    if kinds is None:
        return None
    return {
        "specialisation": finite(float(kinds.specialised[at])),
        "null": finite(float(kinds.null[at])),
        "null_high": finite(float(kinds.null_high[at])),
        "within": finite(float(kinds.within[at])),
        "within_high": finite(float(kinds.within_high[at])),
        "share": kinds.share[at, :E].tolist(),
        "low": kinds.low[at, :E].tolist(),
        "high": kinds.high[at, :E].tolist(),
    }


def _written(written: OutputSimilarity | None, at: int, E: int) -> dict[str, Any] | None:
    if written is None:
        return None
    return {
        "tokens": written.tokens[at, :E, :E].tolist(),
        "cosine": finite(written.cosine[at, :E, :E].tolist()),
        "low": finite(written.low[at, :E, :E].tolist()),
        "high": finite(written.high[at, :E, :E].tolist()),
    }


def _exemplars(found: tuple[Exemplar, ...], model: Network, sets: list[Samples]) -> list[dict[str, Any]]:
    """Tokens within what stands around them."""
    read: dict[tuple[int, int], tuple[str, ...]] = {}
    told = []
    for each in found:
        place = each.set, each.sample
        dataset = sets[each.set]
        if place not in read:
            texts = model.token_texts(model.as_inputs(dataset.inputs([each.sample])))
            read[place] = () if texts is None else texts[0]
        tokens, at = read[place], each.token
        told.append(
            {
                "unit": each.unit,
                "sample": f"{dataset.name}.{dataset.split}.{each.sample}",
                "domain": dataset.domain,
                "token": at,
                "weight": each.weight,
                "before": "".join(tokens[max(1, at - BEFORE) : at]),
                "text": tokens[at] if at < len(tokens) else "",
                "after": "".join(tokens[at + 1 : at + 1 + AFTER]),
            }
        )
    return told
