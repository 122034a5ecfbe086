"""Routing logs: which experts tokens took, as servers and trainers write it down, read without a model."""

from core.routing.logs.log import LogError, RoutingLog, Source, from_trace
from core.routing.logs.packing import Reading
from core.routing.logs.reading import FORMATS, read_log, recognised

__all__ = ["FORMATS", "LogError", "Reading", "RoutingLog", "Source", "from_trace", "read_log", "recognised"]
