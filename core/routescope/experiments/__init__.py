"""The experiments of the papers, one module each; ``routescope reproduce ID`` runs them.

A new one is a module here with ``EXPERIMENT = Experiment(...)``: it is found by itself.
"""

from routescope.experiments.shared.catalogue import UnknownExperiment, experiments, find
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, Progress
from routescope.experiments.shared.record import reproduce

__all__ = [
    "Context",
    "Experiment",
    "Figure",
    "Outcome",
    "PaperFigure",
    "Progress",
    "UnknownExperiment",
    "experiments",
    "find",
    "reproduce",
]
