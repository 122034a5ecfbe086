"""Tables of experts: a row for each expert that a token takes, or a row for each layer and expert with a count."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from jaxtyping import Float32, Int64

from routescope.nn.experts import NO_EXPERT
from routescope.routing.logs.counts import MOST_COUNTED, check_ranks, load_of_counts
from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.logs.packing import Packing, Reading, check_table, cut
from routescope.routing.logs.sentinels import MOST_EXPERTS, OF_8_BITS, WRAPPED

#: Columns by what they hold; the first name is ours.
COLUMNS = {
    "sequence": ("sequence", "seq", "seq_id", "sequence_id", "request_id", "sample_id"),
    "token": ("token", "pos", "position", "token_index", "token_idx", "token_position"),
    "layer": ("layer", "layer_id", "layer_idx", "layer_index"),
    "slot": (
        "slot",
        "topk_rank",
        "expert_rank",
        "topk_idx",
        "topk_index",
        "slot_id",
        "slot_idx",
        "k",
        "choice",
        "rank",
    ),
    "expert": ("expert", "expert_id", "expert_idx"),
    "weight": ("weight", "routing_weight", "score", "prob"),
    "count": ("count", "counts", "num_tokens", "token_count", "tokens", "load", "hits"),
    "device": ("device", "device_rank", "pp_rank", "tp_rank", "dp_rank", "ep_rank", "gpu", "gpu_id"),
}
#: A column that is the slot of a token's expert, or the rank of the device that logged it.
RANK = "rank"
#: Separators of columns, and prefixes of comments.
SEPARATORS, COMMENTS = ",\t;", ("#", "//")
#: Rows that are read at once, characters of a row at most, columns, and lines of comments before the header.
CHUNK = 65_536
MOST_LINE = 65_536
MOST_COLUMNS = 1_024
#: Sequences of which it is noted that their last layer is short.
MOST_NOTES = 8
MOST_COMMENTS = 1_000

Numbers = Int64[np.ndarray, " row"]


@dataclass(frozen=True)
class Header:
    """Columns of a table.

    Attributes:
        columns: content -> position.
        width: number of columns.
        separator: one of ``SEPARATORS``.
        unread: names of columns that are not read.
        ranks: whether the column of ranks is called ``rank``.
        lines: lines before the first row.
    """

    columns: dict[str, int]
    width: int
    separator: str
    unread: tuple[str, ...]
    ranks: bool
    lines: int

    @property
    def counts(self) -> bool:
        """Whether rows are of a layer and an expert, not of a token."""
        return "count" in self.columns and "token" not in self.columns and (self.ranks or "slot" not in self.columns)


def _header_of(line: str, lines: int) -> Header | None:
    """Return the columns that a line names; None where the line is no header."""
    for separator in SEPARATORS:
        names = [name.strip().strip('"').lower() for name in line.strip().split(separator, MOST_COLUMNS)]
        columns = {
            what: names.index(match)
            for what, synonyms in COLUMNS.items()
            if (match := next((name for name in synonyms if name in names), None)) is not None
        }
        if "expert" in columns and ("layer" in columns or "count" in columns):
            unread = tuple(name for at, name in enumerate(names) if at not in columns.values() and name)
            ranks = "slot" in columns and names[columns["slot"]] == RANK
            return Header(columns, len(names), separator, unread, ranks, lines)
    return None


def header_of(path: Path) -> Header | None:
    """Return the header of a table: its first line that is neither empty nor a comment, or the last comment before rows
    of numbers; None without such a line."""
    commented: Header | None = None
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for lines in range(1, MOST_COMMENTS):
            line = file.readline(MOST_LINE + 1)
            if not line or len(line) > MOST_LINE:
                return None
            if line.lstrip().startswith(COMMENTS):
                commented = _header_of(line.lstrip().lstrip("#/"), lines) or commented
            elif line.strip():
                if commented is not None and line.strip()[:1] in "0123456789-":
                    return Header(**(vars(commented) | {"lines": lines - 1}))
                return _header_of(line, lines)
    return None


def read_csv(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of a table with a header: a row for each expert that a token takes, or counts.

    ``layer,expert`` is the format of ``examples/moe-trace``, as proposed for llama.cpp (pull request 28544 of
    ggml-org/llama.cpp, open in 2026): rows of a layer are in the order of tokens, ``top_k`` of each, which must be
    given. llama.cpp computes its last layer only for tokens whose output is asked for: a last layer with fewer tokens
    has the last ones, which is noted. Columns ``token``, ``slot``, ``weight`` and ``sequence`` (others: see
    ``COLUMNS``) of its forks and of other tracers are used; the order of rows then does not matter.
    ``layer_id,expert_id,count``, as SGLang dumps it (pull request 4435 and issue 5275 of sgl-project/sglang), is a
    load. Lines that begin with "#" or "//" are comments.

    Raises:
        LogError: no such header, a row that is shorter or no numbers, experts out of range, ``top_k`` not given, or
            several ranks without ``reading.ranks``.
    """
    header = header_of(path)
    if header is None:
        raise LogError(f"{path.name}: no line names columns layer and expert, or expert and count")
    columns, assumed = dict(header.columns), list[str]()
    if header.ranks and (header.counts or reading.ranks is not None):
        columns["device"] = columns.pop("slot")
    if "count" in columns and not header.counts:
        assumed.append("The column of counts is not used: rows are of tokens.")
        columns.pop("count")
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = islice(_short(file), header.lines, None)
        rows = _lines(csv.reader(lines, delimiter=header.separator), header.lines)
        values = _columns(rows, columns, header.width, reading, path.name)
    if "layer" not in columns:
        assumed.append("The table has no column of layers: all counts are taken for one layer.")
        values["layer"] = np.zeros(len(values["expert"]), dtype=np.int16)
    notes = [f"Columns that are not read: {', '.join(header.unread)[:200]}."] if header.unread else []
    source = Source("CSV", ", ".join(columns), path.name)
    if not header.counts and "token" not in columns and "slot" not in columns and reading.top_k is None:
        raise LogError(f"{path.name} has no column of tokens: give how many experts a token takes (--top-k)")
    values = _rows_of_ranks(values, reading, path.name, assumed, counts=header.counts)
    if header.counts:
        log = _load(values, reading, source)
    else:
        log = _log(values, reading, source, header.ranks and "slot" in columns, assumed)
    return replace(log, assumed=(*assumed, *log.assumed), notes=(*assumed, *log.notes, *notes))


def _short(file: TextIO) -> Iterator[str]:
    """Yield the lines, none of which fills the memory."""
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise LogError(f"a line has more than {MOST_LINE:,} characters; a row has a few numbers")
        yield line


def _lines(rows: Iterator[list[str]], number: int) -> Iterator[tuple[int, list[str]]]:
    """Yield rows that are neither empty nor comments, with their line numbers; ``number`` lines stand before them."""
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except (csv.Error, UnicodeDecodeError) as error:
            raise LogError(f"line {number}: {error}") from error
        if row and not row[0].lstrip().startswith(COMMENTS):
            yield number, row


def _columns(
    rows: Iterator[tuple[int, list[str]]], columns: dict[str, int], width: int, reading: Reading, file: str
) -> dict[str, Numbers]:
    """Return every column as numbers; sequences by their first appearance."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in columns}
    names: dict[str, int] = {}
    size = 0
    read = _picked(rows, list(columns.values()), width)
    while chunk := list(islice(read, CHUNK)):
        for position, name in enumerate(columns):
            texts = [row[position] for _, row in chunk]
            if name == "sequence":
                before = len(names)
                made = np.array([names.setdefault(cut(text), len(names)) for text in texts], dtype=np.int32)
                size += 256 * (len(names) - before)
            elif name == "weight":
                made = _numbers(texts, chunk, name, np.float32)
            else:
                made = _numbers(texts, chunk, name, np.int64)
                _within(made, chunk, name, reading)
                made = made.astype({"token": np.int32, "count": np.int64}.get(name, np.int16))
            parts[name].append(made)
            size += made.nbytes
        reading.check_size(size, f"{file}, line {chunk[-1][0]}")
    if not size:
        raise LogError(f"{file} has a header and no row")
    values = {name: np.concatenate(made) for name, made in parts.items()}
    return values | ({"names": np.array(list(names), dtype=object)} if names else {})


def _picked(rows: Iterator[tuple[int, list[str]]], places: list[int], width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the fields at these positions; raise LogError for a row of another width than the header's."""
    for number, row in rows:
        if len(row) != width:
            raise LogError(f"line {number} has {len(row)} fields, and the header {width}; a cut-off log ends so")
        yield number, [row[position] for position in places]


def _numbers(texts: list[str], chunk: list[tuple[int, list[str]]], name: str, kind: type) -> np.ndarray:
    read: Callable[[str], float] = (_whole if name == "count" else int) if kind is np.int64 else float
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


def _whole(text: str) -> int:
    """Return a count, which some tools write as 3.0; raise ValueError for fractions."""
    if (value := float(text)) != int(value):
        raise ValueError(text)
    return int(value)


def _within(made: Numbers, chunk: list[tuple[int, list[str]]], name: str, reading: Reading) -> None:
    most = {"expert": reading.experts or MOST_EXPERTS, "token": 2**31 - 1, "count": 2**53}.get(name, MOST_EXPERTS)
    low = NO_EXPERT if name == "expert" else 0
    wrong = (made < low) | (made >= most)
    if name == "expert":  # these mark no expert
        wrong &= ~np.isin(made, (most, OF_8_BITS, *WRAPPED))
        made[np.isin(made, WRAPPED)] = NO_EXPERT
    if wrong.any():
        row = int(np.argmax(wrong))
        raise LogError(f"line {chunk[row][0]}: {name} is from 0 to {most - 1}, not {made[row]}")


def _rows_of_ranks(
    values: dict[str, np.ndarray], reading: Reading, file: str, assumed: list[str], *, counts: bool
) -> dict[str, np.ndarray]:
    """Return the rows of all ranks as one model's; raises LogError unless ``reading.ranks`` explains them."""
    if "device" not in values or len(ranks := np.unique(device := values["device"])) < 2:
        return values
    check_ranks(len(ranks), file)
    if reading.ranks is None:
        raise LogError(
            f"{file} has ranks {', '.join(map(str, ranks[:8].tolist()))}. Say what they are (--ranks): pipeline, whose "
            "layers follow each other; tensor, which repeat the same tokens; data or expert, which have tokens of "
            "their own"
        )
    if reading.ranks == "pipeline":
        assumed.append(f"{len(ranks)} ranks are stages of a pipeline (--ranks): their layers follow each other.")
        return values | {"layer": _layers_of_stages(values["layer"].astype(np.int64), device)}
    if reading.ranks == "tensor":
        columns = [name for name in values if name not in ("device", "names")]
        parts = [np.stack([values[name][device == rank] for name in columns]) for rank in ranks]
        if counts:  # in any order of rows
            parts = [part[:, np.lexsort(part)] for part in parts]
        if any(not np.array_equal(part, parts[0]) for part in parts):
            raise LogError(f"{file}: ranks differ, and tensor ranks repeat the same tokens. Give --ranks data")
        assumed.append(f"{len(ranks)} ranks repeat the same tokens (tensor, --ranks): they are counted once.")
        return values | {name: values[name][device == ranks[0]] for name in columns}
    added = ": their counts are added" if counts else ""
    assumed.append(f"{len(ranks)} ranks have tokens of their own ({reading.ranks}, --ranks){added}.")
    if counts:
        return values
    sequence = values.get("sequence", np.zeros(len(device), dtype=np.int32)).astype(np.int64)
    names = values.get("names", np.array(["0"], dtype=object))
    rank_of_row = np.searchsorted(ranks, device)
    pairs, sequence_of_row = np.unique(np.stack((rank_of_row, sequence)), axis=1, return_inverse=True)
    named = np.array([f"rank{ranks[rank]}.{names[sequence]}" for rank, sequence in pairs.T], dtype=object)
    return values | {"sequence": sequence_of_row.reshape(-1).astype(np.int32), "names": named}


def _layers_of_stages(layer: Numbers, device: Numbers) -> Numbers:
    """Return the layer of each row in the whole model.

    Layers of a rank follow those of the ranks before, unless the layers of all ranks differ already.
    """
    moved, seen = layer.copy(), np.zeros(0, dtype=np.int64)
    for rank in np.unique(device):
        rows = device == rank
        if np.isin(layer[rows], seen).any():
            moved[rows] = layer[rows] + len(seen)
        seen = np.union1d(seen, moved[rows])
    return moved


def _load(values: dict[str, np.ndarray], reading: Reading, source: Source) -> RoutingLog:
    """Return the load of rows (layer, expert, count); raises LogError for impossible counts or experts."""
    layer, expert, count = (values[name].astype(np.int64) for name in ("layer", "expert", "count"))
    assumed: list[str] = []
    if (none := expert == NO_EXPERT).any():
        assumed.append(f"Expert -1 stands for no expert: {int(count[none].sum()):,} tokens are left out.")
        layer, expert, count = layer[~none], expert[~none], count[~none]
    indices, row = np.unique(layer, return_inverse=True)
    cells = row * MOST_EXPERTS + expert
    if repeats := len(cells) - len(np.unique(cells)):
        assumed.append(f"Rows that repeat a layer and an expert: {repeats:,}. Their counts are added.")
    check_table(len(indices), 1, source.file)
    width = max(int(expert.max(initial=-1)) + 1, reading.experts or 1)
    reading.check_size(8 * len(indices) * width, source.file)
    counts = np.zeros((len(indices), width), dtype=np.int64)
    if float(count.sum(dtype=np.float64)) >= MOST_COUNTED:
        raise LogError(f"{source.file}: the counts add up to more than 2**53; smaller counts are read")
    np.add.at(counts, (row, expert), count)
    return load_of_counts(counts, [int(index) for index in indices], reading, source, assumed)


def _log(
    values: dict[str, np.ndarray], reading: Reading, source: Source, ranks: bool, assumed: list[str]
) -> RoutingLog:
    """Put rows at their tokens, layers and slots; ``ranks``: the column of slots is called rank."""
    indices, layer = np.unique(values["layer"], return_inverse=True)
    sequence = values.get("sequence", np.zeros(len(layer), dtype=np.int32))
    slot = values.get("slot")
    if slot is not None and int(slot.min()) == 1:
        assumed.append("Slots are numbered from 1.")
        slot = slot - 1
    if "token" in values:
        of_token, token = _tokens(sequence, values["token"])
        if slot is None:
            slot = _counted(token * len(indices) + layer)
        elif ranks and (slot >= np.bincount(cell := token * len(indices) + layer)[cell]).any():
            raise LogError(
                f"{source.file}: the column rank does not count the experts of a token. Call it slot if it does; where "
                "it is the rank of a device, say what ranks are (--ranks pipeline, tensor, data or expert)"
            )
    elif slot is not None:
        cell = sequence.astype(np.int64) * len(indices) + layer
        position = _counted(cell * (int(slot.max()) + 1) + slot)
        assumed.append("The table has no column of tokens: rows of a layer and a slot are in the order of tokens.")
        of_token, token = _tokens(sequence, position)
    else:
        assert reading.top_k is not None
        counted = _counted(sequence.astype(np.int64) * len(indices) + layer)
        slot, position = counted % reading.top_k, counted // reading.top_k
        position, notes = _aligned(position, sequence, layer, reading.top_k, indices, source.file)
        assumed += ["The table has no column of tokens: rows of a layer are in the order of tokens.", *notes]
        of_token, token = _tokens(sequence, position)
    slots = int(slot.max()) + 1
    check_table(len(indices), slots, source.file)
    size = len(of_token) * len(indices) * slots
    reading.check_size(size * (2 if values.get("weight") is None else 4), source.file)
    flat = (token * len(indices) + layer) * slots + slot
    if len(np.unique(flat)) != len(flat):
        raise LogError(
            f"{source.file}: a token has two experts of the same rank at one layer, or comes twice. Where ranks of "
            "several devices are joined, say what they are (--ranks)"
        )
    experts = np.full(size, NO_EXPERT, dtype=np.int16)
    experts[flat] = values["expert"]
    weights = _placed(values.get("weight"), flat, size)
    shape = (len(of_token), len(indices), slots)
    packing, names = Packing(reading), values.get("names")
    lengths = np.bincount(of_token)
    packing.add_all(
        experts.reshape(shape), ["0"] if names is None else [str(name) for name in names[: len(lengths)]],
        lengths.tolist(), source.file, weights=None if weights is None else weights.reshape(shape),
    )  # fmt: skip
    return packing.done(source, indices=[int(index) for index in indices])


def _tokens(sequence: Numbers, position: Numbers) -> tuple[Numbers, Numbers]:
    """Return the sequence of every token, in order, and the token of each row."""
    width = int(position.max()) + 1
    keys, token = np.unique(sequence.astype(np.int64) * width + position, return_inverse=True)
    return keys // width, token


def _placed(values: np.ndarray | None, flat: Numbers, size: int) -> Float32[np.ndarray, " cell"] | None:
    if values is None:
        return None
    cells = np.zeros(size, dtype=np.float32)
    cells[flat] = values
    return cells


def _counted(keys: Numbers) -> Numbers:
    """Return how many rows of the same key come before each row."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    counted = np.empty(len(keys), dtype=np.int64)
    counted[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.r_[starts, len(keys)]))
    return counted


def _aligned(
    position: Numbers, sequence: Numbers, layer: Numbers, top_k: int, indices: Numbers, file: str
) -> tuple[Numbers, list[str]]:
    """Align the tokens of all layers: a last layer with fewer tokens has the last ones."""
    every, of_row = np.unique(sequence, return_inverse=True)
    counts = np.bincount(of_row * len(indices) + layer, minlength=len(every) * len(indices)).reshape(-1, len(indices))
    if (counts % top_k).any():
        row, wrong = np.argwhere(counts % top_k)[0]
        rows_of = f"layer {indices[wrong]} has {counts[row, wrong]} rows"
        raise LogError(f"{file}: {rows_of}, which are no whole tokens of {top_k} experts")
    tokens = counts // top_k
    most = tokens.max(axis=1)
    short = tokens != most[:, None]
    if short[:, :-1].any():
        row = int(np.argmax(short[:, :-1].any(axis=1)))
        raise LogError(
            f"{file}: layers have {tokens[row].min()} to {most[row]} tokens; without a column of tokens all have as "
            "many, but for the last"
        )
    if not (rows := np.flatnonzero(short[:, -1])).size:
        return position, []
    missing = most - tokens[:, -1]
    position = np.where(layer == len(indices) - 1, position + missing[of_row], position)
    notes = [
        f"The last layer has {tokens[row, -1]} of {most[row]} tokens, which are taken for the last ones: "
        "llama.cpp computes it where outputs are asked for."
        for row in rows[:MOST_NOTES].tolist()
    ]
    return position, notes + [f"So have {len(rows) - MOST_NOTES:,} further sequences."] * (len(rows) > MOST_NOTES)
