"""Forwards ``/api`` to an API on another server, so that browsers need one origin."""

from collections.abc import AsyncIterator
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from routescope_app.api import callers, problems
from routescope_app.settings import Settings

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
#: Of one connection only (RFC 9110, 7.6.1), or rewritten here.
_HOP_BY_HOP = frozenset(
    [
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "proxy-connection",
        "host",
        "content-length",
    ]
)
#: The browser's proof of who it is was checked here and is not passed on; which browser it is, is.
_OURS = frozenset({callers.ON_BEHALF.lower(), "authorization", "cookie", "origin", "referer", "forwarded"})


def install(app: FastAPI, settings: Settings) -> httpx.AsyncClient:
    """Add the route; return the client, which has to be closed with the app."""
    assert settings.api_url is not None
    headers = {"Authorization": f"Bearer {settings.secret}"} if settings.secret else {}
    client = httpx.AsyncClient(
        base_url=settings.api_url,
        headers=headers,
        timeout=httpx.Timeout(120, connect=5),
        trust_env=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # many browsers share this client
    )

    async def forward(request: Request) -> Response:
        dropped = _HOP_BY_HOP | _OURS | {(settings.user_header or callers.ON_BEHALF).lower()}
        passed = [
            (k, v)
            for k, v in request.headers.items()
            if k.lower() not in dropped and not k.startswith(("sec-", "x-forwarded-"))
        ]
        if request.client is not None:
            passed.append(("X-Forwarded-For", request.client.host))
        passed += callers.on_behalf().items()
        url = httpx.URL(path=request.url.path, query=request.url.query.encode())
        body = request.stream() if request.method in {"POST", "PUT", "PATCH"} else None
        try:
            outgoing = client.build_request(request.method, url, headers=passed, content=body)
            answer = await client.send(outgoing, stream=True)
        except httpx.HTTPError:
            detail = "The API that this page talks to cannot be reached; please try again in a moment."
            return problems.problem(502, "api-unreachable", "API not reachable", detail, retryable=True)

        async def content() -> AsyncIterator[bytes]:
            try:
                async for chunk in answer.aiter_raw():
                    yield chunk
            finally:
                await answer.aclose()

        kept = {k: v for k, v in answer.headers.items() if k.lower() not in _HOP_BY_HOP - {"content-length"}}
        return StreamingResponse(content(), answer.status_code, headers=kept)

    app.add_route("/api/{path:path}", forward, methods=METHODS, include_in_schema=False)
    return client
