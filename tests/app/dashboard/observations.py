"""An observation of digits, as the API answers it: what the tests of its figures and of its page draw."""

import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope_app.api.schemas.results import Observation
from routescope_app.services.measuring.observations import FACTS, ObservationWork

MODEL, COUNT = "ni-digits", 100
UNITS = [f"f{n}" for n in range(1, 6)]
STEPS = [f"i{n}" for n in range(1, 7)]
LABELS = [str(n) for n in range(10)]
TOKENS = ["cls:mnist", "cls:mnist-m", "cls:street-digits", *(f"patch:{r},{c}" for r in range(4) for c in range(4))]


@cache
def _written(drop: tuple[str, ...]) -> str:
    part = SimpleNamespace(sample_id=lambda at: f"mnist.validation.{at}")
    measured: Any = SimpleNamespace(datasets=[load("mnist").take(slice(COUNT))], parts=[part])
    facts = {
        "id": "0" * 40, "model": MODEL, "revision": "abcdef0123456789", "seed": 0, "seconds": 1.5,
        "intervention": {"drop": drop},
        "data": [{"name": "mnist", "title": "MNIST", "stand_in": False, "count": 60},
                 {"name": "street-digits", "title": "Street digits", "stand_in": True, "count": 40}],
    }  # fmt: skip
    options = {"intervention": Intervention(drop=drop), "shuffles": 60, "seed": 0}
    with tempfile.TemporaryDirectory() as folder:
        ObservationWork.observe(None, Path(folder), zoo.load(MODEL), measured, facts, options)  # type: ignore[arg-type]
        return (Path(folder) / FACTS).read_text()


def observed(*drop: str) -> Observation:
    """The answer of ``GET /observations/{id}``."""
    return Observation.model_validate_json(_written(drop))
