"""Hostile requests and their answers: tests write ``docs/hardening.md`` and are compared with it.

``came_back`` checks that a row is in the document, word for word. With ``ROUTESCOPE_RECORD=FILE`` it appends the row to
that file instead, and ``python -m tests.robustness.record FILE`` makes the document (``make hardening`` does both).
"""

import json
import os
import sys
from functools import cache
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "hardening.md"
RECORD = "ROUTESCOPE_RECORD"
LONGEST = 400
#: Threat -> defence.
LINES = {
    "oversized body": "bytes are counted on arrival, also with a false Content-Length",
    "slow body": "deadline for the whole body, few bodies at once",
    "many parts, huge fields": "limits on parts, part headers and field size",
    "decompression bomb": "pixels are counted from the header before decoding",
    "absurd sizes": "smallest and largest side, aspect ratio",
    "animation": "only the first frame is read; frames are limited",
    "exotic decoders": "only PNG, JPEG, WebP, BMP and GIF are decoded",
    "polyglot, script": "pictures are re-encoded; uploaded bytes are never stored or served",
    "EXIF": "orientation is applied once, the rest is removed",
    "colour modes": "converted",
    "truncated, corrupt": "refused with the reason",
    "file name": "never used on disk; escaped and shortened on the page",
    "text, JSON": "limits on characters and depth; NaN and Infinity are refused",
    "drop sets": "ids are checked, duplicates merged",
    "path traversal": "the form of every id is checked; ids are random",
    "unsafe deserialisation": "only safetensors and JSON are read",
    "SSRF": "no address is fetched for a user",
    "stored XSS": "names and labels are text; Content-Security-Policy",
    "callback forgery": "callbacks of the page are validated like bodies of the API",
    "exhaustion": "requests are admitted by estimated cost; bounded queue; 503 with Retry-After",
    "cache growth": "limits in bytes, least recently used first",
    "cross-user leak": "an intervention belongs to one request, not to a shared module",
    "hook leak": "hooks are counted before and after",
    "crash": "an upload is on disk before the reply",
    "open door": "only 127.0.0.1 without a token; else every route but health and ready needs it",
    "silent sockets": "deadlines, and limits per address; other requests are answered meanwhile",
    "frames and scans": "counted without decoding; decoding has a process, deadline and memory limit",
    "abandoned work": "stops at the next batch after the last client leaves",
    "starvation": "fair turns by kind of work and by client",
    "two processes, one folder": "a lock with a message",
    "full disk": "507, unhealthy, no partial files",
    "log-out, guessing": "sessions end on the server; wrong tokens are counted by address",
    "privacy": "an upload belongs to a browser or a user",
    "one owner takes all": "shares of storage and queue per owner; an owner's own oldest goes first",
    "another's things": "readable only by link; only the owner or the operator changes, cancels and deletes",
    "rebinding, forged origins": "Host is checked on the loopback, Origin with a login's cookie",
    "another's job": "only the owner or the operator cancels and keeps; others see that it runs",
    "killed workers": "children end with them, leases expire, kills from outside are not the job's fault",
    "model folders that lie": "config is compared with safetensors headers before building; links out of the folder "
    "are refused",
    "logs that lie or swell": "read in a process with a deadline and a memory limit; declared sizes are checked first",
}


def came_back(line: str, sent: str, got: str | httpx.Response) -> None:
    """Check or record an answer; a response counts as its status and the detail of its problem."""
    assert line in LINES, f"there is no line {line!r}"
    written = row(line, sent, got if isinstance(got, str) else said(got))
    if path := os.environ.get(RECORD):
        with Path(path).open("a") as file:
            file.write(json.dumps([line, written]) + "\n")
        return
    assert written in _rows(), f"docs/hardening.md lacks this row; `make hardening` writes it:\n{written}"


def said(answer: httpx.Response) -> str:
    if "problem+json" not in answer.headers.get("content-type", ""):
        return str(answer.status_code)
    return f"{answer.status_code}: {answer.json()['detail']}"


def row(line: str, sent: str, got: str) -> str:
    return "| " + " | ".join(_cell(text) for text in (line, sent, got)) + " |"


def _cell(text: str) -> str:
    plain = "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in text)
    plain = plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "\u2026"
    return (
        plain.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("|", "&#124;")
        .replace("`", "&#96;")
        .replace("[", "&#91;")
    )


@cache
def _rows() -> frozenset[str]:
    return frozenset(DOCUMENT.read_text().splitlines())


def document(recorded: list[tuple[str, str]]) -> str:
    """Return the document, from pairs of a threat and its row in any order."""
    missing = [line for line in LINES if line not in {entry for entry, _ in recorded}]
    assert not missing, f"nothing was recorded of: {', '.join(missing)}"
    parts = [
        "# Hostile requests and their answers",
        "",
        "Look up a threat, its defence, and the service's answer. Limits are [default settings](settings.md), unless",
        "a row gives its own. `make hardening` writes this document from tests, most in `tests/robustness`.",
        "",
        "| threat | defence |",
        "| --- | --- |",
        *(f"| {line} | {defence} |" for line, defence in LINES.items()),
        "",
        "| threat | sent | answer |",
        "| --- | --- | --- |",
    ]
    for line in LINES:
        parts += sorted({got for entry, got in recorded if entry == line})
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    read = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    DOCUMENT.write_text(document([(line, reported) for line, reported in read]))
