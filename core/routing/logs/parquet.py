"""Our own file of a log: parquet, a row a token, with what is the same for all in its metadata."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.routing.logs.log import LogError, RoutingLog, Source, load_log
from core.routing.logs.packing import Reading

if TYPE_CHECKING:
    import pyarrow

#: The key of the metadata, and the version of the layout.
KEY, VERSION = b"routescope.log", 1
#: Rows that are written and read at once.
_ROWS = 16_384


def write_parquet(log: RoutingLog, path: Path) -> Path:
    """Write a log to a file.

    Columns: sequence; experts (int16), and weights (float16) and margin (float32) where the log has them, lists of
    fixed length in the order (layer, slot); token_id, token_text. Metadata under ``routescope.log``: JSON of all else.
    """
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
    """Read a file that ``write_parquet`` wrote.

    Raises:
        LogError: a damaged file, one that we did not write or that a later version wrote, or more than the limit.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            about = _about(file.schema_arrow.metadata or {}, path.name)
            columns: dict[str, list[np.ndarray]] = {name: [] for name in file.schema_arrow.names}
            texts, size = list[str](), 0
            for batch in file.iter_batches(batch_size=_ROWS):
                for name in columns:
                    if name == "token_text":
                        texts.extend(str(text) for text in batch.column(name).to_pylist())
                        continue
                    columns[name].append(_array(batch.column(name)))
                    size += columns[name][-1].nbytes
                reading.check_size(size, path.name)
    except (pa.ArrowException, OSError) as error:
        raise LogError(f"{path.name} is no whole parquet file ({error})") from error
    try:
        return _log(about, columns, texts)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path.name} is no log as `routescope import` writes it ({error})") from error


def _about(metadata: dict[bytes, bytes], file: str) -> dict[str, object]:
    try:
        found = json.loads(metadata[KEY])
    except (KeyError, ValueError) as error:
        raise LogError(f"{file} is a parquet file, and no log as `routescope import` writes it") from error
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise LogError(f"{file} is a log that a later Routescope wrote; this one reads version {VERSION}")
    return found


def _array(column: "pyarrow.Array") -> np.ndarray:
    import pyarrow as pa

    flat = column.flatten() if pa.types.is_fixed_size_list(column.type) else column
    return flat.to_numpy(zero_copy_only=False)


def _log(about: dict[str, object], columns: dict[str, list[np.ndarray]], texts: list[str]) -> RoutingLog:
    joined = {name: np.concatenate(parts) for name, parts in columns.items() if parts}
    names, source = _names(about["layers"]), about["source"]
    count, slots = about["num_experts"], about["slots"]
    if not isinstance(source, dict) or not isinstance(count, int) or not isinstance(slots, int):
        raise TypeError("its metadata is damaged")
    if "counts" in about:
        return load_log(
            Source(str(source["format"]), str(source["version"]), str(source["file"])),
            np.array(about["counts"], dtype=np.int64),
            [int(index) for index in _names(about["indices"])],
            names,
            counted=bool(about["counted"]),
            assumed=_names(about.get("assumed")),
            notes=_names(about["notes"])[len(_names(about.get("assumed"))) :],
        )
    shape = (-1, len(names), slots)
    weights, margin, ids = joined.get("weights"), joined.get("margin"), joined.get("token_id")
    return RoutingLog(
        source=Source(str(source["format"]), str(source["version"]), str(source["file"])),
        layers=names,
        indices=tuple(int(index) for index in _names(about["indices"])),
        num_experts=count,
        experts=joined["experts"].astype(np.int16).reshape(shape),
        sequence=joined["sequence"].astype(np.int32),
        sequences=_names(about["sequences"]),
        weights=None if weights is None else weights.astype(np.float16).reshape(shape),
        margin=None if margin is None else margin.astype(np.float32).reshape(-1, len(names)),
        margin_of=str(about["margin_of"]),
        token_ids=None if ids is None else ids.astype(np.int64),
        token_texts=tuple(texts) if texts else None,
        counted=bool(about["counted"]),
        notes=_names(about["notes"]),
        assumed=_names(about.get("assumed")),
    )


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()
