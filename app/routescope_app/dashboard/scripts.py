"""Dash's scripts for browsers: only components that pages use.

``make vendor`` cuts them out of what the Python packages bring (scripts/vendor/dash.mjs). Where another version of
these is installed, their own scripts are sent as they are.
"""

import json
import logging
import re
from importlib.metadata import version
from typing import Any

from dash import Dash

from routescope.assets import ASSETS
from routescope_app.dashboard.web import COMPONENTS, MANTINE, REACT, REGENERATOR, VENDORED, Web

log = logging.getLogger(__name__)

#: A script that the index names: of which package, and which of its files.
SCRIPT = re.compile(r'<script src="/_dash-component-suites/([^"@]+?)[@.][^"]*"[^>]*></script>\n?')
#: What browsers without ES modules lack, a table, and figures of other Dash apps: no page needs them.
POLYFILL, TABLE, FIGURES = "dash/deps/polyfill", "dash/dash_table/bundle", "routescope_app/figures"
#: What stands for Dash's own scripts, by the first of those that each is for, and which are for none.
OURS = {
    "dash/deps/react": REACT,
    "dash/dcc/dash_core_components": COMPONENTS,
    "dash_mantine_components/dash_mantine_components": MANTINE,
}
WITHIN = {
    "dash/deps/react-dom", "dash/deps/prop-types", "dash/dcc/dash_core_components-shared",
    "dash/html/dash_html_components",
}  # fmt: skip


class Dashboard(Dash):
    """Dash with the least of its scripts.

    Attributes:
        web: where the scripts are that stand for Dash's own.
    """

    web: Web

    def interpolate_index(self, scripts: str = "", **parts: str) -> str:
        """The index, of which ``scripts`` are Dash's own."""
        return str(super().interpolate_index(scripts=needed(scripts, self.web), **parts))

    def _config(self) -> dict[str, Any]:
        """Return Dash's configuration without the WebSocket address, to which every page would connect."""
        config: dict[str, Any] = super()._config()
        config.pop("websocket", None)
        return config


def matching() -> bool:
    """Return whether installed packages have the versions from which our scripts were cut."""
    listed = json.loads((ASSETS / "web" / VENDORED).read_text())
    made = {name: of for about in listed.values() for name, of in about.get("python", {}).items()}
    installed = {name: version(name) for name in made}
    if installed != made:
        log.warning("scripts of %s are sent whole: make vendor cuts out what pages need", installed)
    return installed == made


def needed(scripts: str, web: Web) -> str:
    """The scripts of Dash that pages need, ours in place of those that they were cut out of."""
    ours = OURS if matching() else {}

    def said(match: re.Match[str]) -> str:
        name = match[1]
        if name == POLYFILL:
            return "" if ours else _script(web.url(REGENERATOR))
        if name in (TABLE, FIGURES) or (ours and name in WITHIN):
            return ""
        return _script(web.url(ours[name])) if name in ours else match[0]

    return SCRIPT.sub(said, scripts)


def _script(address: str) -> str:
    return f'<script src="{address}"></script>\n'
