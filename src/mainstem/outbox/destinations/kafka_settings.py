"""The ``kafka`` transport of the official client's configuration."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from mainstem.outbox.destinations.noop import NoopDestination

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.outbox.destinations.kafka import KafkaDestination
    from mainstem.outbox.section import Section

WORDS_OF_SECRETS = ("password", "secret", "key", "token", "credential", "jaas", "sasl.username")


def build(name: str, section: Section) -> KafkaDestination | NoopDestination:
    """A destination from ``{type: kafka, topic: …, config: {bootstrap.servers: …}}``."""
    if find_spec("confluent_kafka") is None:
        section.mistakes.append(
            f"{section.place}.type is 'kafka', which needs: pip install 'mainstem[kafka]'"
        )
        return NoopDestination(name)
    from mainstem.outbox.destinations.kafka import KafkaDestination  # noqa: PLC0415 - optional

    topic = section.required_text("topic")
    inner = section.section("config")
    if inner is None:
        section.mistakes.append(
            f"{section.place}.config is missing; it must be a mapping with bootstrap.servers"
        )
        return NoopDestination(name)
    inner.required_text("bootstrap.servers")
    _check(inner)
    key = section.text("messageKey", "message_key")
    return KafkaDestination(name, topic, inner.values, key)


def _check(config: Section) -> None:
    """Let librdkafka read the settings without the servers, so that it connects to none."""
    from confluent_kafka import KafkaException, Producer  # noqa: PLC0415 - optional

    settings = {key: value for key, value in config.values.items() if key != "bootstrap.servers"}
    try:
        Producer({**settings, "log_level": 0})
    except (KafkaException, TypeError, ValueError) as error:
        said = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        config.mistakes.append(f"{config.place}: {_without_secrets(said, config.values)}")


def _without_secrets(text: str, values: Mapping[str, object]) -> str:
    for name, value in values.items():
        if any(word in name for word in WORDS_OF_SECRETS) and str(value):
            text = text.replace(str(value), "***")
    return text
