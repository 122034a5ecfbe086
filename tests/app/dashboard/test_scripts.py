"""Of Dash a browser gets what pages use; all of it where the packages are of another version than what was cut."""

import json
import re
from pathlib import Path

import pytest

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES, frame, scripts
from routescope_app.dashboard.web import COMPONENTS, MANTINE, VENDORED
from tests.app.serving import serving, settings

LISTED = json.loads((ASSETS / "web" / VENDORED).read_text())
KEPT = LISTED[COMPONENTS.removeprefix("vendor/")]["components"] | LISTED[MANTINE.removeprefix("vendor/")]["components"]
NAMESPACES = {"dash_mantine_components": "dmc", "dash_core_components": "dcc", "dash_html_components": "html"}


async def sent(folder: Path) -> tuple[set[str], list[str]]:
    """What the index names: of Dash's scripts, and of ours that stand for them."""
    async with serving(settings(folder, role="all")) as client:
        text = (await client.get("/")).text
        ours = re.findall(r'<script src="(/web/[^"]+)"', text)
        for address in ours:
            assert (await client.get(address)).status_code == 200
        document = json.loads(re.findall(r'<script id="_dash-config" type="application/json">(.*?)</script>', text)[0])
        assert "websocket" not in document
        return set(re.findall(r'<script src="/_dash-component-suites/([^"@]+?)[@.][^"]*"', text)), [
            address.rpartition("/")[2] for address in ours
        ]


async def test_of_dash_come_the_scripts_that_pages_need(tmp_path: Path) -> None:
    whole, ours = await sent(tmp_path)
    assert whole == {"dash/dash-renderer/build/dash_renderer"}
    assert sorted(ours) == ["dash_components.js", "dash_mantine_components.js", "react.js"]
    assert ours[0] == "react.js"  # with the runtime of generators


async def test_scripts_of_another_version_come_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "version", lambda name: "99.0" if name == "dash" else "2.8.1")
    whole, ours = await sent(tmp_path)
    assert whole == {
        "dash/deps/react", "dash/deps/react-dom", "dash/deps/prop-types",
        "dash_mantine_components/dash_mantine_components", "dash/dash-renderer/build/dash_renderer",
        "dash/dcc/dash_core_components", "dash/dcc/dash_core_components-shared",
        "dash/html/dash_html_components",
    }  # fmt: skip
    assert ours == ["regenerator.js"]


def test_the_installed_packages_are_those_that_scripts_were_cut_out_of() -> None:
    assert scripts.matching()


def test_every_component_that_pages_use_was_kept(tmp_path: Path) -> None:
    """By what the sources name, and by what layouts hold; ``make vendor`` cuts anew."""
    named: dict[str, set[str]] = {"dmc": set(), "dcc": set(), "html": set()}
    for path in Path(frame.__file__).parent.rglob("*.py"):
        for library, name in re.findall(r"\b(dmc|dcc|html)\.([A-Z]\w*)", path.read_text()):
            named[library].add(name)
    shown = [frame.layout(PAGES), *(page.layout(settings(tmp_path)) for page in PAGES)]
    for panel in (part for layout in shown for part in layout._traverse() if hasattr(part, "_namespace")):
        named[NAMESPACES[panel._namespace]].add(panel._type)
    for library, names in named.items():
        assert names and names <= set(KEPT[library]), f"{library}: {names - set(KEPT[library])} were not kept"
