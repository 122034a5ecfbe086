"""A CSV of experts, a row for each that a token takes, as was proposed for llama.cpp."""

import csv
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from jaxtyping import Float32, Int64

from core.nn.mixture.routed import NO_EXPERT
from core.routing.logs.log import LogError, RoutingLog, Source
from core.routing.logs.packing import MOST_EXPERTS, Packing, Reading

#: Columns by what they hold; the first name is ours.
COLUMNS = {
    "sequence": ("sequence", "seq", "seq_id", "sequence_id", "request_id", "sample_id"),
    "token": ("token", "pos", "position", "token_index", "token_idx", "token_position"),
    "layer": ("layer", "layer_id", "layer_idx", "layer_index"),
    "slot": ("rank", "slot", "topk_rank", "expert_rank"),
    "expert": ("expert", "expert_id", "expert_idx"),
    "weight": ("weight", "routing_weight", "score", "prob"),
}
#: Rows that are read at once, and characters of a row at most.
CHUNK = 65_536
MOST_LINE = 65_536

Numbers = Int64[np.ndarray, " row"]


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """What the columns of a header hold -> their places; those of another name are left out."""
    names = [name.strip().lower() for name in header]
    return {
        what: names.index(found)
        for what, known in COLUMNS.items()
        if (found := next((name for name in known if name in names), None)) is not None
    }


def of_csv(header: str) -> bool:
    """Whether a line is the header of such a table."""
    return {"layer", "expert"} <= set(columns_of(header.split(",")))


def read_csv(path: Path, reading: Reading) -> RoutingLog:
    """The log of a CSV with a header, a row for each expert that a token takes.

    ``layer,expert`` is what ``examples/moe-trace`` writes, as proposed for llama.cpp (pull request 28544 of
    ggml-org/llama.cpp, open in 2026): rows of a layer are in the order of tokens, ``top_k`` of each, which must be
    given. llama.cpp computes its last layer for those tokens only whose output is asked for: where the last layer has
    fewer, they are taken for the last tokens, which is noted. Columns ``token``, ``rank``, ``weight`` and ``sequence``
    (others: see ``COLUMNS``), as forks of it and other tracers write them, are used where they are there; the order of
    rows then does not matter.

    Raises:
        LogError: no such header, a row that is shorter or no numbers, experts out of range, ``top_k`` not given.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = _lines(csv.reader(_short(file)))
        _, header = next(rows, (0, []))
        columns = columns_of(header)
        if not {"layer", "expert"} <= set(columns):
            raise LogError(f"{path.name}: line 1 names no columns layer and expert, but {', '.join(header)[:200]}")
        found = _columns(rows, columns, len(header), reading, path.name)
    if "token" not in columns and reading.top_k is None:
        raise LogError(f"{path.name} has no column of tokens: give how many experts a token takes (--top-k)")
    return _log(found, reading, Source("CSV", ", ".join(columns), path.name))


def _short(file: TextIO) -> Iterator[str]:
    """Lines, none of which fills the memory."""
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise LogError(f"a line has more than {MOST_LINE:,} characters; a row has a few numbers")
        yield line


def _lines(rows: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, with their lines."""
    number = 0
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except (csv.Error, UnicodeDecodeError) as error:
            raise LogError(f"line {number}: {error}") from error
        if row:
            yield number, row


def _columns(
    rows: Iterator[tuple[int, list[str]]], columns: dict[str, int], width: int, reading: Reading, file: str
) -> dict[str, Numbers]:
    """Every column as numbers; sequences by their first appearance."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in columns}
    names: dict[str, int] = {}
    size = 0
    while chunk := list(islice(rows, CHUNK)):
        for number, row in chunk:
            if len(row) != width:
                raise LogError(f"line {number} has {len(row)} fields, and the header {width}; a cut-off log ends so")
        for name, place in columns.items():
            texts = [row[place] for _, row in chunk]
            if name == "sequence":
                made = np.array([names.setdefault(text, len(names)) for text in texts], dtype=np.int32)
            elif name == "weight":
                made = _numbers(texts, chunk, name, np.float32)
            else:
                made = _numbers(texts, chunk, name, np.int64)
                _within(made, chunk, name, reading)
                made = made.astype(np.int32 if name == "token" else np.int16)
            parts[name].append(made)
            size += made.nbytes
        reading.check_size(size, f"{file}, line {chunk[-1][0]}")
    if not size:
        raise LogError(f"{file} has a header and no row")
    found = {name: np.concatenate(made) for name, made in parts.items()}
    return found | ({"names": np.array(list(names), dtype=str)} if names else {})


def _numbers(texts: list[str], chunk: list[tuple[int, list[str]]], name: str, kind: type) -> np.ndarray:
    read: Callable[[str], float] = int if kind is np.int64 else float
    try:
        made: np.ndarray = np.array([read(text) for text in texts], dtype=kind)
    except (ValueError, OverflowError):
        for (number, _), text in zip(chunk, texts, strict=True):
            try:
                np.array(read(text), dtype=kind)
            except (ValueError, OverflowError) as error:
                raise LogError(f"line {number}: {name} is a number, not {text[:40]!r}") from error
        raise
    if kind is np.float32 and not np.isfinite(made).all():
        raise LogError(f"line {chunk[int(np.argmin(np.isfinite(made)))][0]}: a weight is a finite number")
    return made


def _within(made: Numbers, chunk: list[tuple[int, list[str]]], name: str, reading: Reading) -> None:
    most = {"expert": reading.experts or MOST_EXPERTS, "token": 2**31 - 1}.get(name, MOST_EXPERTS)
    low = NO_EXPERT if name == "expert" else 0
    wrong = (made < low) | (made >= most)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise LogError(f"line {chunk[row][0]}: {name} is from 0 to {most - 1}, not {made[row]}")


def _log(found: dict[str, np.ndarray], reading: Reading, source: Source) -> RoutingLog:
    """Rows put in their places."""
    indices, layer = np.unique(found["layer"], return_inverse=True)
    sequence = found.get("sequence", np.zeros(len(layer), dtype=np.int32))
    notes: list[str] = []
    if "token" in found:
        of_token, token = _tokens(sequence, found["token"])
        slot = found.get("slot")
        if slot is None:
            slot = _counted(token * len(indices) + layer)
    else:
        assert reading.top_k is not None
        counted = _counted(sequence.astype(np.int64) * len(indices) + layer)
        slot, place = counted % reading.top_k, counted // reading.top_k
        place, notes = _aligned(place, sequence, layer, reading.top_k, indices, source.file)
        of_token, token = _tokens(sequence, place)
    slots = int(slot.max()) + 1
    size = len(of_token) * len(indices) * slots
    reading.check_size(size * 2, source.file)
    flat = (token * len(indices) + layer) * slots + slot
    if len(np.unique(flat)) != len(flat):
        raise LogError(f"{source.file}: a token has two experts of the same rank at one layer, or comes twice")
    experts = np.full(size, NO_EXPERT, dtype=np.int16)
    experts[flat] = found["expert"]
    weights = _placed(found.get("weight"), flat, size)
    shape = (len(of_token), len(indices), slots)
    packing, names = Packing(reading), found.get("names")
    for own in range(int(of_token[-1]) + 1):
        rows = slice(*np.searchsorted(of_token, (own, own + 1)))
        packing.add(
            experts.reshape(shape)[rows], "0" if names is None else str(names[own]), source.file,
            weights=None if weights is None else weights.reshape(shape)[rows],
        )  # fmt: skip
    return packing.done(source, notes, [int(index) for index in indices])


def _tokens(sequence: Numbers, place: Numbers) -> tuple[Numbers, Numbers]:
    """The sequence of every token there is, in order, and which of them each row is of."""
    width = int(place.max()) + 1
    keys, token = np.unique(sequence.astype(np.int64) * width + place, return_inverse=True)
    return keys // width, token


def _placed(values: np.ndarray | None, flat: Numbers, size: int) -> Float32[np.ndarray, " cell"] | None:
    if values is None:
        return None
    cells = np.zeros(size, dtype=np.float32)
    cells[flat] = values
    return cells


def _counted(keys: Numbers) -> Numbers:
    """How many rows of the same key come before each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    counted = np.empty(len(keys), dtype=np.int64)
    counted[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.r_[starts, len(keys)]))
    return counted


def _aligned(
    place: Numbers, sequence: Numbers, layer: Numbers, top_k: int, indices: Numbers, file: str
) -> tuple[Numbers, list[str]]:
    """Tokens of every layer side by side: a last layer that has fewer is of the last tokens."""
    notes: list[str] = []
    for own in np.unique(sequence):
        rows = sequence == own
        counts = np.bincount(layer[rows], minlength=len(indices))
        if (counts % top_k).any():
            wrong = int(np.argmax(counts % top_k))
            rows_of = f"layer {indices[wrong]} has {counts[wrong]} rows"
            raise LogError(f"{file}: {rows_of}, which are no whole tokens of {top_k} experts")
        tokens = counts // top_k
        short = np.flatnonzero(tokens != tokens.max())
        if len(short) and short.tolist() != [len(indices) - 1]:
            raise LogError(
                f"{file}: layers have {tokens.min()} to {tokens.max()} tokens; without a column of tokens all have as "
                "many, but for the last"
            )
        if len(short):
            last = rows & (layer == len(indices) - 1)
            place = np.where(last, place + (tokens.max() - tokens[-1]), place)
            notes.append(
                f"The last layer has {tokens[-1]} of {tokens.max()} tokens, which are taken for the last ones: "
                "llama.cpp computes it where outputs are asked for."
            )
    return place, notes
