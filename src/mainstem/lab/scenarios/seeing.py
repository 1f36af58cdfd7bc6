"""Waiting until something can be seen from outside."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from mainstem.clock import monotonic
from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 180.0


def wait_for(what: str, seen: Callable[[], bool], why_not: Callable[[], list[str]] = list) -> None:
    """Return when it is seen; after long patience say what was awaited, and why it is not there."""
    deadline = monotonic() + PATIENCE
    while not seen():
        if monotonic() > deadline:
            reasons = "; ".join(why_not())
            raise ServiceFailed("lab", f"{what}: not seen after {PATIENCE:.0f} s; {reasons}")
        time.sleep(0.3)


def has_message(bootstrap: str, topic: str) -> bool:
    """Whether the topic is there and anything was ever written to it."""
    from confluent_kafka import Consumer, KafkaException, TopicPartition

    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "lab-eyes", "log_level": 0})
    try:
        _, end = consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=5)
    except KafkaException:
        return False
    finally:
        consumer.close()
    return end > 0
