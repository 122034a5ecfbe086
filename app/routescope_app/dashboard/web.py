"""The page's own modules, styles and icons, served under a path that names their content.

Everything below ``assets/web`` is read once, when the app is made. As the path changes with any of it, browsers keep
what they have for a year and never ask again; what an earlier path held is gone, and answered with 404.

``bundle/`` has the same modules in a few small files (scripts/bundle.mjs). They are sent while they are of the modules
that are there; as soon as one of these is another, the modules themselves are.
"""

import gzip
import hashlib
import json
import logging
import mimetypes
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import brotli
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from routescope_app.dashboard.page import Page

log = logging.getLogger(__name__)
#: Served below ``/web/<hash>/``; modules import each other as ``rs/...``.
PREFIX = "rs/"
BOOT = "boot.js"
BUNDLE = "bundle/"
#: What says of which modules the bundle is, and which of its files import which.
BUNDLED = BUNDLE + "bundle.json"
#: Classic scripts, in no bundle: React and components of Dash (app/routescope_app/dashboard/scripts.py), and Plotly for
#: clouds of points (draw/cloud.js).
CLASSIC = PLOTLY_3D, REACT, REGENERATOR, COMPONENTS, MANTINE = (
    "vendor/plotly3d.js", "vendor/react.js", "vendor/regenerator.js",
    "vendor/dash_components.js", "vendor/dash_mantine_components.js",
)  # fmt: skip
#: What is below ``vendor``, with versions.
VENDORED = "vendor/vendored.json"
#: The sheets in the order of their rules: of two that are as specific, the later one holds.
SHEETS = (
    "pages/blocks/page.css", "pages/blocks/panels.css", "pages/paths/attention.css", "pages/circuits/page.css",
    "pages/drop/page.css", "pages/drop/studio/studio.css",
    "parts/frame.css", "pages/graphs/page.css", "pages/home/page.css", "parts/history/page.css",
    "pages/logs/page.css", "pages/observe/page.css",
    "pages/circuits/pair/page.css", "pages/circuits/pair/panels.css",
    "parts/panel.css", "pages/paths/page.css", "pages/paths/compare/compare.css",
    "pages/results/page.css",
    "pages/samples/page.css", "pages/circuits/sentences/page.css", "lib/theme.css",
    "pages/types/page.css", "parts/unit_grid.css", "vendor/driver.css", "parts/help/dialogs.css",
    "parts/help/prose.css", "parts/jobs/tray.css", "parts/pinned/pinned.css",
    "parts/report/report.css", "pages/paths/continuation.css",
)  # fmt: skip
#: All of them as one file, after the icons.
STYLES = "parts/styles.css"
KEPT = "public, max-age=31536000, immutable"
#: Types, for those who write modules.
NOT_SENT = ".d.ts"
#: Modules of notebooks and of HTML files, which no page loads.
HOSTS = "draw/hosts/"
#: These are compressed by themselves.
PACKED = (".png", ".webp", ".woff2")
#: What a large script is called in the checkout, where it lies compressed as browsers get it.
COMPRESSED = ".br"
IMPORT = re.compile(r"""(?:^import\s|\bfrom\s)\s*"rs/([^"]+)";""", re.MULTILINE)


@dataclass(frozen=True)
class File:
    """A file as it is sent: its bytes, its type, whether it is smaller when compressed, and what that gave already."""

    content: bytes
    media_type: str
    packs: bool
    compressed: bytes | None = None

    @cached_property
    def encodings(self) -> dict[str, bytes]:
        """Compressed contents by the name of the encoding in requests, smallest first."""
        if not self.packs:
            return {}
        small = self.compressed or brotli.compress(self.content, quality=9)
        made = {"br": small, "gzip": gzip.compress(self.content, 9, mtime=0)}
        return {name: packed for name, packed in made.items() if len(packed) < len(self.content)}

    def accepted(self, accepts: str) -> tuple[str, bytes] | None:
        """Name and bytes of the smallest that an ``Accept-Encoding`` names; None where it is sent as it is."""
        asked = {part.strip() for part in accepts.split(",")}
        return next((item for item in self.encodings.items() if item[0] in asked), None)


class Web:
    """Files below ``folder``.

    Raises:
        ValueError: a module imports what is not there, or a sheet is missing from ``SHEETS``.
    """

    def __init__(self, folder: Path) -> None:
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and not path.name.endswith(NOT_SENT)
        }
        files = {name: content for name, content in files.items() if not name.startswith(HOSTS)}
        small = {name.removesuffix(COMPRESSED): files.pop(name) for name in [*files] if name.endswith(COMPRESSED)}
        sources = files | {name: brotli.decompress(content) for name, content in small.items()}
        sheets = {name for name in sources if name.endswith(".css")}
        if sheets != set(SHEETS):
            raise ValueError(f"sheets without an order: {sorted(sheets ^ set(SHEETS))}")
        sources[STYLES] = b"\n".join((_icons(sources), *(sources.pop(name) for name in SHEETS)))
        self._files = {name: _file(name, content, small.get(name)) for name, content in sources.items()}
        self._imports = {
            name: tuple(IMPORT.findall(content.decode())) for name, content in sources.items() if name.endswith(".js")
        }
        for name, imported in self._imports.items():
            if missing := set(imported) - set(self._imports):
                raise ValueError(f"{name} imports {sorted(missing)}, which are not there")
        self._from = ""
        if bundled := _bundled(sources):
            self._from = BUNDLE
            self._imports = bundled
        self.root = f"/web/{_digest(sources, sorted(sources))[:16]}/"
        self.import_map = json.dumps(
            {"imports": {PREFIX: self.url(self._from), PREFIX + PLOTLY_3D: self.url(PLOTLY_3D)}}
        )

    @property
    def policy(self) -> str:
        """Return the Content-Security-Policy source of the import map, which is an inline script."""
        return f"'sha256-{b64encode(hashlib.sha256(self.import_map.encode()).digest()).decode()}'"

    def url(self, name: str) -> str:
        """The address of a file."""
        return self.root + name

    def modules(self, name: str) -> list[str]:
        """The files of a module and of everything that it imports, the ones that import nothing last."""
        modules_seen: dict[str, None] = {}
        waiting = [self._from + name]
        while waiting:
            module = waiting.pop(0)
            if module not in modules_seen:
                modules_seen[module] = None
                waiting += self._imports[module]
        return list(modules_seen)

    def head(self, pages: Iterable[Page]) -> str:
        """Return the head of the index: the import map, the styles, and the first modules."""
        needed = {page: self.modules(f"pages/{page.key}/index.js") for page in pages}
        common = set.intersection(*map(set, needed.values()))
        first = list(dict.fromkeys((*self.modules(BOOT), *sorted(common))))
        listed = {
            page.key: {
                "path": page.path,
                "modules": [self.url(module) for module in modules if module not in first],
                "address": page.address,
            }
            for page, modules in needed.items()
        }
        return "\n".join(
            (
                f'<script type="importmap">{self.import_map}</script>',
                f'<link rel="stylesheet" href="{self.url(STYLES)}">',
                *(f'<link rel="modulepreload" href="{self.url(entry)}">' for entry in first),
                f'<script type="application/json" id="rs-pages">{json.dumps(listed)}</script>',
                f'<script type="module" src="{self.url(self._from + BOOT)}"></script>',
            )
        )

    def install(self, server: FastAPI) -> None:
        """Serve the files; before Dash, which answers every address that is left."""
        server.add_api_route(self.root + "{name:path}", self._answer, methods=["GET", "HEAD"], include_in_schema=False)
        server.add_api_route("/web/{name:path}", _gone, methods=["GET", "HEAD"], include_in_schema=False)

    async def _answer(self, name: str, request: Request) -> Response:
        file = self._files.get(name)
        if file is None:
            raise HTTPException(404)
        headers = {"Cache-Control": KEPT, "Vary": "Accept-Encoding"}
        if packed := file.accepted(request.headers.get("accept-encoding", "")):
            encoding, content = packed
            return Response(content, media_type=file.media_type, headers=headers | {"Content-Encoding": encoding})
        return Response(file.content, media_type=file.media_type, headers=headers)


def _digest(sources: Mapping[str, bytes], names: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name} {len(sources[name])} ".encode() + sources[name])
    return digest.hexdigest()


def _bundled(sources: Mapping[str, bytes]) -> dict[str, tuple[str, ...]] | None:
    """The files of the bundle and what each imports; None where they are of other modules than there are."""
    if BUNDLED not in sources:
        return None
    document = json.loads(sources[BUNDLED])
    modules = (name for name in sorted(sources) if name.endswith(".js") and not name.startswith(BUNDLE))
    if document["sources"] != _digest(sources, (name for name in modules if name not in CLASSIC)):
        log.warning("%s is of other modules than there are; they are sent one by one", BUNDLE)
        return None
    return {
        BUNDLE + name: tuple(BUNDLE + imported for imported in file["imports"])
        for name, file in document["files"].items()
    }


def _icons(sources: Mapping[str, bytes]) -> bytes:
    """Return a rule for each of ``icons/*.svg``, with its content: twenty files would be twenty requests."""
    icons = {Path(name).stem: quote(svg, safe=" =:/,;()") for name, svg in sources.items() if name.endswith(".svg")}
    rules = (f'[data-icon="{name}"] {{ --icon: url("data:image/svg+xml,{svg}") }}' for name, svg in icons.items())
    return "\n".join(rules).encode()


def _file(name: str, content: bytes, compressed: bytes | None) -> File:
    media_type = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
    return File(content, media_type or "application/octet-stream", not name.endswith(PACKED), compressed)


async def _gone() -> None:
    raise HTTPException(404)
