"""Metrics for Prometheus: requests of this process, and its load."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from routescope import __version__
from routescope_app.services.gauges import Gauges

log = logging.getLogger(__name__)
#: Seconds of a request, from a click to a large upload.
REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
#: Seconds by which the event loop is late.
LAG_SECONDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
#: Seconds between two looks how late the event loop is.
LOOK_SECONDS = 0.25
#: The content type of what is told.
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

disable_created_metrics()  # when each was counted first says nothing


class Metrics:
    """The metrics of one app.

    Attributes:
        in_progress: number of open requests.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        registry = self._registry
        self._seconds = Histogram(
            "routescope_request_seconds",
            "Seconds until a request was answered; of streams of events, until they began.",
            ("method", "route"),
            buckets=REQUEST_SECONDS,
            registry=registry,
        )
        self._requests = Counter(
            "routescope_requests", "Requests that were answered.", ("method", "route", "status"), registry=registry
        )
        self._refusals = Counter(
            "routescope_refusals", "Problems that were answered.", ("status", "reason"), registry=registry
        )
        self.in_progress = Gauge(
            "routescope_requests_in_progress", "Requests that are being answered.", registry=registry
        )
        self._lag = Histogram(
            "routescope_event_loop_lag_seconds",
            "Seconds by which the event loop came late to what was due.",
            buckets=LAG_SECONDS,
            registry=registry,
        )
        build = Gauge("routescope_build_info", "The version that runs.", ("version",), registry=registry)
        build.labels(__version__).set(1)
        ProcessCollector(registry=registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._seconds.labels(method, route).observe(seconds)
        self._requests.labels(method, route, str(status)).inc()

    def refused(self, status: int, reason: str) -> None:
        """Count a request that was answered with a problem."""
        self._refusals.labels(str(status), reason).inc()

    async def watch_loop(self) -> None:
        """Observe the delay of the event loop, until cancelled."""
        while True:
            due = time.monotonic() + LOOK_SECONDS
            await asyncio.sleep(LOOK_SECONDS)
            self._lag.observe(max(time.monotonic() - due, 0.0))

    def told(self, read: Callable[[], Gauges] | None) -> bytes:
        """Return all metrics in Prometheus' text format, with the load of services from ``read``; blocking."""
        if read is None:
            return generate_latest(self._registry)
        services = CollectorRegistry()
        up = Gauge(
            "routescope_services_up", "Whether the figures of database and disk could be read.", registry=services
        )
        try:
            services.register(_GaugeCollector(read()))
            up.set(1)
        except Exception:  # whatever a driver raises; what this process counts is told without it
            log.exception("the figures of the services could not be read")
        return generate_latest(self._registry) + generate_latest(services)


class _GaugeCollector(Collector):
    """Figures that were just read."""

    def __init__(self, gauges: Gauges) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[GaugeMetricFamily]:
        gauges = self._gauges
        yield _family("routescope_jobs", "Jobs that wait or run.", "state", gauges.jobs)
        yield GaugeMetricFamily(
            "routescope_oldest_job_seconds",
            "Seconds since the job that waits longest was queued.",
            gauges.oldest_seconds,
        )
        yield _family("routescope_waiting", "What waits for its turn to be computed.", "kind", gauges.waiting)
        yield _family("routescope_cache_bytes", "Bytes of caches in memory.", "cache", gauges.memory_bytes)
        yield _family(
            "routescope_store_bytes", "Bytes kept on disk and in the database, as limits count them.", "store",
            gauges.disk_bytes,
        )  # fmt: skip
        yield GaugeMetricFamily("routescope_samples", "Uploaded and drawn samples.", gauges.samples)
        yield GaugeMetricFamily("routescope_database_bytes", "Bytes of the database.", gauges.database_bytes)
        yield GaugeMetricFamily(
            "routescope_free_bytes", "Bytes left on the disk of the data folder.", gauges.free_bytes
        )
        yield _family("routescope_device_memory_bytes", "Memory of the GPU that networks run on.", "kind",
                      gauges.device_bytes)  # fmt: skip
        yield _family("routescope_cluster", "Actors of the Ray cluster that are there, and tasks that they did.",
                      "kind", gauges.cluster)  # fmt: skip


def _family(name: str, sentence: str, label: str, values: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, sentence, labels=(label,))
    for kind, value in values.items():
        family.add_metric((kind,), value)
    return family
