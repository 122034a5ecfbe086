"""Routing logs: which experts tokens took, as servers and trainers write it down, read without a model."""

from core.routing.logs.log import LogError, RoutingLog, Source, from_trace
from core.routing.logs.packing import RANKS, Ranks, Reading
from core.routing.logs.reading import FORMATS, read_log, recognised

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
