"""Redis sources: streams, keys and channels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers import redis_address
from mainstem.watch.resolvers.endpoints import topic_of
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Redis source"
_TOPIC = ("topic", "kafka.topic")


def resolve(connector: Connector) -> Resolution:
    """Each stream, set of keys or channel to the topic that the config names."""
    config = settings_of(connector)
    source = source_or_reason(lambda: Source(feeds=tuple(_feeds(config))))
    return resolve_source(connector, NAME, source)


def _feeds(config: Settings) -> list[Feed]:
    channels = config.names("redis.channels")
    if channels:
        topic = topic_of(config, *_TOPIC)
        return [feed_of(topic, partial(_keys, config, channel)) for channel in channels]
    stream = config.first("redis.stream.name")
    if stream:
        key = "topic" if config.first("topic") else "kafka.topic"
        topic = filled_template(config, key, stream, default="${stream}", variable="stream")
        return [feed_of(topic, partial(_keys, config, stream))]
    pattern = config.text("redis.keys.pattern", "*")
    return [feed_of(config.first(*_TOPIC) or "rediskeys", partial(_keys, config, pattern))]


def _keys(config: Settings, keys: str) -> DatasetName:
    return on_server("redis", redis_address.of(config), keys)


RESOLVER = Family(
    NAME,
    (
        "com.redis.kafka.connect.RedisStreamSourceConnector",
        "com.redis.kafka.connect.RedisKeysSourceConnector",
        "com.redis.kafka.connect.RedisSourceConnector",
        "com.redislabs.kafka.connect.RedisSourceConnector",
        "io.github.jaredpetersen.kafkaconnectredis.source.RedisSourceConnector",
        "RedisKafkaSource",
    ),
    Reads(
        names=(
            *redis_address.READS,
            *_TOPIC,
            "redis.channels",
            "redis.keys.pattern",
            "redis.stream.name",
        )
    ),
    resolve,
)
