"""The part of the client that is about statements: circuits that sentences design, answers, maps of sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import numpy as np

from app.api import schemas
from app.api.addresses import segment


class StatementClient:
    """Methods mirror the routes, as those of :class:`app.api.client.ApiClient`, which has them."""

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request; the client that has these methods does."""
        raise NotImplementedError

    # -- scenes and statements -------------------------------------------------------------------------------

    async def vocabulary(self) -> schemas.Vocabulary:
        """What scenes are made of."""
        return schemas.Vocabulary.model_validate_json((await self.request("GET", "/scenes/vocabulary")).content)

    async def statements(
        self, *, split: str = "validation", kind: str | None = None, offset: int = 0, limit: int = 50
    ) -> schemas.Statements:
        query = {"split": split, "offset": offset, "limit": limit} | ({} if kind is None else {"kind": kind})
        return schemas.Statements.model_validate_json((await self.request("GET", "/statements", params=query)).content)

    async def statement(self, statement_id: str) -> schemas.Statement:
        response = await self.request("GET", f"/statements/{segment(statement_id)}")
        return schemas.Statement.model_validate_json(response.content)

    async def statement_picture(self, statement_id: str, place: int, scale: int = 1) -> bytes:
        """PNG."""
        path = f"/statements/{segment(statement_id)}/pictures/{place}"
        return (await self.request("GET", path, params={"scale": scale})).content

    async def answers(
        self,
        model_id: str,
        sentences: Sequence[str],
        pictures: Mapping[str, Any],
        intervention: Mapping[str, Any] | None = None,
    ) -> schemas.Answers:
        """What a model makes of sentences; ``pictures`` as in :class:`app.api.schemas.AnswersRequest`."""
        body = {"sentences": list(sentences), "pictures": dict(pictures), "intervention": dict(intervention or {})}
        response = await self.request("POST", f"/models/{segment(model_id)}/answers", json=body)
        return schemas.Answers.model_validate_json(response.content)

    # -- circuits that sentences design ----------------------------------------------------------------------

    async def designs(self, model_id: str, sentences: Sequence[str], threshold: float = 0.5) -> schemas.Designs:
        body = {"sentences": list(sentences), "threshold": threshold}
        response = await self.request("POST", f"/models/{segment(model_id)}/designs", json=body)
        return schemas.Designs.model_validate_json(response.content)

    async def design_links(self, model_id: str, sentences: Sequence[str]) -> np.ndarray:
        """Link probabilities (sentence, pair): the lower triangle row by row."""
        body = {"sentences": list(sentences)}
        response = await self.request("POST", f"/models/{segment(model_id)}/designs/links", json=body)
        count, units = int(response.headers["X-Count"]), int(response.headers["X-Units"])
        return np.frombuffer(response.content, "<f4").reshape(count, units * (units - 1) // 2)

    # -- maps of sentences -----------------------------------------------------------------------------------

    async def start_sentence_map(self, model: str, **request: Any) -> schemas.Job:
        """Fields of :class:`app.api.schemas.SentenceMapRequest`."""
        response = await self.request("POST", "/sentence-maps", json={"model": model, **request})
        return schemas.Job.model_validate_json(response.content)

    async def sentence_map(self, job_id: str) -> schemas.SentenceMap:
        response = await self.request("GET", f"/sentence-maps/{segment(job_id)}")
        return schemas.SentenceMap.model_validate_json(response.content)

    async def sentence_places(self, job_id: str, sentences: Sequence[str]) -> schemas.Places:
        """Where further sentences land on a map."""
        body = {"sentences": list(sentences)}
        response = await self.request("POST", f"/sentence-maps/{segment(job_id)}/places", json=body)
        return schemas.Places.model_validate_json(response.content)
