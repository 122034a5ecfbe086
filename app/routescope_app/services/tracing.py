"""Spans of what is computed, for OpenTelemetry: none, and nothing imported for it, unless a setting asks for them."""

import contextlib
import importlib.util
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from routescope import __version__
from routescope_app.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

T = TypeVar("T")
#: What an attribute of a span may be.
Value = str | int | float | bool
#: What the extra installs, and how.
PACKAGE, EXTRA = "opentelemetry.sdk", "telemetry"

_provider: "TracerProvider | None" = None
_users = 0
_lock = threading.Lock()


def missing(settings: Settings) -> str | None:
    """Why spans that are asked for cannot be made, for a person; None where they can, or are not asked for."""
    if settings.telemetry_endpoint is None:
        return None
    with contextlib.suppress(ModuleNotFoundError):
        if importlib.util.find_spec(PACKAGE) is not None:
            return None
    return f"ROUTESCOPE_TELEMETRY_ENDPOINT needs more packages: pip install 'routescope[{EXTRA}]'"


def start(settings: Settings, exporter: "SpanExporter | None" = None) -> "TracerProvider":
    """Make spans from now on, and send them to the collector; those who share a process share it.

    Args:
        exporter: where they go instead.

    Raises:
        ImportError: the extra is not installed.
    """
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

    global _provider, _users
    with _lock:
        _users += 1
        if _provider is None:
            named = {"service.name": "routescope", "service.version": __version__, "routescope.role": settings.role}
            _provider = TracerProvider(resource=Resource.create(named))
            if exporter is not None:
                _provider.add_span_processor(SimpleSpanProcessor(exporter))
            else:
                from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

                address = f"{settings.telemetry_endpoint}/v1/traces"
                _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))
        return _provider


def stop() -> None:
    """Send what is left, and make no more spans, once all who started it have said so; blocking."""
    global _provider, _users
    with _lock:
        _users -= 1
        if _users or _provider is None:
            return
        ended, _provider = _provider, None
    ended.shutdown()


@contextlib.contextmanager
def span(name: str, **attributes: Value) -> Iterator[None]:
    """A span of what is done within; an exception is written into it. Nothing where none are made."""
    provider = _provider
    if provider is None:
        yield
        return
    named = {f"routescope.{key}": value for key, value in attributes.items()}
    with provider.get_tracer("routescope").start_as_current_span(name, attributes=named):
        yield


def describe(**attributes: Value) -> None:
    """Write more into the span that is current, if there is one."""
    if _provider is not None:
        from opentelemetry import trace

        trace.get_current_span().set_attributes({f"routescope.{key}": value for key, value in attributes.items()})


def trace_id() -> str | None:
    """Return the id of the current telemetry trace, 32 hexadecimal digits; None without one."""
    if _provider is None:
        return None
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else None


def carried(name: str, work: Callable[[], T], **attributes: Value) -> Callable[[], T]:
    """``work`` for another thread, with a span below the one that is current here, which says how long it waited."""
    if _provider is None:
        return work
    from opentelemetry import context

    here, asked = context.get_current(), time.perf_counter()

    def within() -> T:
        token = context.attach(here)
        try:
            with span(name, waited_seconds=time.perf_counter() - asked, **attributes):
                return work()
        finally:
            context.detach(token)

    return within
