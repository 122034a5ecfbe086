"""The service and the page around ``core``: one ASGI app, ``routescope_app.main:server``.

Other Dash apps embed its figures (:mod:`routescope_app.figures`).
"""

import importlib
from typing import TYPE_CHECKING, Any

from routescope import __version__ as __version__  # Dash puts it into the addresses of the figures' scripts

if TYPE_CHECKING:
    from routescope_app.figures import (
        ComparisonFigure,
        ImportanceFigure,
        LoadFigure,
        PathFigure,
        ScoreFigure,
        ServicePage,
        TypeFigure,
        data_of,
    )

__all__ = [
    "ComparisonFigure", "ImportanceFigure", "LoadFigure", "PathFigure", "ScoreFigure", "ServicePage", "TypeFigure",
    "data_of",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Late: the module adds scripts to every Dash app of the process.
    return getattr(importlib.import_module("routescope_app.figures"), name)
