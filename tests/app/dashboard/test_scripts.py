"""Of Dash a browser gets what pages use; all of it where the packages are of another version than what was cut."""

import json
import re
from pathlib import Path

import httpx
import pytest

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES, frame, scripts
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.web import COMPONENTS, MANTINE, VENDORED
from tests.app.serving import listening, settings

LISTED = json.loads((ASSETS / "web" / VENDORED).read_text())
KEPT = LISTED[COMPONENTS.removeprefix("vendor/")]["components"] | LISTED[MANTINE.removeprefix("vendor/")]["components"]
NAMESPACES = {"dash_mantine_components": "dmc", "dash_core_components": "dcc", "dash_html_components": "html"}


def sent(client: httpx.Client) -> tuple[set[str], list[str]]:
    """What the index names: of Dash's scripts, and of ours that stand for them."""
    text = client.get("/").text
    ours = re.findall(r'<script src="(/web/[^"]+)"', text)
    assert {client.get(address).status_code for address in ours} == {200}
    (config,) = re.findall(r'<script id="_dash-config" type="application/json">(.*?)</script>', text)
    assert "websocket" not in json.loads(config)
    whole = re.findall(r'<script src="/_dash-component-suites/([^"@]+?)[@.][^"]*"', text)
    return set(whole), [address.rpartition("/")[2] for address in ours]


def test_of_dash_come_the_scripts_that_pages_need(page: httpx.Client) -> None:
    assert scripts.matching(), "the installed packages are those that scripts were cut out of"
    whole, ours = sent(page)
    assert whole == {"dash/dash-renderer/build/dash_renderer"}
    assert sorted(ours) == ["dash_components.js", "dash_mantine_components.js", "react.js"]
    assert ours[0] == "react.js"  # with the runtime of generators


def test_scripts_of_another_version_come_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "version", lambda name: "99.0" if name == "dash" else "2.8.1")
    with listening(settings(tmp_path, role="all")) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        whole, ours = sent(client)
    assert whole == {
        "dash/deps/react", "dash/deps/react-dom", "dash/deps/prop-types",
        "dash_mantine_components/dash_mantine_components", "dash/dash-renderer/build/dash_renderer",
        "dash/dcc/dash_core_components", "dash/dcc/dash_core_components-shared",
        "dash/html/dash_html_components",
    }  # fmt: skip
    assert ours == ["regenerator.js"]


def test_every_component_that_pages_use_was_kept(tmp_path: Path) -> None:
    """By what the sources name, and by what layouts hold; ``make vendor`` cuts anew."""
    named: dict[str, set[str]] = {"dmc": set(), "dcc": set(), "html": set()}
    for path in Path(frame.__file__).parent.rglob("*.py"):
        for library, name in re.findall(r"\b(dmc|dcc|html)\.([A-Z]\w*)", path.read_text()):
            named[library].add(name)
    shown = [frame.layout(PAGES), *(page.layout(settings(tmp_path)) for page in PAGES)]
    for panel in (part for layout in shown for part in layout._traverse() if hasattr(part, "_namespace")):
        if isinstance(panel, PageTree):
            continue
        named[NAMESPACES[panel._namespace]].add(panel._type)
    for library, names in named.items():
        assert names and names <= set(KEPT[library]), f"{library}: {names - set(KEPT[library])} were not kept"
