"""Look into and steer the routing of modular networks: ``import routescope as rs``.

::

    net = rs.open("moe-bytes")
    rs.record(net, "def f(x):\\n    return x")
    rs.score(net, "python", limit=8, drop="l1.e2")

Every name loads what it needs when it is first used. The package knows no web, no database and no screen.
"""

import importlib
from typing import TYPE_CHECKING, Any

from routescope.assets import installed_version

if TYPE_CHECKING:
    from routescope.api.asking import check as check
    from routescope.api.asking import compare as compare
    from routescope.api.asking import importance as importance
    from routescope.api.asking import load_of as load_of
    from routescope.api.asking import observe as observe
    from routescope.api.asking import prune as prune
    from routescope.api.asking import record as record
    from routescope.api.asking import score as score
    from routescope.api.asking import type_map as type_map
    from routescope.api.data import dataset as dataset
    from routescope.api.data import datasets as datasets
    from routescope.api.models import models as models
    from routescope.api.models import open as open
    from routescope.experiments.printed.figures import figure as figure
    from routescope.routing.intervention import Intervention as Intervention
    from routescope.routing.logs import Reading as Reading
    from routescope.routing.logs import read_log as read_log
    from routescope.routing.trace import Trace as Trace

#: Module -> the public names that lie in it.
_NAMES = {
    "routescope.api.asking": (
        "check", "compare", "importance", "load_of", "observe", "prune", "record", "score", "type_map",
    ),
    "routescope.api.data": ("dataset", "datasets"),
    "routescope.api.models": ("models", "open"),
    "routescope.experiments.printed.figures": ("figure",),
    "routescope.routing.intervention": ("Intervention",),
    "routescope.routing.logs": ("Reading", "read_log"),
    "routescope.routing.trace": ("Trace",),
}  # fmt: skip

__version__ = installed_version()


if not TYPE_CHECKING:  # to type checkers the names above are all names

    def __getattr__(name: str) -> Any:
        """Return a public name, imported now; raises AttributeError for other names."""
        for module, names in _NAMES.items():
            if name in names:
                return getattr(importlib.import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__dir__())}")


def __dir__() -> list[str]:
    """Return the public names in alphabetical order."""
    return sorted(name for names in _NAMES.values() for name in names)
