"""What one asks of a network: record its routing, intervene on it, measure it."""

from core.nn.probe import Probe
from core.routing.caused.scores import Scores, score, score_batches
from core.routing.intervention import KINDS, Intervention, InterventionError, Kind
from core.routing.listening import IncompleteTrace
from core.routing.recording import record
from core.routing.trace import Trace

__all__ = [
    "KINDS",
    "IncompleteTrace",
    "Intervention",
    "InterventionError",
    "Kind",
    "Probe",
    "Scores",
    "Trace",
    "record",
    "score",
    "score_batches",
]
