"""What the words of the command line mean as sources of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from mainstem.pipeline.jobs.source import Source

KAFKA = "kafka://"
ICEBERG = "iceberg:"


class Topic(NamedTuple):
    """A topic and the brokers that have it."""

    bootstrap: str
    name: str


def opened(
    spark: SparkSession, words: Sequence[str], column: str | None, kafka_conf: Sequence[str]
) -> Source:
    """One source of all that the words name."""
    from mainstem.pipeline.jobs.sources.files import FileSource
    from mainstem.pipeline.jobs.sources.iceberg import IcebergSource
    from mainstem.pipeline.jobs.sources.kafka import KafkaSource
    from mainstem.pipeline.jobs.sources.several import Several

    client = kafka_settings(kafka_conf)
    sources: list[Source] = []
    for word in words:
        if word.startswith(KAFKA):
            sources.append(KafkaSource(spark, *topic_in(word), client))
        elif word.startswith(ICEBERG):
            sources.append(IcebergSource(spark, word.removeprefix(ICEBERG), column))
        else:
            sources.append(FileSource(spark, word, column))
    return Several(sources)


def check_sources(words: Sequence[str], kafka_conf: Sequence[str]) -> None:
    """Refuse what cannot be meant, before a session is started for it."""
    if not words:
        raise BadRecipe("mainstem pipeline build", ["name a source: files, iceberg: or kafka://"])
    for word in words:
        if word.startswith(KAFKA):
            topic_in(word)
    kafka_settings(kafka_conf)


def topic_in(word: str) -> Topic:
    """The topic of ``kafka://HOST:PORT,HOST:PORT/TOPIC``.

    >>> topic_in("kafka://b1:9092,b2:9092/lineage")
    Topic(bootstrap='b1:9092,b2:9092', name='lineage')
    """
    bootstrap, _, name = word.removeprefix(KAFKA).partition("/")
    if not bootstrap or not name or "/" in name:
        raise BadRecipe("source", [f"{word!r} must be kafka://HOST:PORT/TOPIC"])
    return Topic(bootstrap, name)


def kafka_settings(words: Sequence[str]) -> dict[str, str]:
    """The settings of a Kafka client, from KEY=VALUE each; values are never shown."""
    keys = [word.partition("=")[0] for word in words]
    wrong = [key for key, word in zip(keys, words, strict=True) if "=" not in word or not key]
    if wrong:
        raise BadRecipe("--kafka-conf", [f"{key!r} has no value; say KEY=VALUE" for key in wrong])
    return {key: value for key, _, value in (word.partition("=") for word in words)}
