"""Spans of the requests of an app, for OpenTelemetry."""

from typing import TYPE_CHECKING

from fastapi import FastAPI

from routescope_app.api.probes import ALWAYS

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider


def install(app: FastAPI, provider: "TracerProvider") -> None:
    """Record a span of each request, without probes."""
    from opentelemetry.instrumentation.fastapi import FastAPIInstrumentor

    looks = ",".join(f"^https?://[^/]+{path}$" for path in sorted(ALWAYS))
    FastAPIInstrumentor.instrument_app(
        app, tracer_provider=provider, excluded_urls=looks, exclude_spans=["receive", "send"]
    )
