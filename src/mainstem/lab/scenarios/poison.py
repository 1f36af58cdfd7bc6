"""A record that is no order, on the orders' topic: who decodes fails, who copies bytes does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from confluent_kafka import KafkaError, Message

PARTITION = 0
NO_ORDER = b"this is no order"
SECONDS_TO_WRITE = 30


class Poison:
    """The record on one topic; it can only be taken away with all that came before it."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        self._bootstrap = bootstrap
        self._topic = topic
        self._offset: int | None = None

    def pour(self) -> None:
        """Write the record."""
        from confluent_kafka import Producer

        failures: list[str] = []

        def written(error: KafkaError | None, message: Message) -> None:
            if error:
                failures.append(str(error))
            self._offset = message.offset()

        producer = Producer({"bootstrap.servers": self._bootstrap, "log_level": 0})
        producer.produce(self._topic, NO_ORDER, partition=PARTITION, on_delivery=written)
        if producer.flush(SECONDS_TO_WRITE) or failures:
            reason = "; ".join(failures) or f"no answer in {SECONDS_TO_WRITE} s"
            raise ServiceFailed("kafka", f"a record for {self._topic} was not written: {reason}")

    def remove(self) -> None:
        """Delete the record, and every older one of the topic."""
        from confluent_kafka import TopicPartition
        from confluent_kafka.admin import AdminClient

        if self._offset is None:
            return
        admin = AdminClient({"bootstrap.servers": self._bootstrap, "log_level": 0})
        upto = TopicPartition(self._topic, PARTITION, self._offset + 1)
        for deleted in admin.delete_records([upto]).values():
            deleted.result(SECONDS_TO_WRITE)
        self._offset = None
