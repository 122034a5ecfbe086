"""The page's modules: served under a path of their content, kept by browsers, allowed by the policy, listed by page."""

import hashlib
import json
import re
import shutil
from base64 import b64encode
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.web import BOOT, SHEETS, STYLES, Web
from scripts.make_schema import SCHEMA, document, name_of
from tests.app.serving import settings


def tree(folder: Path, **changed: str) -> Path:
    """A small copy of what there is: sheets, two modules, an icon."""
    files = {name: f"/* {name} */" for name in SHEETS} | {
        BOOT: 'import { one } from "rs/lib/one.js";\nimport "rs/lib/two.js";\n',
        "lib/one.js": "export const one = 1;\n" * 20,
        "lib/two.js": 'import { one } from "rs/lib/one.js";\n',
        "icons/mark.svg": "<svg/>",
        "lib/schema.d.ts": "export type A = 1;",
    }
    for name, text in (files | changed).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_the_path_names_the_content_and_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    same = Web(tree(tmp_path / "a")).root
    assert Web(tree(tmp_path / "b")).root == same and re.fullmatch(r"/web/[0-9a-f]{16}/", same)
    for name, text in (("lib/two.js", "// nothing\n"), ("icons/mark.svg", "<svg />")):
        assert Web(tree(tmp_path / name[-3:], **{name: text})).root != same
    for number, (name, text, words) in enumerate(
        (
            ("lib/two.js", 'import { x } from "rs/lib/three.js";\n', r"lib/two.js imports \['lib/three.js'\]"),
            ("pages/new/page.css", "", r"sheets without an order: \['pages/new/page.css'\]"),
        )
    ):
        with pytest.raises(ValueError, match=words):
            Web(tree(tmp_path / str(number), **{name: text}))


def test_a_page_loads_its_own_modules_which_register_what_its_layout_names(tmp_path: Path) -> None:
    """Widgets of its layout and exports of its panels: by what starts every page, or by its own modules."""
    folder = tmp_path / "web"
    shutil.copytree(ASSETS / "web", folder, ignore=shutil.ignore_patterns("bundle"))
    web, given = Web(folder), settings(tmp_path)
    assert web.modules("lib/links.js") == ["lib/links.js"]
    for page in PAGES:
        loaded = web.modules(f"pages/{page.key}/index.js")
        assert len(loaded) == len(set(loaded))
        assert not [name for name in loaded if re.match(rf"pages/(?!{page.key}/)", name)], page.key
        shown = list(page.layout(given)._traverse())
        widgets = {getattr(panel, "data-widget", None) for panel in shown} - {None}
        panels = {getattr(panel, "data-panel", None) for panel in shown} - {None}
        text = "\n".join((folder / name).read_text() for name in {*web.modules(BOOT), *loaded})
        pins = re.findall(r'registerPinning\("(\w+)", ', text)  # which registers both of its widgets
        pinning = {f"{key}-pin-{part}" for key in pins for part in ("tool", "bar")}
        missing = widgets - pinning - set(re.findall(r'(?:\w+\(\s*|const [A-Z]+ = )"([^"]+)"[,;]', text))
        assert not missing, f"{page.key}: nobody registers {missing}"
        trees = [part.page for part in shown if isinstance(part, PageTree)]
        assert trees == ([page.key] if "export { mount }" in text else []), f"{page.key}: nobody draws it"
        assert widgets or trees, page.key
        assert not panels or "[data-export=" in text, f"{page.key}: nobody listens for exports"


def test_a_page_is_three_files_unless_its_modules_changed_since(tmp_path: Path) -> None:
    """``make bundle`` makes them; that they are what it makes is a part of ``make lint``."""
    web = Web(ASSETS / "web")
    for page in PAGES:
        own = f"bundle/pages/{page.key}/index.js"
        assert set(web.modules(f"pages/{page.key}/index.js")) == {own, "bundle/shared.js", "bundle/boot.js"}
    assert json.loads(web.import_map)["imports"]["rs/"] == web.url("bundle/")
    shutil.copytree(ASSETS / "web", tmp_path / "web")
    changed = tmp_path / "web/lib/links.js"
    changed.write_text(changed.read_text() + "\n// another\n")
    web = Web(tmp_path / "web")
    assert web.modules("lib/links.js") == ["lib/links.js"]
    assert json.loads(web.import_map)["imports"]["rs/"] == web.root
    assert f'src="{web.root}{BOOT}"' in web.head(PAGES)


def test_the_index_names_files_that_are_kept_for_ever(page: httpx.Client) -> None:
    answer = page.get("/")
    text, policy = answer.text, answer.headers["content-security-policy"]
    (match,) = re.findall(r'<script type="importmap">(.*?)</script>', text)
    imports = json.loads(match)["imports"]
    root = imports["rs/vendor/plotly3d.js"].removesuffix("vendor/plotly3d.js")
    assert f"'sha256-{b64encode(hashlib.sha256(match.encode()).digest()).decode()}'" in policy
    assert text.index("importmap") < text.index("modulepreload") < text.index(f'src="{imports["rs/"]}{BOOT}"')
    assert text.count('rel="stylesheet" href="/web/') == 1
    (listed,) = re.findall(r'<script type="application/json" id="rs-pages">(.*?)</script>', text)
    pages = json.loads(listed)
    assert {key: shown["path"] for key, shown in pages.items()} == {shown.key: shown.path for shown in PAGES}
    first = set(re.findall(r'rel="modulepreload" href="([^"]+)"', text))
    later = {name for shown in pages.values() for name in shown["modules"]}
    assert not first & later
    for address in (*first, *later, root + STYLES):
        file = page.get(address)
        assert file.status_code == 200, address
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert file.headers["content-type"].split(";")[0] in {"text/javascript", "text/css"}
    assert "../icons" not in file.text
    drawn = {unquote(match) for match in re.findall(r'url\("data:image/svg\+xml,([^"]+)"\)', file.text)}
    assert drawn and drawn <= {path.read_text() for path in (ASSETS / "web/icons").glob("*.svg")}
    for gone in ("/web/0123456789abcdef/boot.js", root + "lib/nothing.js", root + "lib/schema.d.ts", root):
        assert page.get(gone).status_code == 404


def test_files_are_compressed_as_the_browser_takes_them(page: httpx.Client) -> None:
    (of_dash,) = re.findall(r'src="(/[^"]+/dash_renderer[^"]+)"', page.get("/").text)
    for address in (Web(ASSETS / "web").root + STYLES, of_dash):
        sent = [
            page.get(address, headers={"Accept-Encoding": asked}) for asked in ("identity", "gzip", "gzip, br, zstd")
        ]
        assert [file.headers.get("content-encoding") for file in sent] == [None, "gzip", "br"]
        assert len({file.content for file in sent}) == 1
        plain, gzip, brotli = (int(file.headers["content-length"]) for file in sent)
        assert brotli < gzip < plain / 3
        assert all("Accept-Encoding" in file.headers["vary"].split(", ") for file in sent)
    # Streams of the API are no business of this: they are sent piece by piece.
    answer = page.get("/api/v1/models", headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["content-encoding"] == "gzip"


def test_the_types_are_those_of_todays_api() -> None:
    """``make schema`` writes them anew."""
    assert SCHEMA.read_text().splitlines()[0] == name_of(document())
