"""Our own file of a log: parquet, a row for each token, with all other facts in its metadata.

Unpacked sizes are added up from the page headers before any page is unpacked. A page header is a struct in Thrift's
compact protocol (parquet.thrift of apache/parquet-format).
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from routescope.assets import require
from routescope.routing.logs.counts import MOST_COUNTED
from routescope.routing.logs.log import LogError, RoutingLog, Source, load_log
from routescope.routing.logs.packing import (
    LONGEST_LAYER,
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_TEXT,
    MOST_OF_A_TOKEN,
    Reading,
    check_table,
    cut,
    whole_numbers,
)
from routescope.routing.logs.sentinels import MOST_EXPERTS

if TYPE_CHECKING:
    import pyarrow


#: Bytes in which a page header must end, structs within structs, and pages of a file.
MOST_HEADER, MOST_DEPTH, MOST_PAGES = 65_536, 8, 100_000
#: Fields of a page header: unpacked and packed bytes; headers of data, dictionary and newer data pages.
_UNPACKED, _PACKED, _OF_VALUES = 2, 3, (5, 7, 8)


class PageError(ValueError):
    """A damaged page header."""


@dataclass
class _Reader:
    """Reader of the compact protocol."""

    content: bytes
    at: int = 0

    def byte(self) -> int:
        if self.at >= len(self.content):
            raise PageError("a page header is cut off")
        self.at += 1
        return self.content[self.at - 1]

    def varint(self) -> int:
        value = 0
        for position in range(10):
            byte = self.byte()
            value |= (byte & 0x7F) << (7 * position)
            if byte < 0x80:
                return value
        raise PageError("a number of a page header is too long")

    def struct(self, depth: int = 0) -> dict[int, object]:
        """Return the fields of a struct that are whole numbers or structs; others are skipped."""
        if depth > MOST_DEPTH:
            raise PageError("a page header goes too deep")
        fields: dict[int, object] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = self._value(head & 0x0F, depth)
        return fields

    def _signed(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def _value(self, kind: int, depth: int) -> object:
        if kind in (1, 2):
            return None
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind in (7, 8):
            length = 8 if kind == 7 else self.varint()
            self.at += length
            return None
        if kind in (9, 10):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            for _ in range(count):
                self._value(head & 0x0F if head & 0x0F > 2 else 3, depth + 1)
            return None
        if kind == 12:
            return self.struct(depth + 1)
        raise PageError("a page header has a field of an unknown type")


def unpacked(file: IO[bytes], start: int, size: int, width: int) -> tuple[int, int]:
    """Return the bytes of a column's pages once unpacked, and their number.

    A page takes its unpacked bytes, or ``width`` bytes for each of its values where those are more, as a few bytes may
    repeat one value many times.

    Args:
        start, size: position of the first page in the file, and bytes of all pages.

    Raises:
        PageError: damaged headers, or more pages than ``MOST_PAGES``.
    """
    total = pages = 0
    end = start + size
    while start < end:
        file.seek(start)
        reader = _Reader(file.read(min(MOST_HEADER, end - start)))
        fields = reader.struct()
        headers = [header for number in _OF_VALUES if isinstance(header := fields.get(number), dict)]
        values = max((_count(header, 1) for header in headers), default=0)
        total += max(_count(fields, _UNPACKED), width * values)
        start += reader.at + _count(fields, _PACKED)
        pages += 1
        if pages > MOST_PAGES:
            raise PageError(f"a column has more than {MOST_PAGES:,} pages")
    return total, pages


def _count(fields: dict[int, object], number: int) -> int:
    """Return a field that counts something; raise PageError where it does not."""
    value = fields.get(number)
    if not isinstance(value, int) or value < 0:
        raise PageError("a page header does not count what it has")
    return value


#: The key of the metadata, and the version of the layout.
KEY, VERSION = b"routescope.log", 1
#: Rows that are written and read at once, and numbers of them that are read at once.
_ROWS, _AT_ONCE = 16_384, 4 * 2**20
#: Bytes of the footer of a file, which has the names of sequences twice.
MOST_FOOTER = 128 * 2**20
#: Bytes of a value of each column.
_WIDTHS = {"sequence": 4, "experts": 2, "weights": 2, "margin": 4, "token_id": 8, "token_text": 8}
_NO_LOG = "is no log as `routescope import` writes it"


def write_parquet(log: RoutingLog, path: Path) -> Path:
    """Write a log to a file.

    Columns: sequence; experts (int16), and weights (float16) and margin (float32) where the log has them, lists of
    fixed length in the order (layer, slot); token_id, token_text. Metadata under ``routescope.log``: JSON of all else.
    """
    require("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = {
        "version": VERSION,
        "source": asdict(log.source),
        "layers": log.layers,
        "indices": log.indices,
        "num_experts": log.num_experts,
        "slots": log.slots,
        "sequences": log.sequences,
        "margin_of": log.margin_of,
        "counted": log.counted,
        "notes": log.notes,
        "assumed": log.assumed,
        **({} if log.counts is None else {"counts": log.counts.tolist()}),
    }
    width, layers = max(1, len(log.layers) * log.slots), len(log.layers)
    fields = [("sequence", pa.int32()), ("experts", pa.list_(pa.int16(), width))]
    fields += [("weights", pa.list_(pa.float16(), width))] * (log.weights is not None)
    fields += [("margin", pa.list_(pa.float32(), layers))] * (log.margin is not None)
    fields += [("token_id", pa.int64())] * (log.token_ids is not None)
    fields += [("token_text", pa.string())] * (log.token_texts is not None)
    schema = pa.schema(fields).with_metadata({KEY: json.dumps(about).encode()})
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, len(log), _ROWS):
            writer.write_batch(_batch(log, slice(start, start + _ROWS), schema))
    return path


def _batch(log: RoutingLog, rows: slice, schema: "pyarrow.Schema") -> "pyarrow.RecordBatch":
    import pyarrow as pa

    def lists(array: np.ndarray, width: int) -> "pyarrow.Array":
        return pa.FixedSizeListArray.from_arrays(pa.array(array[rows].reshape(-1)), width)

    width = len(log.layers) * log.slots
    arrays = [pa.array(log.sequence[rows]), lists(log.experts, width)]
    if log.weights is not None:
        arrays.append(lists(log.weights, width))
    if log.margin is not None:
        arrays.append(lists(log.margin, len(log.layers)))
    if log.token_ids is not None:
        arrays.append(pa.array(log.token_ids[rows]))
    if log.token_texts is not None:
        texts = [text.encode("utf-8", "backslashreplace").decode() for text in log.token_texts[rows]]
        arrays.append(pa.array(texts, type=pa.string()))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def read_parquet(path: Path, reading: Reading) -> RoutingLog:
    """Read a file of ``write_parquet``.

    Unpacked sizes are added up from page headers before the first page is unpacked. Token texts stay numbers of a
    dictionary while they are read, as few bytes may repeat a long text.

    Raises:
        LogError: a damaged file, one of another program or a later version, or more than the limit.
    """
    require("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        _check_footer(path)
        metadata = pq.read_metadata(path)
        has_texts = "token_text" in metadata.schema.to_arrow_schema().names
        coded = ["token_text"] if has_texts else None
        with pq.ParquetFile(path, metadata=metadata, read_dictionary=coded, pre_buffer=False) as file:
            about = _about(file.schema_arrow.metadata or {}, path.name)
            layers, slots = len(about["layers"]), about.pop("slots")
            width, names = max(1, layers * slots), file.schema_arrow.names
            types = _types(layers, width)
            if not {"sequence", "experts"} <= set(names) <= set(types):
                raise LogError(f"{path.name} {_NO_LOG}: its columns are {', '.join(names)[:80]}")
            for field in file.schema_arrow:
                if str(field.type) not in types[field.name]:
                    raise LogError(f"{path.name} {_NO_LOG}: {field.name} is {str(field.type)[:40]}")
            _check_pages(path, file.metadata, reading)
            columns: dict[str, list[np.ndarray]] = {name: [] for name in names}
            texts, size = _Texts(), 0
            for batch in file.iter_batches(batch_size=max(1, min(_ROWS, _AT_ONCE // width)), use_threads=False):
                for name in columns:
                    if name == "token_text":
                        size += texts.add(batch.column(name))
                        continue
                    columns[name].append(_array(batch.column(name), path.name))
                    size += columns[name][-1].nbytes
                reading.check_size(size, path.name)
    except (pa.ArrowException, OSError, PageError) as error:
        raise LogError(f"{path.name} is no whole parquet file ({str(error)[:120]})") from error
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path.name} {_NO_LOG} ({str(error)[:120]})") from error
    return _log(about, (-1, layers, max(1, slots)), columns, texts.texts)


class _Texts:
    """Texts of tokens, cut where they are long."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._dictionary: "pyarrow.Array | None" = None
        self._values: list[str] = []

    def add(self, column: "pyarrow.DictionaryArray") -> int:
        """Add the texts of some rows; return about the bytes that they take beside the dictionary."""
        size = 0
        if self._dictionary is None or not column.dictionary.equals(self._dictionary):
            self._dictionary = column.dictionary
            self._values = [cut(str(text), LONGEST_TEXT) for text in column.dictionary.to_pylist()]
            size = sum(64 + len(text) for text in self._values)
        self.texts += [self._values[at] for at in column.indices.to_pylist()]
        return size + 8 * len(column)


def _check_footer(path: Path) -> None:
    """Raise LogError where the footer is cut off, or longer than those that we write."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 8))
        end = file.read()
    length = int.from_bytes(end[:4], "little")
    if len(end) != 8 or end[4:] != b"PAR1" or length > size - 8:
        raise LogError(f"{path.name} is no whole parquet file: it is cut off")
    if length > MOST_FOOTER:
        raise LogError(f"{path.name}: its footer has {length:,} bytes; footers of up to {MOST_FOOTER:,} are read")


def _check_pages(path: Path, metadata: "pyarrow.parquet.FileMetaData", reading: Reading) -> None:
    """Add up the unpacked bytes of all pages; raise LogError and PageError."""
    total = pages = 0
    with path.open("rb") as file:
        for group in range(metadata.num_row_groups):
            for number in range(metadata.num_columns):
                column = metadata.row_group(group).column(number)
                start = column.data_page_offset
                if column.has_dictionary_page and column.dictionary_page_offset is not None:
                    start = min(start, column.dictionary_page_offset)
                width = _WIDTHS.get(column.path_in_schema.partition(".")[0], 8)
                size, count = unpacked(file, start, column.total_compressed_size, width)
                total, pages = total + size, pages + count
                reading.check_size(total, path.name)
                if pages > MOST_PAGES:
                    raise LogError(f"{path.name} has more than {MOST_PAGES:,} pages; a log has fewer")


def _about(metadata: dict[bytes, bytes], file: str) -> dict[str, Any]:
    """Return the checked metadata: fields of a log, with its ``slots`` and ``counts`` (None: it has tokens)."""
    try:
        facts = json.loads(metadata[KEY])
    except (KeyError, ValueError, RecursionError) as error:
        raise LogError(f"{file} is a parquet file, and no log as `routescope import` writes it") from error
    if not isinstance(facts, dict) or facts.get("version") != VERSION:
        raise LogError(f"{file} is a log that a later Routescope wrote; this one reads version {VERSION}")
    source = facts["source"]
    count, slots, indices = facts["num_experts"], facts["slots"], facts["indices"]
    layers = _names(facts["layers"], LONGEST_LAYER)
    if type(count) is not int or not 1 <= count <= MOST_EXPERTS:
        raise LogError(f"{file}: a layer has 1 to {MOST_EXPERTS:,} experts, not {str(count)[:20]}")
    if type(slots) is not int or not 0 <= slots <= MOST_OF_A_TOKEN or not isinstance(source, dict):
        raise ValueError("its metadata is damaged")
    check_table(len(layers), slots, file)
    if not isinstance(indices, list) or any(type(index) is not int or abs(index) > 2**31 for index in indices):
        raise ValueError("its layers are not numbered")
    counts = None
    if "counts" in facts:
        counts = whole_numbers(facts["counts"], 2, f"{file}, counts")
        if int(counts.min()) < 0 or float(counts.sum(dtype=np.float64)) >= MOST_COUNTED:
            raise ValueError("counts are 0 or more, and add up to less than 2**53")
    return {
        "source": Source(*(cut(str(source[name])) for name in ("format", "version", "file"))),
        "layers": layers,
        "indices": tuple(indices),
        "num_experts": count,
        "slots": slots,
        "sequences": _names(facts["sequences"]),
        "margin_of": cut(str(facts["margin_of"])),
        "counted": bool(facts["counted"]),
        "notes": _names(facts["notes"], LONGEST_NOTE),
        "assumed": _names(facts.get("assumed"), LONGEST_NOTE),
        "counts": counts,
    }


def _types(layers: int, width: int) -> dict[str, tuple[str, ...]]:
    """Return the types that columns may have, by their names."""
    names = {"experts": ("int16", width), "weights": ("halffloat", width), "margin": ("float", layers)}
    lists = {
        name: tuple(f"fixed_size_list<{item}: {kind}>[{size}]" for item in ("item", "element"))
        for name, (kind, size) in names.items()
    }
    text = "dictionary<values=string, indices=int32, ordered=0>"
    return lists | {"sequence": ("int32",), "token_id": ("int64",), "token_text": (text,)}


def _array(column: "pyarrow.Array", file: str) -> np.ndarray:
    import pyarrow as pa

    flat = column.flatten() if pa.types.is_fixed_size_list(column.type) else column
    if column.null_count or flat.null_count:
        raise LogError(f"{file} {_NO_LOG}: values are missing")
    return flat.to_numpy(zero_copy_only=False)


def _log(
    about: dict[str, Any], shape: tuple[int, int, int], columns: dict[str, list[np.ndarray]], texts: list[str]
) -> RoutingLog:
    if (counts := about.pop("counts")) is not None:
        return load_log(
            about["source"], counts, about["indices"], about["layers"], counted=about["counted"],
            assumed=about["assumed"], notes=about["notes"][len(about["assumed"]) :],
        )  # fmt: skip
    joined = {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in columns.items()}
    weights, margin, ids = joined.get("weights"), joined.get("margin"), joined.get("token_id")
    return RoutingLog(
        **about,
        experts=joined["experts"].astype(np.int16).reshape(shape),
        sequence=joined["sequence"].astype(np.int32),
        weights=None if weights is None else weights.astype(np.float16).reshape(shape),
        margin=None if margin is None else margin.astype(np.float32).reshape(shape[:2]),
        token_ids=None if ids is None else ids.astype(np.int64),
        token_texts=tuple(texts) if texts else None,
    )


def _names(value: object, most: int = LONGEST_NAME) -> tuple[str, ...]:
    return tuple(cut(str(name), most) for name in value) if isinstance(value, list) else ()
