"""What hostile clients sent and what came back: ``docs/hardening.md``, which tests write and are held to.

A test that has seen something come back says so with ``came_back``. That has to be in the document, word for word; with
``ROUTESCOPE_RECORD=FILE`` it is written into that file instead, of which ``python -m tests.robustness.record FILE``
makes the document (``make hardening`` does both).
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
#: Every threat, and what is done about it.
LINES = {
    "oversized body": "cap counted while streaming, chunked and lying Content-Length included",
    "slow body": "total deadline, limited concurrency",
    "many parts, huge fields": "caps on parts, part headers, field size",
    "decompression bomb": "width x height checked from the header before decoding",
    "absurd sizes": "least and greatest side, aspect ratio",
    "animation": "first frame only, frame cap",
    "exotic decoders": "PNG, JPEG, WebP, BMP and GIF alone are decoded",
    "polyglot, script": "decoded and encoded anew; the bytes that were sent are dropped and never served",
    "EXIF": "the orientation is applied once, the rest dropped",
    "colour modes": "converted",
    "truncated, corrupt": "refused with the reason",
    "file name": "never used on disk; shown escaped and shortened",
    "text, JSON": "caps on characters and depth; NaN and Infinity refused",
    "drop sets": "ids in range, duplicates folded",
    "path traversal": "every id is checked by its form; ids are random",
    "unsafe deserialisation": "safetensors and JSON only",
    "SSRF": "no address is ever fetched for a user",
    "stored XSS": "names and labels rendered as text; Content-Security-Policy",
    "callback forgery": "every callback's input is validated like a body of the API",
    "exhaustion": "admission by estimated cost, bounded queue, 503 with Retry-After",
    "cache growth": "least recently used first, by bytes",
    "cross-user leak": "interventions belong to one request, never to a shared module",
    "hook leak": "hooks are counted before and after",
    "crash": "uploads are on disk before they are acknowledged",
    "open door": "127.0.0.1 alone unless a token is set, which every route but health and ready wants",
    "silent sockets": "deadlines, caps by address; whole requests are answered meanwhile",
    "frames and scans": "counted without decoding, which runs in a process with a deadline and a memory limit",
    "abandoned work": "ends at the next batch when the last client leaves",
    "starvation": "fair between kinds of work and between clients",
    "two processes, one folder": "a lock with a message",
    "full disk": "507, unhealthy, nothing half-written",
    "log-out, guessing": "sessions end on the server; guesses are counted by address",
    "privacy": "uploads belong to a browser or a user",
    "one owner takes all": "shares of what is kept and of the queue by owner; an owner's own oldest goes first",
    "another's things": "read by link alone; changed, cancelled and deleted by their owner or the operator",
    "rebinding, forged origins": "Host is checked on the loopback; with a login's cookie, Origin",
    "another's job": "cancelled and kept by its owner or the operator alone; others see that it runs",
    "killed workers": "children end with them, leases pass, and kills from outside are not the job's fault",
}


def came_back(line: str, sent: str, got: str | httpx.Response) -> None:
    """Say what came back; a response is told by its status and what its problem says."""
    assert line in LINES, f"there is no line {line!r}"
    told = row(line, sent, got if isinstance(got, str) else said(got))
    if place := os.environ.get(RECORD):
        with Path(place).open("a") as file:
            file.write(json.dumps([line, told]) + "\n")
        return
    assert told in _rows(), f"docs/hardening.md has not this row; `make hardening` writes it anew:\n{told}"


def said(answer: httpx.Response) -> str:
    """Status, and of a problem its detail."""
    if "problem+json" not in answer.headers.get("content-type", ""):
        return str(answer.status_code)
    return f"{answer.status_code}: {answer.json()['detail']}"


def row(line: str, sent: str, got: str) -> str:
    """A line of the document's table."""
    return "| " + " | ".join(_cell(each) for each in (line, sent, got)) + " |"


def _cell(text: str) -> str:
    plain = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text)
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
    """The document of what was recorded: (line, row) in any order."""
    missing = [line for line in LINES if line not in {each for each, _ in recorded}]
    assert not missing, f"nothing was recorded of: {', '.join(missing)}"
    parts = [
        "# What was tried",
        "",
        "What hostile clients sent to the service and what it answered, written by the tests that did so",
        "(most of them in `tests/robustness`); `make hardening` writes it anew. Limits are the defaults of",
        "[the settings](settings.md), or a test's own where it says so.",
        "",
        "| threat | defence |",
        "| --- | --- |",
        *(f"| {line} | {defence} |" for line, defence in LINES.items()),
        "",
        "| threat | sent | what came back |",
        "| --- | --- | --- |",
    ]
    for line in LINES:
        parts += sorted({told for each, told in recorded if each == line})
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    read = [json.loads(each) for each in Path(sys.argv[1]).read_text().splitlines()]
    DOCUMENT.write_text(document([(line, told) for line, told in read]))
