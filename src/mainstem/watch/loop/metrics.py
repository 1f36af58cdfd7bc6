"""The watcher in numbers, by the names that Prometheus users expect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from mainstem import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.core import Metric

    from mainstem.outbox import OutboxReader
    from mainstem.watch.loop.reports import LookReport

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LABELS = ("cluster",)


class Metrics:
    """Counts looks as they happen; asks the outbox when it is itself asked.

    Labels are clusters, destinations and reasons, of which there are few; never connectors.
    """

    def __init__(self, outbox: OutboxReader) -> None:
        self._registry = CollectorRegistry()
        self._durations = Histogram(
            "mainstem_poll_duration_seconds", "One look.", LABELS, registry=self._registry
        )
        self._errors = Counter(
            "mainstem_poll_errors",
            "Looks that failed, by reason.",
            (*LABELS, "reason"),
            registry=self._registry,
        )
        self._skipped = Counter(
            "mainstem_connectors_skipped",
            "Connectors of which a look told nothing or not all, by reason.",
            (*LABELS, "reason"),
            registry=self._registry,
        )
        self._success = Gauge(
            "mainstem_last_success_timestamp_seconds",
            "When a look last succeeded.",
            LABELS,
            registry=self._registry,
        )
        build = Gauge(
            "mainstem_build_info", "Which Mainstem this is.", ("version",), registry=self._registry
        )
        build.labels(__version__).set(1)
        self._registry.register(_OutboxCollector(outbox))

    def count(self, report: LookReport) -> None:
        """Count one look."""
        self._durations.labels(report.cluster).observe(report.seconds)
        if report.error is not None:
            self._errors.labels(report.cluster, type(report.error).__name__).inc()
            return
        self._success.labels(report.cluster).set(report.at.timestamp())
        for reason, number in report.skipped.items():
            self._skipped.labels(report.cluster, reason).inc(number)

    def page(self) -> bytes:
        """Everything, as ``/metrics`` shows it."""
        return generate_latest(self._registry)


class _OutboxCollector:
    """What waits and what went out, read at the moment of asking."""

    def __init__(self, outbox: OutboxReader) -> None:
        self._outbox = outbox

    def collect(self) -> Iterator[Metric]:
        """The outbox's numbers, per destination."""
        label = ["destination"]
        emitted = CounterMetricFamily(
            "mainstem_events_emitted", "Events by what became of them.", labels=[*label, "result"]
        )
        waiting = GaugeMetricFamily("mainstem_outbox_events", "Events that wait.", labels=label)
        oldest = GaugeMetricFamily(
            "mainstem_outbox_oldest_age_seconds", "How long the oldest waits.", labels=label
        )
        for each in self._outbox.status():
            results = {"delivered": each.delivered, "dropped": each.dropped}
            for result, number in {**results, "refused": each.dead_letters}.items():
                emitted.add_metric([each.name, result], number)
            waiting.add_metric([each.name], each.depth)
            oldest.add_metric([each.name], each.oldest_age_seconds or 0.0)
        size = GaugeMetricFamily("mainstem_outbox_bytes", "Bytes of the events in the outbox.")
        size.add_metric([], self._outbox.size().bytes)
        yield from (emitted, waiting, oldest, size)
