"""Interactive figures as components of another Dash app: ``PathFigure(trace, id="paths")``.

A figure draws itself by the module that notebooks use. The app around it needs no Routescope service: data lie in the
component, and a callback can read and set its ``choice`` and ``data``. A ``ServicePage`` shows a page of a service.
"""

import sys
from typing import Any

from dash.development.base_component import Component

from routescope.api.results import Score
from routescope.routing.caused.importance import Importance
from routescope.routing.compare.comparing import Comparison
from routescope.routing.interactive import Choice, Interactive, InteractiveFigure
from routescope.routing.maps.embedding import Embedding
from routescope.routing.observed.load import Load
from routescope.routing.trace import Trace

_MODULES = ("blocks", "comparison", "drop", "importance", "links", "load", "paths", "types")
# Dash serves these files of two packages; the browser loads a module when a figure needs it.
_PACKAGE = sys.modules[__name__.partition(".")[0]]
_PACKAGE._js_dist = [  # type: ignore[attr-defined]
    {"namespace": "routescope_app", "relative_package_path": "figures.js"},
    *(
        {"namespace": "routescope", "relative_package_path": f"plots/widgets/{name}.js", "dynamic": True}
        for name in _MODULES
    ),
]
_PACKAGE._css_dist = [  # type: ignore[attr-defined]
    {"namespace": "routescope", "relative_package_path": "plots/widgets/figure.css"}
]


class _Leaf(Component):
    """A component without children; figures.js has its browser side, without a build step."""

    # What Dash reads of every component.
    _namespace = "routescope_figures"
    _children_props: tuple[str, ...] = ()
    _base_nodes = ("children",)
    _valid_wildcard_attributes: tuple[str, ...] = ()
    available_wildcard_properties: tuple[str, ...] = ()


class ResultFigure(_Leaf):
    """An interactive figure of a result.

    Attributes:
        id: its id for callbacks.
        module: name of the module that draws it.
        data: values that it draws, as JSON.
        choice: what the reader chose, such as a sample or the units to drop.
    """

    _type = "ResultFigure"
    _prop_names = available_properties = ("id", "module", "data", "choice")

    def __init__(self, result: Interactive, *, id: str, choice: Choice | None = None, live: bool = False) -> None:
        """Show a result; raises ValueError if the result has only a table.

        Args:
            result: of ``rs.record``, ``rs.load_of``, ``rs.type_map`` or ``rs.score``.
            id: its id for callbacks.
            choice: the first choice; None: the result's own.
            live: whether a callback of yours answers choices with new data (``data_of``).
        """
        figure = _figure_of(result)
        first = figure.choice if choice is None else choice
        super().__init__(id=id, module=figure.module, data={**figure.data, "live": live}, choice=dict(first))


def _figure_of(result: Interactive) -> InteractiveFigure:
    if figure := result.interactive_figure():
        return figure
    raise ValueError(f"this {type(result).__name__} has no interactive figure")


def data_of(result: Interactive, *, live: bool = True) -> dict[str, Any]:
    """Return the ``data`` of a figure for another result, for a callback; raises ValueError without a figure."""
    return {**_figure_of(result).data, "live": live}


class ServicePage(_Leaf):
    """A page of a Routescope service, in a frame.

    Attributes:
        id: its id for callbacks.
        address: the link of the page, as *Copy link* gives it.
        page: key of the page that is open; the frame sets it.
        choice: what the page shows, by the names of its address. A callback can read and set it; the reader changes it
            as well. None until the page has opened.
        title: its name for screen readers.
        height: as CSS says it.
    """

    _type = "ServicePage"
    _prop_names = available_properties = ("id", "address", "page", "choice", "title", "height")

    def __init__(self, address: str, *, id: str, title: str = "Routescope", height: str = "900px") -> None:
        super().__init__(id=id, address=address, page=None, choice=None, title=title, height=height)


class PathFigure(ResultFigure):
    """The paths of tokens through the units of every step. ``choice`` has ``sample`` and ``step``.

    The figure of a network of blocks has its ribbons; ``choice`` has ``sample`` and ``iteration``. The figure of a
    circuit has its link probabilities; ``choice`` has ``order``.
    """

    def __init__(self, trace: Trace, *, id: str, choice: Choice | None = None) -> None:
        super().__init__(trace, id=id, choice=choice)


class LoadFigure(ResultFigure):
    """The load of experts by layer. ``choice`` has ``layer``."""

    def __init__(self, load: Load, *, id: str, choice: Choice | None = None) -> None:
        super().__init__(load, id=id, choice=choice)


class TypeFigure(ResultFigure):
    """The types of tokens in two dimensions. ``choice`` has ``step`` and ``colour``."""

    def __init__(self, types: Embedding, *, id: str, choice: Choice | None = None) -> None:
        super().__init__(types, id=id, choice=choice)


class ImportanceFigure(ResultFigure):
    """Shapley values and drop effects of units. ``choice`` has ``order``: ``model`` or ``effect``."""

    def __init__(self, importance: Importance, *, id: str, choice: Choice | None = None) -> None:
        super().__init__(importance, id=id, choice=choice)


class ComparisonFigure(ResultFigure):
    """The agreement of two routings by layer. ``choice`` has ``figure``: ``same``, ``overlap`` or ``began``."""

    def __init__(self, comparison: Comparison, *, id: str, choice: Choice | None = None) -> None:
        super().__init__(comparison, id=id, choice=choice)


class ScoreFigure(ResultFigure):
    """A score with and without units. ``choice`` has the units to ``drop`` and to ``mute``.

    With ``live=True`` the reader can click units; a callback on ``choice`` then returns ``data_of(another_score)``.
    """

    def __init__(self, score: Score, *, id: str, choice: Choice | None = None, live: bool = False) -> None:
        super().__init__(score, id=id, choice=choice, live=live)
