"""The page's modules: served under a path of their content, kept by browsers, allowed by the policy, listed by page."""

import hashlib
import json
import re
import shutil
from base64 import b64encode
from pathlib import Path
from urllib.parse import unquote

import pytest

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.web import BOOT, SHEETS, STYLES, Web
from scripts.make_schema import SCHEMA, document, name_of
from tests.app.serving import serving, settings


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


def test_the_path_names_the_content(tmp_path: Path) -> None:
    same = Web(tree(tmp_path / "a")).root
    assert Web(tree(tmp_path / "b")).root == same
    assert Web(tree(tmp_path / "c", **{"lib/two.js": "// nothing\n"})).root != same
    assert Web(tree(tmp_path / "d", **{"icons/mark.svg": "<svg />"})).root != same
    assert re.fullmatch(r"/web/[0-9a-f]{16}/", same)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"lib/two.js imports \['lib/three.js'\]"):
        Web(tree(tmp_path / "a", **{"lib/two.js": 'import { x } from "rs/lib/three.js";\n'}))
    with pytest.raises(ValueError, match=r"sheets without an order: \['pages/new/page.css'\]"):
        Web(tree(tmp_path / "b", **{"pages/new/page.css": ""}))


async def test_icons_come_inside_the_sheet(tmp_path: Path) -> None:
    sheet = """.a { --icon: url("../icons/mark.svg"); }"""
    with pytest.raises(ValueError, match=r"a sheet names icons/none.svg, which is not there"):
        Web(tree(tmp_path / "a", **{"parts/icons.css": sheet.replace("mark", "none")}))
    async with serving(settings(tmp_path, role="all")) as client:
        text = (await client.get("/")).text
        styles = (await client.get(re.findall(r'href="([^"]+styles.css)"', text)[0])).text
        assert "../icons" not in styles
        drawn = {unquote(match) for match in re.findall(r'url\("data:image/svg\+xml,([^"]+)"\)', styles)}
        named = {path.read_text() for path in (ASSETS / "web/icons").glob("*.svg")}
        assert drawn and drawn <= named


def unbundled(folder: Path) -> Web:
    """The modules as they are, one by one."""
    shutil.copytree(ASSETS / "web", folder, ignore=shutil.ignore_patterns("bundle"))
    return Web(folder)


def test_modules_are_found_with_all_that_they_import(tmp_path: Path) -> None:
    web = unbundled(tmp_path / "web")
    assert web.modules("lib/links.js") == ["lib/links.js"]
    for page in PAGES:
        outcome = web.modules(f"pages/{page.key}/index.js")
        assert len(outcome) == len(set(outcome))
        others = {name for name in outcome if name.startswith("pages/") and not name.startswith(f"pages/{page.key}/")}
        assert not others, f"{page.key} loads {others}"


def test_what_a_page_names_is_registered_when_it_opens(tmp_path: Path) -> None:
    """Widgets of its layout and exports of its panels: by what starts every page, or by its own modules."""
    folder = tmp_path / "web"
    web = unbundled(folder)
    given = settings(tmp_path)
    for page in PAGES:
        shown = list(page.layout(given)._traverse())
        widgets = {getattr(panel, "data-widget", None) for panel in shown} - {None}
        panels = {getattr(panel, "data-panel", None) for panel in shown} - {None}
        text = "\n".join(
            (folder / name).read_text()
            for name in {*web.modules(BOOT), *web.modules("parts/plots.js"), *web.modules(f"pages/{page.key}/index.js")}
        )
        pins = re.findall(r'registerPinning\("(\w+)", ', text)  # which registers both of its widgets
        pinning = {f"{key}-pin-{part}" for key in pins for part in ("tool", "bar")}
        missing = widgets - pinning - set(re.findall(r'(?:\w+\(\s*|const [A-Z]+ = )"([^"]+)"[,;]', text))
        assert widgets and not missing, f"{page.key}: nobody registers {missing}"
        assert not panels or "[data-export]" in text, f"{page.key}: nobody listens for exports"


def test_a_page_is_three_files_of_the_modules_that_are_there() -> None:
    """``make bundle`` makes them; that they are what it makes is a part of ``make lint``."""
    web = Web(ASSETS / "web")
    for page in PAGES:
        own = f"bundle/pages/{page.key}/index.js"
        assert set(web.modules(f"pages/{page.key}/index.js")) == {own, "bundle/shared.js", "bundle/boot.js"}
    assert json.loads(web.import_map)["imports"]["rs/"] == web.url("bundle/")


def test_a_bundle_of_other_modules_is_not_sent(tmp_path: Path) -> None:
    shutil.copytree(ASSETS / "web", tmp_path / "web")
    changed = tmp_path / "web/lib/links.js"
    changed.write_text(changed.read_text() + "\n// another\n")
    web = Web(tmp_path / "web")
    assert web.modules("lib/links.js") == ["lib/links.js"]
    assert json.loads(web.import_map)["imports"]["rs/"] == web.root
    assert f'src="{web.root}{BOOT}"' in web.head(PAGES)


async def test_the_index_and_the_files(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        answer = await client.get("/")
        text, policy = answer.text, answer.headers["content-security-policy"]
        (match,) = re.findall(r'<script type="importmap">(.*?)</script>', text)
        imports = json.loads(match)["imports"]
        root = imports["rs/vendor/plotly.js"].removesuffix("vendor/plotly.js")
        assert f"'sha256-{b64encode(hashlib.sha256(match.encode()).digest()).decode()}'" in policy
        assert text.index("importmap") < text.index("modulepreload") < text.index(f'src="{imports["rs/"]}{BOOT}"')
        assert text.count('rel="stylesheet" href="/web/') == 1
        (listed,) = re.findall(r'<script type="application/json" id="rs-pages">(.*?)</script>', text)
        pages = json.loads(listed)
        assert {key: page["path"] for key, page in pages.items()} == {page.key: page.path for page in PAGES}
        first = re.findall(r'rel="modulepreload" href="([^"]+)"', text)
        for address in [*first, *(name for page in pages.values() for name in page["modules"]), root + STYLES]:
            file = await client.get(address)
            assert file.status_code == 200, address
            assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert file.headers["content-type"].split(";")[0] in {"text/javascript", "text/css"}
        assert not {*first} & {name for page in pages.values() for name in page["modules"]}


async def test_files_are_compressed_where_that_is_asked_for(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        root = Web(ASSETS / "web").root
        plain = await client.get(root + STYLES, headers={"Accept-Encoding": "identity"})
        packed = await client.get(root + STYLES, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain.headers and packed.headers["content-encoding"] == "gzip"
        assert packed.content == plain.content and int(packed.headers["content-length"]) < len(plain.content) / 4
        best = await client.get(root + STYLES, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
        assert best.headers["content-encoding"] == "br" and best.content == plain.content
        assert int(best.headers["content-length"]) < int(packed.headers["content-length"])
        assert all(set(member.headers["vary"].split(", ")) == {"Accept-Encoding"} for member in (plain, packed, best))
        for gone in ("/web/0123456789abcdef/boot.js", root + "lib/nothing.js", root + "lib/schema.d.ts", root):
            assert (await client.get(gone)).status_code == 404


async def test_scripts_of_dash_are_compressed_as_the_browser_takes_them(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        (script,) = re.findall(r'src="(/[^"]+/dash_renderer[^"]+)"', (await client.get("/")).text)
        sent = {
            asked: await client.get(script, headers={"Accept-Encoding": asked})
            for asked in ("identity", "gzip", "gzip, deflate, br, zstd")
        }
        assert [member.headers.get("content-encoding") for member in sent.values()] == [None, "gzip", "br"]
        assert len({member.content for member in sent.values()}) == 1
        plain, *packed = (int(member.headers["content-length"]) for member in sent.values())
        assert packed[1] < packed[0] < plain / 3
        # Streams of the API are no business of this: they are sent piece by piece.
        answer = await client.get("/api/v1/models", headers={"Accept-Encoding": "gzip, br"})
        assert answer.headers["content-encoding"] == "gzip"


def test_the_types_are_those_of_todays_api() -> None:
    """``make schema`` writes them anew."""
    assert SCHEMA.read_text().splitlines()[0] == name_of(document())
