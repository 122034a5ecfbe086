"""Statements about pictures, as the data sets have them, and the scenes that people make."""

from typing import Any

from app.services.errors import NotFound
from app.settings import Settings


class Statements:
    """Finds and shows statements."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def vocabulary(self) -> dict[str, Any]:
        raise NotFound("There are no statements here.")

    def find(self, split: str, kind: str | None, offset: int, limit: int) -> dict[str, Any]:
        raise NotFound("There are no statements here.")

    def get(self, statement_id: str) -> dict[str, Any]:
        raise NotFound("There is no such statement.")

    def picture_png(self, statement_id: str, place: int, scale: int) -> bytes:
        raise NotFound("There is no such statement.")
