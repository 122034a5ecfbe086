"""Routing logs: which experts tokens took, as servers and trainers write it down, read without a model."""

from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.logs.packing import RANKS, Ranks, Reading
from routescope.routing.logs.reading import FORMATS, read_log, recognised
from routescope.routing.logs.traces import from_trace

__all__ = [
    "FORMATS",
    "RANKS",
    "LogError",
    "Ranks",
    "Reading",
    "RoutingLog",
    "Source",
    "from_trace",
    "read_log",
    "recognised",
]
