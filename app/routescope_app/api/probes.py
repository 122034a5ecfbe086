"""Addresses for monitoring."""

HEALTH, READY, METRICS = "/api/v1/health", "/api/v1/ready", "/metrics"
#: Answered however many requests are in progress.
ALWAYS = frozenset({HEALTH, READY, METRICS})
