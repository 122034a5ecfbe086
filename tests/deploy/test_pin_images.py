"""Digests in the compose files are those of a registry."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from scripts.pin_images import FILES, LINE, Image, NotRead, main
from tests.deploy.test_compose import ALL

MANIFEST = json.dumps({"schemaVersion": 2, "manifests": []}).encode()
TRUE = f"sha256:{hashlib.sha256(MANIFEST).hexdigest()}"
OLD = "sha256:" + "0" * 64


@dataclass
class Registry:
    """What a registry has, and what it was asked.

    Attributes:
        images: the digest that it tells by repository and tag; empty: it tells none, and gives the manifest.
        token: that it wants; None: it answers everybody.
    """

    images: dict[str, str]
    token: str | None = None
    host: str = ""
    asked: list[str] = field(default_factory=list)


@contextmanager
def registry(having: Registry) -> Iterator[Registry]:
    """It answers on 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(b"")

        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/token":
                assert parse_qs(asked.query) == {"service": ["here"], "scope": ["repository:library/caddy:pull"]}
                self._send(200, {}, json.dumps({"token": having.token}).encode())
            else:
                self._answer(MANIFEST)

        def _answer(self, body: bytes) -> None:
            having.asked.append(f"{self.command} {self.path}")
            assert "image.index.v1+json" in self.headers["Accept"]
            if having.token is not None and self.headers["Authorization"] != f"Bearer {having.token}":
                realm = (
                    f'Bearer realm="http://{having.host}/token",service="here",scope="repository:library/caddy:pull"'
                )
                return self._send(401, {"WWW-Authenticate": realm})
            name = self.path.removeprefix("/v2/").replace("/manifests/", ":")
            if name not in having.images:
                return self._send(404, {})
            reported = having.images[name]
            return self._send(200, {"Docker-Content-Digest": reported} if reported else {}, body)

        def _send(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
            self.send_response(status)
            for name, value in (headers | {"Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    having.host = f"127.0.0.1:{server.server_port}"
    try:
        yield having
    finally:
        server.shutdown()
        server.server_close()


def compose(folder: Path, *lines: str) -> Path:
    path = folder / "docker-compose.yml"
    path.write_text("services:\n" + "".join(f"  s{n}:\n    {line}\n" for n, line in enumerate(lines)))
    return path


def test_digests_of_the_registry_alone_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with registry(Registry({"library/caddy:2.11.7": TRUE, "prom/prometheus:v3.5.0": "", "lab/own:1": TRUE})) as there:
        path = compose(
            tmp_path,
            "image: caddy:2.11.7   # the proxy",
            "image: prom/prometheus:v3.5.0",
            f"image: {there.host}/lab/own:1@{OLD}",
            "image: postgres:17.5",
            f"image: grafana/grafana:12.1.0@{OLD}",
            "image: routescope",
            "image: ${OTHER:-caddy:1}",
        )
        assert main(["--registry", there.host, str(path)]) == 1, "two are not there"
        (tmp_path / "expected").mkdir()
        expected = compose(
            tmp_path / "expected",
            f"image: caddy:2.11.7@{TRUE}   # the proxy",
            f"image: prom/prometheus:v3.5.0@{TRUE}",
            f"image: {there.host}/lab/own:1@{TRUE}",
            "image: postgres:17.5",
            f"image: grafana/grafana:12.1.0@{OLD}",
            "image: routescope",
            "image: ${OTHER:-caddy:1}",
        ).read_text()
    assert path.read_text() == expected
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 and sum("stays as it is" in member for member in lines) == 2
    assert there.asked.count("GET /v2/prom/prometheus/manifests/v3.5.0") == 1, "what tells no digest is hashed"


def test_a_token_is_asked_for_and_malformed_digests_are_not_written(tmp_path: Path) -> None:
    path = compose(tmp_path, "image: caddy:2.11.7")
    before = path.read_text()
    for digest in ("sha256:abc", "md5:" + "0" * 64, "sha256:" + "0" * 64 + "x"):
        with registry(Registry({"library/caddy:2.11.7": digest})) as there:
            assert main(["--registry", there.host, str(path)]) == 1
    assert main(["--registry", there.host, str(path)]) == 1, "the registry has stopped"
    assert main([str(path)]) == 1, "no registry is named"
    assert path.read_text() == before
    with registry(Registry({"library/caddy:2.11.7": TRUE}, token="anybody's")) as there:
        for _ in range(2):
            assert main(["--registry", there.host, str(path)]) == 0
    assert yaml.safe_load(path.read_text())["services"]["s0"]["image"] == f"caddy:2.11.7@{TRUE}"


def test_addresses_of_images() -> None:
    assert Image.of("caddy", "2", "hub.example").manifest == "https://hub.example/v2/library/caddy/manifests/2"
    assert Image.of("prom/prometheus", "v3", "hub.example").repository == "prom/prometheus"
    assert Image.of("lab.example:5000/a/b", "1", None) == Image("lab.example:5000", "a/b", "1")
    assert Image.of("localhost/a", "1", None).manifest == "http://localhost/v2/a/manifests/1"
    with pytest.raises(NotRead, match="--registry"):
        Image.of("prom/prometheus", "v3", None)


def test_the_tagged_images_of_the_project_are_found() -> None:
    outcome = [f"{match['name']}:{match['tag']}" for path in FILES for match in LINE.finditer(path.read_text())]
    tagged = [service["image"].partition("@")[0] for service in ALL.values() if ":" in service["image"]]
    assert sorted(outcome) == sorted(tagged) and len(outcome) >= 4
