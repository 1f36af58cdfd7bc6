"""Events on a Kafka topic: one message each, delivered once the broker has confirmed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaError, KafkaException, Producer

from mainstem.clock import monotonic
from mainstem.errors import (
    DestinationBusy,
    DestinationLocked,
    DestinationRefused,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.outbox.model import StoredEvent

DELIVERY_SECONDS = 10
REPORT_SLACK_SECONDS = 5
POLL_SECONDS = 0.5
OURS: Mapping[str, object] = {
    "enable.idempotence": True,
    "linger.ms": 0,
    "message.timeout.ms": DELIVERY_SECONDS * 1000,
    "log_level": 2,
}
"""Unless the user sets them: all replicas confirm, nothing waits, a report comes in any case."""

BAD_EVENT = frozenset(
    {KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.INVALID_MSG, KafkaError.INVALID_RECORD}
)
NOT_LET_IN = frozenset(
    {
        KafkaError._AUTHENTICATION,  # noqa: SLF001 - librdkafka's own codes start with a line
        KafkaError._SSL,  # noqa: SLF001
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
        KafkaError.TOPIC_EXCEPTION,
    }
)


class KafkaDestination:
    """Produces each event's stored bytes, keyed so that a run stays in one partition."""

    kind = "kafka"

    def __init__(
        self, name: str, topic: str, config: Mapping[str, object], message_key: str = ""
    ) -> None:
        self.name = name
        self._topic = topic
        self._config = config
        self._message_key = message_key
        self._producer: Producer | None = None
        self._last_error: KafkaError | None = None

    def deliver(self, event: StoredEvent) -> None:
        """Return once the broker has confirmed the message."""
        reports: list[KafkaError | None] = []
        producer = self._open()
        try:
            producer.produce(
                self._topic,
                key=(self._message_key or event.ordering_key).encode(),
                value=event.body,
                on_delivery=lambda error, _message: reports.append(error),
            )
        except KafkaException as error:
            raise self._failure(error.args[0]) from error
        self._wait_for(reports)
        if reports[0] is not None:
            raise self._failure(reports[0])
        self._last_error = None

    def close(self) -> None:
        """Drop the producer; what it may still hold is in the outbox too."""
        if self._producer is not None:
            self._producer.purge()
            self._producer = None

    def _open(self) -> Producer:
        if self._producer is None:
            self._last_error = None
            settings: dict[str, Any] = {**OURS, **self._config, "error_cb": self._remember}
            self._producer = Producer(settings)
        return self._producer

    def _wait_for(self, reports: list[KafkaError | None]) -> None:
        end = monotonic() + self._report_seconds()
        while not reports:
            if monotonic() > end:
                # A message that is still under way must not overtake its own resend.
                self.close()
                reason = f"no report within {self._report_seconds():g} s"
                raise DestinationBusy(self.name, reason, whole=True)
            if self._producer is not None:
                self._producer.poll(POLL_SECONDS)

    def _report_seconds(self) -> float:
        names = ("message.timeout.ms", "delivery.timeout.ms")
        written = next((self._config[name] for name in names if name in self._config), None)
        patience = DELIVERY_SECONDS if written is None else float(str(written)) / 1000
        return patience + REPORT_SLACK_SECONDS

    def _remember(self, error: KafkaError) -> None:
        self._last_error = error

    def _failure(
        self, error: KafkaError
    ) -> DestinationBusy | DestinationLocked | DestinationRefused:
        """What a failed message means; behind a time-out stands the connection's own error."""
        cause = error
        if error.code() == KafkaError._MSG_TIMED_OUT and self._last_error is not None:  # noqa: SLF001
            cause = self._last_error
        if cause.fatal():
            self.close()
        if cause.code() in BAD_EVENT:
            return DestinationRefused(self.name, cause.name())
        if cause.code() in NOT_LET_IN:
            return DestinationLocked(self.name, cause.name())
        return DestinationBusy(self.name, cause.name(), whole=True)
