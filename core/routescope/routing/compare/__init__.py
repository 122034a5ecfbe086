"""Comparison of two routings: of two logs, checkpoints or precisions, or with an intervention and without."""

from routescope.routing.compare.comparing import Comparison, LayerAgreement, MarginBin, compare
from routescope.routing.compare.recorded import PRECISIONS, Recorded, record_log
from routescope.routing.compare.token_decisions import Decision, decisions

__all__ = [
    "PRECISIONS", "Comparison", "Decision", "LayerAgreement", "MarginBin", "Recorded", "compare", "decisions",
    "record_log",
]  # fmt: skip
