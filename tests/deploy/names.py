"""A DNS server for tests: it answers A queries for known names, as Docker's server does for a service."""

import socket
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

_HEAD = struct.Struct(">6H")
#: Record types and classes.
_A, _AAAA, _IN = 1, 28, 1
#: An answer to a recursive question, and what it says of a name that is not known.
_ANSWER, _NO_SUCH_NAME = 0x8180, 3
#: Seconds for which an answer may be kept.
_KEPT = 1


def answered(question: bytes, known: Mapping[str, Sequence[str]]) -> bytes:
    """Return the reply to a query: A records of a known name, no records of another type, or NXDOMAIN."""
    number, *_ = _HEAD.unpack_from(question)
    labels, at = [], _HEAD.size
    while length := question[at]:
        labels.append(question[at + 1 : at + 1 + length].decode("ascii"))
        at += 1 + length
    kind, _ = struct.unpack_from(">2H", question, at + 1)
    addresses = known.get(".".join(labels).lower())
    given = [] if addresses is None or kind != _A else addresses
    head = _HEAD.pack(number, _ANSWER | (_NO_SUCH_NAME if addresses is None else 0), 1, len(given), 0, 0)
    name_again = 0xC000 | _HEAD.size
    records = [struct.pack(">3HIH", name_again, _A, _IN, _KEPT, 4) + socket.inet_aton(address) for address in given]
    return head + question[_HEAD.size : at + 5] + b"".join(records)


@contextmanager
def serving(known: Mapping[str, Sequence[str]]) -> Iterator[int]:
    """Answer queries on a port of 127.0.0.1; yield the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(0.2)
        ended = threading.Event()

        def answer() -> None:
            while not ended.is_set():
                try:
                    question, who = server.recvfrom(512)
                except TimeoutError:
                    continue
                server.sendto(answered(question, known), who)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            ended.set()
            thread.join()
