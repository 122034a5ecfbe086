"""Errors as RFC 9457 problems: what was wrong, what would be accepted, an id.

They never contain a path, a traceback or an internal name.
"""

import logging
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.sse import ServerSentEvent
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from routescope_app.api import refusals
from routescope_app.api.schemas.base import Problem
from routescope_app.services.disk import ran_out
from routescope_app.services.errors import Refusal

log = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
#: What fields are called; a validator's own names of what it tried have capitals or brackets.
_FIELD = re.compile(r"(?!(?:str|int|float|bool|none|constrained-\w+)$)[a-z][a-z0-9_-]*")
#: What a validator says in Python's words, in those of JSON.
_SAID = {
    "dict_type": "Input should be an object",
    "list_type": "Input should be a list",
    "model_attributes_type": "Input should be an object",
    "model_type": "Input should be an object",
    "none_required": "Input should be null",
    "set_type": "Input should be a list",
    "tuple_type": "Input should be a list",
}
NOTHING_HERE = "There is nothing at this address; /api/docs lists what there is."

#: For routes: what every one of them may answer besides success.
RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "model": Problem,
        "description": "A problem (RFC 9457).",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


#: Where the scope of a request says with which problem it was answered.
_ANSWERED = "routescope.problem"


@dataclass(frozen=True)
class Answered:
    """A problem that was sent.

    Attributes:
        instance: its id.
        reason: its kind, with details if there are any.
    """

    instance: str
    reason: str


def answered(scope: Scope) -> Answered | None:
    """The problem that answered a request; None if there was none."""
    answer = scope.get(_ANSWERED)
    return answer if isinstance(answer, Answered) else None


class ProblemResponse(JSONResponse):
    """A problem; when it is sent, its id is logged, unless it has been."""

    media_type = MEDIA_TYPE

    def __init__(self, body: dict[str, Any], headers: Mapping[str, str], logged: bool, reason: str = "") -> None:
        super().__init__(body, body["status"], headers=dict(headers))
        self._problem, self._logged = body, logged
        kind = body["type"].rpartition(":")[2]
        self._answered = Answered(body["instance"], f"{kind}: {reason}" if reason else kind)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        scope[_ANSWERED] = self._answered
        self.report(f"{scope.get('method', '')} {scope['path']}", client[0] if client else "")
        await super().__call__(scope, receive, send)

    def report(self, request: str, address: str) -> None:
        """Log the problem once."""
        if not self._logged:
            self._logged = True
            kind = self._problem["type"].rpartition(":")[2]
            told = self._problem["instance"], request, self._problem["detail"], address
            refusals.write(self._problem["status"], kind, *told)


def problem(
    status: int,
    kind: str,
    title: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    errors: Sequence[Mapping[str, str]] | None = None,
    retryable: bool | None = None,
    instance: str | None = None,
    reason: str = "",
) -> ProblemResponse:
    """Return a problem response; ``instance`` is its id in the log, ``reason`` its details for metrics."""
    body: dict[str, Any] = {
        "type": f"urn:routescope:problem:{kind}",
        "title": title,
        "status": status,
        "detail": detail.encode("utf-8", "replace").decode("utf-8"),
        "instance": instance or f"urn:uuid:{uuid.uuid4()}",
    }
    if errors is not None:
        body["errors"] = list(errors)
    if retryable is not None:
        body["retryable"] = retryable
    return ProblemResponse(body, headers or {}, instance is not None, reason)


def of_refusal(refusal: Refusal) -> ProblemResponse:
    """The problem of a refusal."""
    headers, retryable = {}, None
    if refusal.retry_after is not None:
        headers, retryable = {"Retry-After": str(refusal.retry_after)}, True
    told = refusal.status, refusal.kind, refusal.title, refusal.detail
    return problem(*told, headers=headers, retryable=retryable, reason=refusal.reason)


def as_event(error: Exception) -> ServerSentEvent:
    """The problem as the last event of a stream."""
    answer = of_refusal(error) if isinstance(error, Refusal) else unexpected(error)
    answer.report("an event", "")
    return ServerSentEvent(event="problem", raw_data=bytes(answer.body).decode())


def install(app: FastAPI) -> None:
    """Answer all errors of the app with problems."""

    @app.exception_handler(Refusal)
    async def refused(_request: Request, error: Refusal) -> Response:
        return of_refusal(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        errors = [
            {"where": _where(entry["loc"], entry["type"]), "what": _SAID.get(entry["type"], str(entry["msg"]))[:300]}
            for entry in error.errors()[:20]
        ]
        errors = [error for at, error in enumerate(errors) if error not in errors[:at]]  # of a dependency used twice
        places = "; ".join(f"{entry['where']}: {entry['what']}" for entry in errors[:3])
        return problem(422, "invalid", "Request not valid", f"The request is not valid. {places}"[:1000], errors=errors)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        status = HTTPStatus(error.status_code)
        detail = {
            404: NOTHING_HERE,
            405: "This address does not take that method; /api/docs lists those that it takes.",
        }.get(error.status_code, error.detail if error.status_code < 500 else status.description)
        kind = status.phrase.lower().replace(" ", "-")
        return problem(error.status_code, kind, status.phrase, detail, headers=error.headers)

    @app.exception_handler(Exception)
    async def failed(_request: Request, error: Exception) -> Response:
        return unexpected(error)


def nothing_here() -> ProblemResponse:
    """The problem of an unknown address."""
    return problem(404, "not-found", HTTPStatus.NOT_FOUND.phrase, NOTHING_HERE)


def _where(places: Sequence[int | str], kind: str) -> str:
    """Names of fields and indexes as they were sent, without the names of classes."""
    last = len(places) - 1
    said = [
        str(part)[:60]
        for at, part in enumerate(places)
        if isinstance(part, int) or _FIELD.fullmatch(part) or (at == last and kind == "extra_forbidden")
    ]
    return ".".join(said)


def unexpected(error: BaseException) -> ProblemResponse:
    """The problem for a defect of the service; its traceback is only logged, under the problem's id."""
    if (full := ran_out(error)) is not None:
        return of_refusal(full)
    instance = f"urn:uuid:{uuid.uuid4()}"
    log.error("unexpected error %s", instance, exc_info=error)
    detail = "Something unexpected went wrong. It was written to the server's log under this problem's id."
    return problem(500, "unexpected", "Unexpected error", detail, instance=instance)
