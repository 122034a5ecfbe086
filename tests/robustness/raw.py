"""Requests as no polite client sends them, over a plain socket."""

import json
import socket
import time
from typing import Any


class Raw:
    def __init__(self, port: int, timeout: float = 60) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, content: bytes) -> bool:
        """False when the server has closed the connection."""
        try:
            self.socket.sendall(content)
        except OSError:
            return False
        return True

    def answer(self) -> tuple[int | None, dict[str, Any]]:
        """(status, problem) of what comes back until the server closes or falls silent; None without an answer."""
        received = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                part = self.socket.recv(65536)
            except OSError:
                break
            if not part:
                break
            received += part
            head, separator, body = received.partition(b"\r\n\r\n")
            if separator and _complete(head, body):
                break
        if not received:
            return None, {}
        head, _, body = received.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        return status, json.loads(body) if b"problem+json" in head.lower() else {}


def _complete(head: bytes, body: bytes) -> bool:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return len(body) >= int(value)
    return False


def head(method: str, path: str, **headers: str | int) -> bytes:
    """A request's head; the names of headers are given with underscores."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def form(*parts: tuple[str, bytes]) -> tuple[str, bytes]:
    """(content type, body) of a multipart form from (header lines, content) of each part."""
    body = b"".join(b"--frontier\r\n" + lines.encode() + b"\r\n\r\n" + content + b"\r\n" for lines, content in parts)
    return "multipart/form-data; boundary=frontier", body + b"--frontier--\r\n"


FILE = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png'
