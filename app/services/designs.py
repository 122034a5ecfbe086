"""Circuits that sentences design."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.services.errors import NotFound
from app.services.inference import Inference
from app.settings import Settings


class Designing:
    """Designs circuits for sentences."""

    def __init__(self, settings: Settings, inference: Inference) -> None:
        self._settings = settings
        self._inference = inference

    async def designs(self, model_id: str, sentences: Sequence[str], threshold: float) -> dict[str, Any]:
        raise NotFound("There is no model of statements here.")

    async def links(self, model_id: str, sentences: Sequence[str]) -> tuple[np.ndarray, int]:
        raise NotFound("There is no model of statements here.")
