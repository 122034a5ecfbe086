"""The page ``/api/docs``: Swagger UI from an installed package, so that nothing is fetched from other hosts."""

import importlib.util
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Routescope API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/static/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/static/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
"""
START = """SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
"""

router = APIRouter(include_in_schema=False)


@router.get("/api/docs")
async def page() -> HTMLResponse:
    """The documentation page."""
    return HTMLResponse(PAGE)


@router.get("/api/docs/start.js")
async def start() -> Response:
    """Return the script that starts the page of the API, in its own file so that no inline script is needed."""
    return Response(START, media_type="text/javascript")


def install(app: FastAPI) -> None:
    """Serve the page and its static files."""
    app.include_router(router)
    package = importlib.util.find_spec("fastapi_offline")
    assert package is not None and package.origin is not None
    folder = Path(package.origin).parent / "static"
    app.mount("/api/docs/static", StaticFiles(directory=folder), name="api-docs-static")
