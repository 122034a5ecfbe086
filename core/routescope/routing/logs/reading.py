"""The reader of every log: its content tells the format, whatever its name."""

import codecs
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from routescope.routing.logs.arrays import read_npy, read_npz, read_safetensors
from routescope.routing.logs.expert_lists import MOST_BYTES, ExpertListError, expert_lists
from routescope.routing.logs.headers import PICKLE, PICKLED
from routescope.routing.logs.lines import EVENT_FIELDS, Event, documents
from routescope.routing.logs.log import LogError, RoutingLog
from routescope.routing.logs.megatron import of_megatron, read_megatron
from routescope.routing.logs.packing import Reading, cut
from routescope.routing.logs.parquet import read_parquet
from routescope.routing.logs.responses import is_response, of_sglang, of_vllm, read_sglang, read_vllm
from routescope.routing.logs.table import header_of, read_csv
from routescope.routing.logs.traces import read_trace

#: Format -> its reader; errors list the formats.
FORMATS: dict[str, Callable[[Path, Reading], RoutingLog]] = {
    "vLLM responses (JSON, or JSONL)": lambda path, reading: read_vllm(documents(path), reading, path.name),
    "SGLang responses (JSON, or JSONL)": lambda path, reading: read_sglang(documents(path), reading, path.name),
    "Megatron-core's router trace (JSONL)": lambda path, reading: read_megatron(documents(path), reading, path.name),
    "a CSV with columns layer and expert, or layer, expert and count": read_csv,
    "router logits in safetensors": read_safetensors,
    "router logits in npz": read_npz,
    "experts (token, layer, slot), or router logits, in npy": read_npy,
    "a parquet file of `routescope import`": read_parquet,
    "a trace of `routescope trace`": read_trace,
}
_VLLM, _SGLANG, _MEGATRON, _CSV, _SAFETENSORS, _NPZ, _NPY, _PARQUET, _TRACE = FORMATS
#: First bytes of files -> format.
_MAGIC = {b"PAR1": _PARQUET, b"PK\x03\x04": _NPZ, b"\x93NUMPY": _NPY, b"\x89HDF": _TRACE, b"CDF": _TRACE}
#: Characters of a refusal.
LONGEST_REFUSAL = 1_000
#: Bytes that are looked at.
_HEAD = 4_096
#: First bytes of files that are not read -> the reason, and what to do.
_REFUSED = {
    b"\x1f\x8b": "it is packed by gzip; unpack it first",
    b"\x28\xb5\x2f\xfd": "it is packed by zstd; unpack it first",
    PICKLE: PICKLED,
    **dict.fromkeys((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "it is UTF-16 text; save it as UTF-8"),
}


def recognised(path: Path) -> str:
    """Return a file's key in ``FORMATS``, by its content; raises LogError if no format fits, and OSError."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    for magic, form in _MAGIC.items():
        if head.startswith(magic):
            return form
    size = int.from_bytes(head[:8], "little")
    if head[8:9] == b"{" and 2 <= size <= path.stat().st_size - 8:
        return _SAFETENSORS
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] in (b"{", b"[") or text.startswith(EVENT_FIELDS):
        return _of_json(path)
    why = next((why for magic, why in _REFUSED.items() if head.startswith(magic)), None)
    if why is None and b"\0" not in head and header_of(path) is not None:
        return _CSV
    raise _unknown(path.name, why or "its content was not recognised" if head else "it is empty")


def _unknown(file: str, why: str) -> LogError:
    return LogError(f"{file} is no routing log: {why}. Read are {'; '.join(FORMATS)}")


def _of_json(path: Path) -> str:
    """Return the format by the first documents; some may be answers without experts."""
    responses = number = 0
    for _, document in documents(path):
        if of_megatron(document):
            return _MEGATRON
        if of_sglang(document):
            return _SGLANG
        if of_vllm(document):
            return _VLLM
        responses += is_response(document)
        number += not isinstance(document, Event)  # the routing of a stream may stand in its last event
        if number > 100:
            break
    if responses:
        raise _unknown(
            path.name, "its responses have no experts; the server must be started with --enable-return-routed-experts"
        )
    if _is_keep_list(path):
        raise LogError(
            f"{path.name} is a keep-list, which experts stay at each layer, and no routing log. Use it to drop the "
            f"others: routescope evaluate MODEL --drop @{path.name}"
        )
    raise _unknown(path.name, f"its first JSON object has {_keys(path)}")


def _is_keep_list(path: Path) -> bool:
    """Whether a file has lists of experts by layer, none of which names an expert twice, as counts would."""
    if path.stat().st_size > MOST_BYTES:
        return False
    try:
        lists = expert_lists(path.read_text("utf-8-sig", "replace"))
    except ExpertListError:
        return False
    return lists is not None and all(
        len(set(listed)) == len(listed) or set(listed) <= {0, 1} for listed in lists.layers.values()
    )


def _keys(path: Path) -> str:
    document = next((document for _, document in documents(path)), {})
    return json.dumps([cut(name, 40) for name in list(document)[:8]])[1:-1] or "nothing"


def read_log(path: str | Path, reading: Reading | None = None) -> RoutingLog:
    """Read a routing log of a server, a trainer or a tracer; its content tells the format.

    ::

        log = rs.read_log("responses.jsonl", rs.Reading(top_k=2))
        log.experts  # (token, layer, slot), counted from 0

    Args:
        reading: facts that the log does not hold, and its largest size.

    Raises:
        LogError: no log, or a damaged one; the message says where, and what would be accepted.
        FileNotFoundError: no such file.
    """
    path, reading = Path(path), reading or Reading()
    try:
        form = recognised(path)
        log = FORMATS[form](path, reading.of_file(path.stat().st_size))
    except LogError as error:
        if len(str(error)) <= LONGEST_REFUSAL:
            raise
        raise LogError(cut(str(error), LONGEST_REFUSAL)) from error
    except (OSError, MemoryError):
        raise
    except Exception as error:  # a file can be damaged in ways that no reader thinks of
        raise LogError(
            f"{path.name} cannot be read: it is damaged, or of a layout that is not read. Read are {'; '.join(FORMATS)}"
        ) from error
    unused = []
    if reading.start is not None and form not in (_VLLM, _SGLANG):
        unused.append("The start that was given (--start) is of responses, and is not used for this log.")
    if reading.ranks is not None and form not in (_MEGATRON, _CSV):
        unused.append("The ranks that were given (--ranks) are of Megatron-core and of tables; this log has none.")
    if log.counts is not None and reading.top_k is not None:
        unused.append("The experts a token takes (--top-k) are not used: the log has counts and no tokens.")
    return replace(log, notes=(*log.notes, *unused)) if unused else log
