"""What one asks of a network: record its routing, intervene on it, measure it."""

from core.nn.probe import Probe
from core.routing.intervention import Intervention, InterventionError
from core.routing.probe import IncompleteTrace, record
from core.routing.trace import Trace

__all__ = ["IncompleteTrace", "Intervention", "InterventionError", "Probe", "Trace", "record"]
