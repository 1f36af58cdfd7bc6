"""What ``/metrics`` tells of the server; labels are bounded."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge

REGISTRY = CollectorRegistry()
EVENTS_STORED = Counter(
    "mainstem_events_stored_total", "Events stored, repetitions not counted.", registry=REGISTRY
)
EVENTS_REFUSED = Counter(
    "mainstem_events_refused_total", "Events refused, by status.", ["code"], registry=REGISTRY
)
REQUESTS = Counter(
    "mainstem_http_requests_total", "Requests answered, by status class.", ["status"],
    registry=REGISTRY,
)  # fmt: skip
LISTENERS = Gauge("mainstem_change_listeners", "Pages that follow changes.", registry=REGISTRY)
