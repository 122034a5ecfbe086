"""Jobs that observe how the tokens of texts spread over experts."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
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
from routescope_app.services.packed import finite, nested_list

#: The file of a result, and of what is counted while the job runs.
FACTS, COUNTS = "load.json", "counts.json"
#: Numbers of tokens of context before and after an exemplar.
BEFORE, AFTER = 28, 16


class LoadWork(BatchedWork):
    """Jobs that observe the load of experts; see ``jobs.work.Work``."""

    name = "expert-load by token"

    def check_model(self, info: ModelInfo) -> None:
        """Raise NotAccepted for models without experts."""
        if not info.layers:
            raise NotAccepted("Load is observed of models whose tokens are routed to experts; this one has none.")

    def observe(
        self, folder: Path, model: Network, measured: Measured, facts: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        datasets = measured.datasets

        def write(name: str, load: Load) -> None:
            described = {
                **facts,
                **without_exemplars(load),
                "tokens_left_out": load.tokens_left_out,
                "bytes_left_out": load.bytes_left_out,
                "exemplars": _exemplars(load.exemplars, model, datasets),
            }
            part = folder / f"{name}.part"
            part.write_text(json.dumps(described, allow_nan=False))
            part.replace(folder / name)  # so that others read all of it or nothing

        write(FACTS, observe_load(model, datasets, counted=partial(write, COUNTS), **options))
        (folder / COUNTS).unlink(missing_ok=True)


def without_exemplars(load: Load) -> dict[str, Any]:
    """Return the fields of ``ExpertLoad`` except exemplars, whose texts lie elsewhere; None: not measured."""
    kinds = load.by_token
    counts = [] if kinds is None else zip(kinds.kinds, kinds.counts.tolist(), strict=True)
    return {
        "count": load.texts,
        "tokens": load.tokens,
        "domains": list(load.domains),
        "kinds": [{"text": text, "count": count} for text, count in counts],
        "distinct": None if kinds is None else kinds.distinct,
        "token_shuffles": None if kinds is None else kinds.shuffles,
        "written_texts": None if load.written is None else load.written.texts,
        "unwritten": load.unwritten,
        "layers": [_layer(load, index) for index in range(len(load.layers))],
    }


def _layer(load: Load, index: int) -> dict[str, Any]:
    layer = load.layers[index]
    E = layer.experts
    weight = load.weight[index, :E] / max(1, load.tokens)
    alike = None if load.by_token is None else load.by_token.alike
    numbers = {
        "effective": load.effective,
        "token_entropy": load.token_entropy,
        "specialisation": load.specialised,
        "null": load.null,
        "null_high": load.null_high,
    }
    rows = {"load": load.load, "by_domain": load.of_domain}
    bounds = {"low": load.low, "high": load.high}
    return {
        "name": layer.name,
        "units": list(layer.units),
        "weight": None if np.isnan(weight).any() else weight.tolist(),
        "most_over_mean": float(load.load[index, :E].max() * E),
        "dead": list(load.dead[index]),
        **_numbers(numbers, index),
        **{name: array[index, :E].tolist() for name, array in rows.items()},
        **{name: nested_list(array[index, :E]) for name, array in bounds.items()},
        "by_token": _by_token(load.by_token, index, E),
        "together": _pairs(load.lift, index, E),
        "alike": _pairs(alike, index, E),
        "written": _written(load.written, index, E),
    }


def _numbers(arrays: Mapping[str, np.ndarray], index: int) -> dict[str, Any]:
    """Return the number of one layer from each array."""
    return {name: finite(float(array[index])) for name, array in arrays.items()}


def _pairs(array: np.ndarray | None, index: int, E: int) -> Any:
    """Return the pairs of experts of one layer."""
    return None if array is None else nested_list(array[index, :E, :E])


def _by_token(kinds: TokenKinds | None, index: int, E: int) -> dict[str, Any] | None:
    if kinds is None:
        return None
    numbers = {
        "specialisation": kinds.specialised,
        "null": kinds.null,
        "null_high": kinds.null_high,
        "within": kinds.within,
        "within_high": kinds.within_high,
    }
    rows = {"share": kinds.share, "low": kinds.low, "high": kinds.high}
    return _numbers(numbers, index) | {name: array[index, :E].tolist() for name, array in rows.items()}


def _written(written: OutputSimilarity | None, index: int, E: int) -> dict[str, Any] | None:
    if written is None:
        return None
    arrays = {"tokens": written.tokens, "cosine": written.cosine, "low": written.low, "high": written.high}
    return {name: _pairs(array, index, E) for name, array in arrays.items()}


def _exemplars(exemplars: Sequence[Exemplar], model: Network, sets: list[Samples]) -> list[dict[str, Any]]:
    """Return exemplars with the tokens around them."""
    texts: dict[tuple[int, int], tuple[str, ...]] = {}
    described = []
    for exemplar in exemplars:
        key, dataset, position = (exemplar.set, exemplar.sample), sets[exemplar.set], exemplar.token
        if key not in texts:
            read = model.token_texts(model.as_inputs(dataset.inputs([exemplar.sample])))
            texts[key] = () if read is None else read[0]
        tokens = texts[key]
        described.append(
            {
                "unit": exemplar.unit,
                "sample": f"{dataset.name}.{dataset.split}.{exemplar.sample}",
                "domain": dataset.domain,
                "token": position,
                "weight": exemplar.weight,
                "before": "".join(tokens[max(1, position - BEFORE) : position]),
                "text": tokens[position] if position < len(tokens) else "",
                "after": "".join(tokens[position + 1 : position + 1 + AFTER]),
            }
        )
    return described
