"""Routing logs: which experts tokens took, as servers and trainers write it down, read without a model."""

from core.routing.logs.log import LogError, RoutingLog, Source
from core.routing.logs.packing import RANKS, Ranks, Reading
from core.routing.logs.reading import FORMATS, read_log, recognised
from core.routing.logs.traces import from_trace

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
