"""Maps of sentences by the circuits that they design."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.services.errors import NotFound
from app.services.inference import Inference
from app.services.jobs import Progress
from app.settings import Settings

#: What the API says of a map.
FACTS = "sentence_map.json"


class SentenceMapWork:
    """See ``jobs.Work``."""

    def __init__(self, settings: Settings, inference: Inference) -> None:
        self._settings = settings
        self._inference = inference

    def identify(self, request: dict[str, Any]) -> str:
        raise NotFound("There is no model of statements here.")

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        raise NotFound("There is no model of statements here.")

    async def places(self, folder: Path, sentences: Sequence[str]) -> dict[str, Any]:
        raise NotFound("There is no model of statements here.")


def table(folder: Path) -> str:
    raise NotFound("There is no such map.")
