"""Megatron-core's router trace: a line of JSON for each step and layer."""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Int16

from routescope.routing.logs.counts import check_ranks
from routescope.routing.logs.lines import JSONObject
from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.logs.packing import LONGEST_LAYER, Packing, Reading, check_table, cut, whole_numbers
from routescope.routing.logs.sentinels import narrowed
from routescope.routing.logs.turns import FEWEST_NUMBERS

#: Steps, ranks and layers are numbered below this.
MOST_NUMBER = 2**31
#: Block ("decoder", "mtp"), the head of "mtp" or -1, and the layer, as a record has them.
Place = tuple[str, int, int]
#: Experts of the tokens of a record.
Table = Int16[np.ndarray, "token slot"]


def of_megatron(document: JSONObject) -> bool:
    """Whether a line is a record of the router trace."""
    return "top_indices" in document and "layer" in document


@dataclass
class _Step:
    """Records of one step of one rank: layer -> position of the first record, and tables of (token, slot)."""

    rank: int
    number: int
    places: dict[Place, list[tuple[str, Table]]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"rank{self.rank}.step{self.number}"


@dataclass
class _Block:
    """Tokens of one microbatch of a step on one rank: (token, layer, slot), and their position in the file."""

    name: str
    where: str
    experts: Int16[np.ndarray, "token layer slot"]


@dataclass
class _Trace:
    """All blocks by rank, with the layers of each rank in order."""

    blocks: dict[int, list[_Block]] = field(default_factory=dict)
    layers: dict[int, list[Place]] = field(default_factory=dict)
    recomputed: int = 0


def read_megatron(documents: Iterator[tuple[str, JSONObject]], reading: Reading, file: str) -> RoutingLog:
    """Return the log of ``router_trace_rank{rank}.jsonl``, a sequence for each step and microbatch.

    ``RouterTracer`` of Megatron-core writes it (pull request 5220 of NVIDIA/Megatron-LM, merged in 2026;
    ``--moe-routing-trace-path``): a record for each step, block and layer with ``step``, ``stage``, ``block``,
    ``layer``, ``rank``, ``num_tokens``, ``topk``, ``top_indices`` of (token, slot), and ``mtp_idx`` of the heads that
    predict further tokens. Records without ``stage`` and ``block`` are of the decoder. Layers are numbered from 0
    within a pipeline stage. A layer that comes several times in a step ran on several microbatches; a repeat with the
    same experts throughout was recomputed, and is counted once. ``reading.ranks`` says what several ranks in one file
    are. Files of logits and hidden states beside it are not read.

    Args:
        documents: records, each with its position.

    Raises:
        LogError: a record that lacks a field, whose table is not what it says, a step without some layer, steps out of
            order, several ranks without ``reading.ranks``, or ranks that contradict it.
    """
    trace, seen, logits, size = _Trace(), set[tuple[int, int]](), False, 0
    step: _Step | None = None
    stage: str | None = None
    others: set[str] = set()
    for where, record in documents:
        recorded = cut(str(record.get("stage", stage or "")))
        stage = recorded if stage is None else stage
        if recorded != stage:
            others.add(recorded)
            continue
        rank, number, layer = (_number(record, key, where) for key in ("rank", "step", "layer"))
        if step is None or (rank, number) != (step.rank, step.number):
            if step is not None:
                _close(step, trace)
            if (rank, number) in seen:
                raise LogError(f"{where}: step {number} of rank {rank} comes again; its records follow each other")
            step = _Step(rank, number)
            seen.add((rank, number))
        head = _number(record, "mtp_idx", where) if record.get("mtp_idx") is not None else -1
        key = (cut(str(record.get("block", "decoder")), LONGEST_LAYER // 2), head, layer)
        table = _table(record, where)
        size += table.nbytes
        reading.check_size(size, where)
        step.places.setdefault(key, []).append((where, table))
        logits = logits or "logit_offset" in record
    if step is None:
        raise LogError(f"{file} has no record")
    _close(step, trace)
    order, blocks, assumed = _ranked(trace, reading, file)
    if trace.recomputed:
        assumed.append(
            f"{trace.recomputed:,} microbatches have the experts of one before in the same step at every layer, as "
            "where activations are recomputed: their tokens are counted once."
        )
    if others:
        assumed.append(
            f"Records of stage {stage} are read; those of {', '.join(sorted(others))[:80]} are of the same tokens and "
            "are left out."
        )
    packing = Packing(reading)
    for block in blocks:
        packing.add(block.experts, block.name, block.where)
    notes = [] if reading.ranks == "pipeline" else ["Layers are numbered within a pipeline stage."]
    if logits:
        notes.append("Logits were logged to a file beside the trace, which is not read.")
    names = [f"l{layer + 1}" if head < 0 else f"{block}{head + 1}.l{layer + 1}" for block, head, layer in order]
    indices = [layer for _, _, layer in order]
    return packing.done(Source("Megatron-core", "router trace, JSONL", file), notes, indices, names, assumed=assumed)


def _ranked(trace: _Trace, reading: Reading, file: str) -> tuple[list[Place], list[_Block], list[str]]:
    """Return layers, blocks of all ranks, and assumptions; raises LogError unless ``reading.ranks`` explains them."""
    ranks = sorted(trace.blocks)
    check_ranks(len(ranks), file)
    first = ranks[0]
    same = all(_alike(trace, first, rank) for rank in ranks[1:])
    if len(ranks) == 1:
        return trace.layers[first], trace.blocks[first], []
    listed = f"ranks {', '.join(map(str, ranks[:8]))}{', ...' if len(ranks) > 8 else ''}"
    if reading.ranks is None:
        hint = "route alike, as tensor ranks do" if same else "route differently, as pipeline stages and data ranks do"
        raise LogError(
            f"{file} joins {listed}, which {hint}. Say what they are (--ranks): pipeline, whose layers follow each "
            "other; tensor, which repeat the same tokens; data or expert, which have tokens of their own"
        )
    if reading.ranks == "pipeline":
        return _staged(trace, ranks, file)
    if any(trace.layers[rank] != trace.layers[first] for rank in ranks):
        raise LogError(f"{file}: {listed} have different layers, as pipeline stages have (--ranks pipeline)")
    if reading.ranks == "tensor" or (reading.ranks == "expert" and same):
        if not same:
            raise LogError(
                f"{file}: {listed} route differently, and tensor ranks repeat the same tokens. Give --ranks data, or "
                "pipeline"
            )
        sentence = (
            f"{listed} route the same tokens alike ({reading.ranks} ranks, --ranks): their tokens are counted once."
        )
        return trace.layers[first], trace.blocks[first], [sentence[0].upper() + sentence[1:]]
    sentence = f"{listed} have tokens of their own ({reading.ranks} ranks, --ranks), and number experts over all ranks."
    blocks = [block for rank in ranks for block in trace.blocks[rank]]
    return trace.layers[first], blocks, [sentence[0].upper() + sentence[1:]]


def _alike(trace: _Trace, first: int, other: int) -> bool:
    """Whether two ranks have the same layers, steps and experts."""
    pairs = list(zip(trace.blocks[first], trace.blocks[other], strict=False))
    return (
        trace.layers[first] == trace.layers[other]
        and len(trace.blocks[first]) == len(trace.blocks[other])
        and all(np.array_equal(left.experts, right.experts) for left, right in pairs)
    )


def _staged(trace: _Trace, ranks: list[int], file: str) -> tuple[list[Place], list[_Block], list[str]]:
    """Return all stages' layers, and blocks with all of them; raises LogError for stages that do not fit."""
    first, offset, order = ranks[0], 0, list[Place]()
    for rank in ranks:
        stage = trace.layers[rank]
        numbers = [layer for _, head, layer in stage if head < 0]
        before = [layer for _, head, layer in order if head < 0]
        offset = len(before) if set(numbers) & set(before) or min(numbers, default=0) < max(before, default=-1) else 0
        order += [(block, head, layer if head >= 0 else layer + offset) for block, head, layer in stage]
    if len(set(order)) != len(order):
        raise LogError(f"{file}: several pipeline stages have the same layers; give --ranks data or tensor")
    for earlier, later in itertools.pairwise(ranks):
        if _alike(trace, earlier, later):
            raise LogError(
                f"{file}: ranks {earlier} and {later} route alike, as tensor ranks do and pipeline stages do not. "
                "Give --ranks tensor, or join one rank of each stage alone"
            )
    blocks = []
    for at, block in enumerate(trace.blocks[first]):
        others = [trace.blocks[rank][at : at + 1] for rank in ranks]
        shapes = {(part[0].experts.shape[0], part[0].experts.shape[2]) if part else None for part in others}
        if len(shapes) != 1 or any(len(trace.blocks[rank]) != len(trace.blocks[first]) for rank in ranks):
            raise LogError(
                f"{block.where}: pipeline stages have the same steps, tokens and slots; these ranks have others. Give "
                "--ranks data for ranks with tokens of their own"
            )
        name = block.name.partition(".")[2]
        blocks.append(_Block(name, block.where, np.concatenate([part[0].experts for part in others], axis=1)))
    counts = ", ".join(str(len(trace.layers[rank])) for rank in ranks)
    sentence = (
        f"Ranks {', '.join(map(str, ranks))} are stages of a pipeline (--ranks), with {counts} layers: the layers of a "
        "rank follow those of the rank before."
    )
    return order, blocks, [sentence]


def _number(record: JSONObject, key: str, where: str) -> int:
    value = record.get(key)
    if type(value) is not int or not 0 <= value < MOST_NUMBER:
        raise LogError(
            f"{where}: {key} is a whole number below {MOST_NUMBER:,}, not {str(value)[:40]}; a record has step, layer "
            "and rank"
        )
    return value


def _table(record: JSONObject, where: str) -> Table:
    table = whole_numbers(record.get("top_indices"), 2, where)
    sizes = (record.get("num_tokens", table.shape[0]), record.get("topk", table.shape[1]))
    if table.shape != sizes:
        recorded = " x ".join(str(size)[:20] for size in sizes)
        raise LogError(f"{where}: top_indices are {table.shape[0]} x {table.shape[1]}, and the record says {recorded}")
    return narrowed(table, where)


def _close(step: _Step, trace: _Trace) -> None:
    """Add a step, once all its records are there; the first step of a rank says which layers there are."""
    order = trace.layers.setdefault(step.rank, sorted(step.places))
    blocks = trace.blocks.setdefault(step.rank, [])
    counts = {len(tables) for tables in step.places.values()}
    where = next(iter(step.places.values()))[0][0]
    if sorted(step.places) != order or len(counts) != 1:
        raise LogError(
            f"{where}: {step.name} has {sum(map(len, step.places.values()))} records of {len(step.places)} layers; a "
            f"step has those of the first, {len(order)}, once each or equally often; a trace that was cut off ends so"
        )
    check_table(len(order), 1, where)
    microbatches: list[_Block] = []
    seen: set[bytes] = set()
    for part in range(counts.pop()):
        tables = [step.places[key][part] for key in order]
        if len({table.shape for _, table in tables}) != 1:
            raise LogError(f"{tables[0][0]}: layers of {step.name} have different numbers of tokens, or of slots")
        name = step.name if len(step.places[order[0]]) == 1 else f"{step.name}.{part}"
        experts = np.stack([table for _, table in tables], axis=1)
        key = hashlib.sha256(f"{experts.shape}".encode() + experts.tobytes()).digest()
        if experts.size >= FEWEST_NUMBERS and key in seen:
            trace.recomputed += 1
        else:
            seen.add(key)
            microbatches.append(_Block(name, tables[0][0], experts))
    blocks += microbatches
