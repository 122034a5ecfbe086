"""Writes digests into the compose files: ``image: name:tag`` becomes ``image: name:tag@sha256:...``.

Run it where registries can be reached: ``python -m scripts.pin_images --registry HOST``, or
``make digests REGISTRY=HOST``. A tag can be moved to another image, and a digest cannot. Each is asked of the registry
that the image's own name says; HOST is the one of images whose names say none. Nothing is written that was not read
from a registry: an image of which none tells the digest stays as it is, and the command ends with 1. What is there
already is asked for anew by its tag.
"""

import argparse
import hashlib
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
FILES = tuple(ROOT / name for name in ("docker-compose.yml", "docker-compose.gpu.yml"))
#: A line that names an image with a tag; what is built here has none.
LINE = re.compile(
    r"^(?P<head>[ \t]*image:[ \t]*)(?P<name>[\w./:-]+):(?P<tag>\w[\w.-]*)"
    r"(?:@sha256:[0-9a-f]{64})?(?P<tail>[ \t]*(?:#.*)?)$",
    re.MULTILINE,
)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
#: What a registry may have under a tag: an index of several platforms first, whose digest serves all of them.
ACCEPT = ", ".join(
    (
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.docker.distribution.manifest.v2+json",
    )
)
#: What a registry says of who gives tokens for it: ``realm="https://...",service="...",scope="..."``.
CHALLENGE = re.compile(r'(\w+)="([^"]*)"')
SECONDS = 20.0


class NotRead(Exception):
    """No registry told the digest of an image; the message says why."""


@dataclass(frozen=True)
class Image:
    """Where an image is.

    Attributes:
        registry: its host, with a port where it has one.
        repository: its name there.
    """

    registry: str
    repository: str
    tag: str

    @classmethod
    def of(cls, name: str, tag: str, unnamed: str | None) -> "Image":
        """By its name in a compose file; raises NotRead.

        Args:
            unnamed: the registry of names without one.
        """
        first, slash, rest = name.partition("/")
        if slash and ("." in first or ":" in first or first == "localhost"):
            return cls(first, rest, tag)
        if unnamed is None:
            raise NotRead("its name says no registry: name one by --registry")
        return cls(unnamed, name if slash else f"library/{name}", tag)

    @property
    def manifest(self) -> str:
        """The address of what the tag means now."""
        return f"{_scheme(self.registry)}://{self.registry}/v2/{self.repository}/manifests/{self.tag}"


def _scheme(host: str) -> str:
    """Without TLS on this machine alone, as container engines do it."""
    name = host.rpartition(":")[0] or host
    try:
        return "http" if name == "localhost" or ip_address(name).is_loopback else "https"
    except ValueError:
        return "https"


def digest_of(client: httpx.Client, image: Image) -> str:
    """The digest that its registry tells.

    Raises:
        NotRead: it does not answer, has no such image, or tells none.
    """
    try:
        asked = {"Accept": ACCEPT}
        answer = client.head(image.manifest, headers=asked)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            asked["Authorization"] = f"Bearer {_token(client, image, answer)}"
            answer = client.head(image.manifest, headers=asked)
        answer.raise_for_status()
        said = answer.headers.get("docker-content-digest", "")
        if not said:  # the digest is the hash of what the tag means
            whole = client.get(image.manifest, headers=asked).raise_for_status()
            said = f"sha256:{hashlib.sha256(whole.content).hexdigest()}"
    except (httpx.HTTPError, ValueError) as error:
        raise NotRead(f"{image.registry}: {str(error).partition(chr(10))[0]}") from error
    if not DIGEST.fullmatch(said):
        raise NotRead(f"{image.registry} tells no SHA-256: {said[:80]!r}")
    return said


def _token(client: httpx.Client, image: Image, refused: httpx.Response) -> str:
    """For somebody without an account, from where the registry says; raises NotRead and what httpx does."""
    scheme, _, rest = refused.headers.get("www-authenticate", "").partition(" ")
    told = dict(CHALLENGE.findall(rest))
    place = httpx.URL(told.pop("realm", ""))
    if scheme.lower() != "bearer" or place.scheme not in ("https", _scheme(place.netloc.decode())):
        raise NotRead(f"{image.registry} wants an account")
    told.setdefault("scope", f"repository:{image.repository}:pull")
    answer = client.get(place.copy_merge_params(told)).raise_for_status().json()
    token = answer.get("token") or answer.get("access_token")
    if not isinstance(token, str):
        raise NotRead(f"{place.host} gives no token")
    return token


def pinned(text: str, client: httpx.Client, unnamed: str | None) -> tuple[str, list[str]]:
    """The text of a compose file with the digests that were read, and a sentence for each image."""
    said = []

    def line(found: re.Match[str]) -> str:
        name = f"{found['name']}:{found['tag']}"
        try:
            digest = digest_of(client, Image.of(found["name"], found["tag"], unnamed))
        except NotRead as error:
            said.append(f"{name} stays as it is: {error}")
            return found[0]
        said.append(f"{name} is {digest}")
        return f"{found['head']}{name}@{digest}{found['tail']}"

    return LINE.sub(line, text), said


def main(given: Iterable[str] | None = None) -> int:
    """0 where every image has the digest that a registry told; 1 where one stays as it is."""
    parser = argparse.ArgumentParser(description="Write digests of images into compose files, as registries tell them.")
    parser.add_argument("--registry", help="host of images whose names say none")
    parser.add_argument("files", nargs="*", type=Path, default=FILES, help="compose files; those of the project")
    asked = parser.parse_args(None if given is None else list(given))
    left = False
    with httpx.Client(timeout=SECONDS, follow_redirects=True) as client:
        for path in asked.files:
            before = path.read_text()
            after, said = pinned(before, client, asked.registry or None)
            for each in said:
                sys.stdout.write(f"{path.name}: {each}\n")
            left = left or any(" stays as it is: " in each for each in said)
            if after != before:
                path.write_text(after)
    return int(left)


if __name__ == "__main__":
    sys.exit(main())
