"""Digests in the compose files are those of a registry."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from scripts.pin_images import FILES, LINE, Image, NotRead, main, pinned
from tests.deploy.test_compose import ALL

MANIFEST = json.dumps({"schemaVersion": 2, "manifests": []}).encode()
TRUE = f"sha256:{hashlib.sha256(MANIFEST).hexdigest()}"
OLD = "sha256:" + "0" * 64


def registry(
    images: dict[str, str], asked: list[str], token: str | None = None
) -> Callable[[httpx.Request], httpx.Response]:
    """A registry of the host ``hub.example`` and of every other host.

    Args:
        images: digest by repository and tag; with an empty digest, the registry has only the manifest.
        asked: gets the method and path of each request.
        token: the token that each request needs, or None.
    """

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/token":
            assert dict(request.url.params) == {"service": "here", "scope": "repository:library/caddy:pull"}
            return httpx.Response(200, json={"token": token})
        asked.append(f"{request.method} {request.url.path}")
        assert "image.index.v1+json" in request.headers["Accept"]
        if token is not None and request.headers.get("Authorization") != f"Bearer {token}":
            realm = 'Bearer realm="https://hub.example/token",service="here",scope="repository:library/caddy:pull"'
            return httpx.Response(401, headers={"WWW-Authenticate": realm})
        name = request.url.path.removeprefix("/v2/").replace("/manifests/", ":")
        if name not in images:
            return httpx.Response(404)
        headers = {"Docker-Content-Digest": images[name]} if images[name] else {}
        return httpx.Response(200, headers=headers, content=MANIFEST if request.method == "GET" else b"")

    return answer


def pinned_by(answer: Callable[[httpx.Request], httpx.Response], *images: str) -> tuple[list[str], list[str]]:
    """Return the lines of a compose file after they were pinned, and the sentence for each image."""
    text = "services:\n" + "".join(f"  s{at}:\n    image: {image}\n" for at, image in enumerate(images))
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        written, sentences = pinned(text, client, "hub.example")
    return [line.removeprefix("    image: ") for line in written.splitlines()[2::2]], sentences


def test_digests_of_the_registry_alone_are_written() -> None:
    asked: list[str] = []
    images = {"library/caddy:2.11.7": TRUE, "prom/prometheus:v3.5.0": "", "lab/own:1": TRUE}
    written, sentences = pinned_by(
        registry(images, asked),
        "caddy:2.11.7   # the proxy", "prom/prometheus:v3.5.0", f"lab.example/lab/own:1@{OLD}", "postgres:17.5",
        f"grafana/grafana:12.1.0@{OLD}", "routescope", "${OTHER:-caddy:1}",
    )  # fmt: skip
    assert written == [
        f"caddy:2.11.7@{TRUE}   # the proxy", f"prom/prometheus:v3.5.0@{TRUE}", f"lab.example/lab/own:1@{TRUE}",
        "postgres:17.5", f"grafana/grafana:12.1.0@{OLD}", "routescope", "${OTHER:-caddy:1}",
    ]  # fmt: skip
    assert len(sentences) == 5 and sum("stays as it is" in sentence for sentence in sentences) == 2
    assert asked.count("GET /v2/prom/prometheus/manifests/v3.5.0") == 1, "a manifest without a digest is hashed"


def test_a_token_is_asked_for_and_malformed_digests_are_not_written(tmp_path: Path) -> None:
    for digest in ("sha256:abc", "md5:" + "0" * 64, OLD + "x"):
        written, sentences = pinned_by(registry({"library/caddy:2.11.7": digest}, []), "caddy:2.11.7")
        assert written == ["caddy:2.11.7"] and "tells no SHA-256" in sentences[0]

    def stopped(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    assert pinned_by(stopped, "caddy:2.11.7")[0] == ["caddy:2.11.7"]
    with_token = registry({"library/caddy:2.11.7": TRUE}, [], token="anybody's")
    for image in ("caddy:2.11.7", f"caddy:2.11.7@{TRUE}"):
        assert pinned_by(with_token, image)[0] == [f"caddy:2.11.7@{TRUE}"]
    path = tmp_path / "docker-compose.yml"
    path.write_text("services:\n  s0:\n    image: caddy:2.11.7\n")
    assert main([str(path)]) == 1, "no registry is named"
    assert path.read_text().endswith("image: caddy:2.11.7\n")


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
