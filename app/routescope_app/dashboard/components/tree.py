"""The place of a page that is one tree over one choice: its module in assets/web/pages draws all of it."""

from typing import Any

from dash.development.base_component import Component


class PageTree(Component):
    """A page that its own module draws, by the name of its folder in assets/web/pages.

    Attributes:
        id: its id for callbacks.
        page: key of the page.
        choice: what the page shows, by the names of its address. A callback can read and set it; whoever uses the page
            changes it as well.
    """

    # What Dash reads of a component; assets/dash/stubs.js has its browser side, without a build step.
    _namespace = "routescope"
    _type = "PageTree"
    _children_props: tuple[str, ...] = ()
    _base_nodes = ("children",)
    _prop_names = ("id", "page", "choice")
    _valid_wildcard_attributes: tuple[str, ...] = ()
    available_properties = ("id", "page", "choice")
    available_wildcard_properties: tuple[str, ...] = ()

    def __init__(self, *, id: str, page: str, choice: dict[str, Any]) -> None:
        super().__init__(id=id, page=page, choice=choice)
