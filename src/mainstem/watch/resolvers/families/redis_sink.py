"""Redis sinks: Redis' own (also as Redis Labs), jcustenborder's, jaredpetersen's, managed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers import redis_address
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_REDIS_OWN = (
    "com.redis.kafka.connect.RedisSinkConnector",
    "com.redislabs.kafka.connect.RedisSinkConnector",
    "com.redis.kafka.connect.RedisEnterpriseSinkConnector",
    "RedisKafkaSink",
)
_KEYED_BY_RECORD = (
    "com.github.jcustenborder.kafka.connect.redis.RedisSinkConnector",
    "io.github.jaredpetersen.kafkaconnectredis.sink.RedisSinkConnector",
    "RedisSink",
)
_ONE_KEY_PER_RECORD = {"HASH", "JSON", "STRING"}


def _keys(config: Settings, topic: SinkTopic) -> DatasetName:
    return on_server("redis", redis_address.of(config), _key_pattern(config, topic.name))


def _key_pattern(config: Settings, topic: str) -> str:
    if config["connector.class"] in _KEYED_BY_RECORD:
        return "*"
    key = "redis.key" if config.first("redis.key") else "redis.keyspace"
    keyspace = filled_template(config, key, topic)
    if config.text("redis.type", "STREAM").upper() not in _ONE_KEY_PER_RECORD:
        return keyspace
    return f"{keyspace}{config.text('redis.separator', ':')}*"


RESOLVER = endpoint_family(
    "Redis sink",
    (*_REDIS_OWN, *_KEYED_BY_RECORD),
    (
        *redis_address.READS,
        "redis.key",
        "redis.keyspace",
        "redis.separator",
        "redis.type",
    ),
    Endpoint(written_to=_keys),
)
