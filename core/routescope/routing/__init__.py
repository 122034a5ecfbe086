"""Recording of a network's routing, interventions on it, and measures of it.

Names are imported when they are first used, so that readers of routing logs start without PyTorch.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routescope.nn.probe import Probe as Probe
    from routescope.routing.caused.scores import Scores as Scores
    from routescope.routing.caused.scores import score as score
    from routescope.routing.caused.scores import score_together as score_together
    from routescope.routing.intervention import Intervention as Intervention
    from routescope.routing.listening import IncompleteTrace as IncompleteTrace
    from routescope.routing.options import KINDS as KINDS
    from routescope.routing.options import InterventionError as InterventionError
    from routescope.routing.options import Kind as Kind
    from routescope.routing.recording import record as record
    from routescope.routing.trace import Trace as Trace

#: Module -> the names of this package that lie in it.
_NAMES = {
    "routescope.nn.probe": ("Probe",),
    "routescope.routing.caused.scores": ("Scores", "score", "score_together"),
    "routescope.routing.intervention": ("Intervention",),
    "routescope.routing.options": ("KINDS", "InterventionError", "Kind"),
    "routescope.routing.listening": ("IncompleteTrace",),
    "routescope.routing.recording": ("record",),
    "routescope.routing.trace": ("Trace",),
}


def __getattr__(name: str) -> Any:
    """Return a name of this package, imported now; raises AttributeError for other names."""
    for module, names in _NAMES.items():
        if name in names:
            value = getattr(importlib.import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of this package, imported or not."""
    return sorted({*globals(), *(name for names in _NAMES.values() for name in names)})
