"""JSON documents of a file, one after the other, each with its position in the file."""

import json
from collections.abc import Iterator
from pathlib import Path

from routescope.routing.logs.log import LogError

#: Bytes of one JSON document at most: a line, or a file that is one document.
MOST_DOCUMENT = 256 * 2**20

JSONObject = dict[str, object]

#: First bytes of lines in a stream of server-sent events, and the data of its end.
EVENT_FIELDS, END = (b"data:", b"event:", b"id:", b"retry:", b":"), b"[DONE]"


class Event(dict[str, object]):
    """JSON object of a server-sent event; ``number`` counts the streams of the file."""

    number: int = 0


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def parsed(content: bytes, where: str) -> object:
    """Parse a JSON document; raises LogError for other texts, and for NaN."""
    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        position = where if error.lineno == 1 else f"{where}, line {error.lineno}"
        why = f"no JSON at column {error.colno} ({error.msg}); a log that was cut off ends so"
        raise LogError(f"{position}: {why}") from error
    except RecursionError as error:
        raise LogError(f"{where}: lists within lists go too deep") from error
    except ValueError as error:  # NaN, a number of too many digits, or no UTF-8
        raise LogError(f"{where}: {error}") from error


def documents(path: Path) -> Iterator[tuple[str, JSONObject]]:
    """Yield the JSON objects of a file with the position of each: one a line, one in all, a list, or events.

    Lines of events begin with "data:"; their other fields, and the "[DONE]" at the end of a stream, are skipped. Lines
    are read one by one. A line, or a file that is one document, has at most ``MOST_DOCUMENT`` bytes.

    Raises:
        LogError: no JSON object, with its line.
    """
    with path.open("rb") as file:
        number = streams = 0
        while line := file.readline(MOST_DOCUMENT + 1):
            number += 1
            if len(line) > MOST_DOCUMENT:
                raise LogError(f"line {number} has more than {MOST_DOCUMENT // 2**20} MiB; give one response a line")
            if not line.strip():
                continue
            if line.lstrip(b"\xef\xbb\xbf").startswith(EVENT_FIELDS):
                data = line.lstrip(b"\xef\xbb\xbf").removeprefix(b"data:").strip()
                if data == END:
                    streams += 1
                elif data[:1] in (b"{", b"["):
                    for where, entry in _objects(parsed(data, f"line {number}"), f"line {number}"):
                        event = Event(entry)
                        event.number = streams
                        yield where, event
                elif line.startswith(b"data:") and data:
                    raise LogError(f"line {number}: data of an event is a JSON object or [DONE], not {data[:40]!r}")
                continue
            if number == 1 and not _whole(line):
                yield from _objects(_one_document(path), path.name)
                return
            yield from _objects(parsed(line, f"line {number}"), f"line {number}")


def _whole(line: bytes) -> bool:
    try:
        json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def _one_document(path: Path) -> object:
    if path.stat().st_size > MOST_DOCUMENT:
        raise LogError(
            f"line 1 is no JSON object, and the file is too large to be one document ({MOST_DOCUMENT // 2**20} MiB); "
            "give one response a line"
        )
    return parsed(path.read_bytes(), path.name)


def _objects(document: object, where: str) -> Iterator[tuple[str, JSONObject]]:
    if isinstance(document, list):
        for number, entry in enumerate(document, start=1):
            if not isinstance(entry, dict):
                raise LogError(f"{where}, entry {number}: a JSON object was expected, such as a response")
            yield f"{where}, entry {number}", entry
    elif isinstance(document, dict):
        yield where, document
    else:
        raise LogError(f"{where}: a JSON object was expected, such as a response")


def inside(document: JSONObject, *keys: str) -> object:
    """Return the value at the end of a path of keys; None where the path ends early."""
    value: object = document
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def items(value: object) -> list[JSONObject]:
    """Return the objects of a list; none of a value that is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
