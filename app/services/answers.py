"""What a model answers to sentences about pictures, plain and under an intervention."""

from typing import Any

from app.services.errors import NotFound
from app.services.inference import Inference
from app.settings import Settings


class Answers:
    """Asks models."""

    def __init__(self, settings: Settings, inference: Inference) -> None:
        self._settings = settings
        self._inference = inference

    async def answer(self, model_id: str, request: dict[str, Any]) -> dict[str, Any]:
        raise NotFound("There is no model of statements here.")
