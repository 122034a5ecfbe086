"""Megatron-core's router trace: a line of JSON for each step and layer."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Int64

from core.routing.logs.lines import JSONObject
from core.routing.logs.log import LogError, RoutingLog, Source
from core.routing.logs.packing import Packing, Reading, whole_numbers

#: Block ("decoder", "mtp"), the head of "mtp" or -1, and the layer, as a record has them.
Place = tuple[str, int, int]


def of_megatron(document: JSONObject) -> bool:
    """Whether a line is a record of the router trace."""
    return "top_indices" in document and "layer" in document


@dataclass
class _Step:
    """The records of one step of one rank: place -> where the first lies, and tables of (token, slot)."""

    name: str
    places: dict[Place, list[tuple[str, Int64[np.ndarray, "token slot"]]]] = field(default_factory=dict)


def read_megatron(documents: Iterator[tuple[str, JSONObject]], reading: Reading, file: str) -> RoutingLog:
    """The log of ``router_trace_rank{rank}.jsonl``, a sequence a step and microbatch.

    As ``RouterTracer`` of Megatron-core writes it (pull request 5220 of NVIDIA/Megatron-LM, merged in 2026;
    ``--moe-routing-trace-path``): a record for each step, block and layer with ``step``, ``stage``, ``block``,
    ``layer``, ``rank``, ``num_tokens``, ``topk``, ``top_indices`` of (token, slot), and ``mtp_idx`` of the heads that
    predict further tokens. Records without ``stage`` and ``block`` are of the decoder. Layers are as the modules are
    named, from 0 within a pipeline stage. A layer that comes several times in a step was run on several microbatches,
    or recomputed: the trace does not tell these apart. Files of logits and hidden states beside it are not read.

    Args:
        documents: records, each with its place.

    Raises:
        LogError: a record that lacks a field, whose table is not what it says, a step without some layer, steps out of
            order.
    """
    packing, order, seen, logits = Packing(reading), list[Place](), set[tuple[int, int]](), False
    step: _Step | None = None
    current: tuple[int, int] | None = None
    for where, record in documents:
        rank, number, layer = (_number(record, key, where) for key in ("rank", "step", "layer"))
        if (rank, number) != current:
            if step is not None:
                _close(step, packing, order)
            if (rank, number) in seen:
                raise LogError(f"{where}: step {number} of rank {rank} comes again; its records follow each other")
            current, step = (rank, number), _Step(f"rank{rank}.step{number}")
            seen.add(current)
        head = _number(record, "mtp_idx", where) if record.get("mtp_idx") is not None else -1
        assert step is not None
        place = (str(record.get("block", "decoder")), head, layer)
        step.places.setdefault(place, []).append((where, _table(record, where)))
        logits = logits or "logit_offset" in record
    if step is None:
        raise LogError(f"{file} has no record")
    _close(step, packing, order)
    notes = ["Layers are numbered within a pipeline stage."]
    if logits:
        notes.append("Logits were logged to a file beside the trace, which is not read.")
    names = [f"l{layer + 1}" if head < 0 else f"{block}{head + 1}.l{layer + 1}" for block, head, layer in order]
    indices = [layer for _, _, layer in order]
    return packing.done(Source("Megatron-core", "router trace, JSONL", file), notes, indices, names)


def _number(record: JSONObject, key: str, where: str) -> int:
    value = record.get(key)
    if not isinstance(value, int) or value < 0:
        raise LogError(f"{where}: {key} is a whole number, not {str(value)[:40]}; a record has step, layer and rank")
    return value


def _table(record: JSONObject, where: str) -> Int64[np.ndarray, "token slot"]:
    found = whole_numbers(record.get("top_indices"), 2, where)
    said = (record.get("num_tokens", found.shape[0]), record.get("topk", found.shape[1]))
    if found.shape != said:
        raise LogError(f"{where}: top_indices are {found.shape[0]} x {found.shape[1]}, and the record says {said}")
    return found.astype(np.int32)


def _close(step: _Step, packing: Packing, order: list[Place]) -> None:
    """Add what a step has, once all its records are there; the first step says which layers there are."""
    if not order:
        order.extend(sorted(step.places))
    counts = {len(tables) for tables in step.places.values()}
    where = next(iter(step.places.values()))[0][0]
    if sorted(step.places) != order or len(counts) != 1:
        raise LogError(
            f"{where}: {step.name} has {sum(map(len, step.places.values()))} records of {len(step.places)} layers; a "
            f"step has those of the first, {len(order)}, once each or equally often; a trace that was cut off ends so"
        )
    for part in range(counts.pop()):
        tables = [step.places[place][part] for place in order]
        if len({table.shape for _, table in tables}) != 1:
            raise LogError(f"{tables[0][0]}: layers of {step.name} have different numbers of tokens, or of slots")
        name = step.name if len(step.places[order[0]]) == 1 else f"{step.name}.{part}"
        packing.add(np.stack([table for _, table in tables], axis=1), name, tables[0][0])
