"""List the experiments: every module of ``routescope.experiments`` that has an ``EXPERIMENT``."""

import importlib
import pkgutil

from routescope.experiments.shared.frame import Experiment

PACKAGE = "routescope.experiments"


class UnknownExperiment(KeyError):
    """No experiment has this id; the message lists the ids."""

    def __str__(self) -> str:
        return str(self.args[0])


def experiments() -> dict[str, Experiment]:
    """Return all experiments by id, sorted.

    Raises:
        RuntimeError: a module's ``EXPERIMENT`` is none, or its id is not the name of its module.
    """
    by_id = {}
    for module_info in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__):
        module = importlib.import_module(f"{PACKAGE}.{module_info.name}")
        experiment = getattr(module, "EXPERIMENT", None)
        if experiment is None:
            continue
        if not isinstance(experiment, Experiment) or experiment.id != module_info.name.replace("_", "-"):
            raise RuntimeError(f"{module.__name__}.EXPERIMENT must be an Experiment with the id of its module")
        by_id[experiment.id] = experiment
    return dict(sorted(by_id.items()))


def find(experiment_id: str) -> Experiment:
    """Return an experiment by id; raises UnknownExperiment."""
    by_id = experiments()
    if experiment_id not in by_id:
        raise UnknownExperiment(f"unknown experiment {experiment_id[:40]!r}; there are {', '.join(by_id)}")
    return by_id[experiment_id]
