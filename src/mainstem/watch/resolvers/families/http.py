"""HTTP endpoints: what is called, and for each topic which path of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.web import http_endpoint
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "HTTP"
_SINK_URLS = (
    "http.api.url",
    "http.url",
    "connect.http.endpoint",
    "prometheus.listener.url",
    "function.url",
)
_SOURCE_URLS = ("url", "http.request.url")
_API = re.compile(r"api\d+\.http\.api\.path")
_TEMPLATE = re.compile(r"\$\{[^}]*\}|\{\{[^}]*\}\}")


def resolve(connector: Connector) -> Resolution:
    """Topics to the endpoint that is called with them, or from the endpoint that is polled."""
    config = settings_of(connector)
    if connector.direction is not Direction.SINK:
        return resolve_source(connector, NAME, Source(feeds=_feeds(config)))
    return resolve_sink(connector, NAME, lambda topic: _target(config, topic))


def _target(config: Settings, topic: SinkTopic) -> list[DatasetName]:
    if config.first("http.api.base.url") is None:
        url = config.required(*_SINK_URLS)
        return [_endpoint(url, topic.name if "${topic}" in url else "")]
    apis = [api for api in _apis(config) if topic.name in config.names(f"{api}.topics")]
    if not apis:
        raise CannotTell("no api of the config lists this topic")
    return [_api_endpoint(config, api, topic.name) for api in apis]


def _feeds(config: Settings) -> tuple[Feed, ...]:
    if config.first("http.api.base.url") is None:
        return _polled(config)
    return tuple(
        feed_of(topic, lambda api=api: _api_endpoint(config, api, ""))
        for api in _apis(config)
        for topic in config.names(f"{api}.topics")
    )


def _polled(config: Settings) -> tuple[Feed, ...]:
    pattern = config.first("topic.name.pattern")
    if pattern is None:
        topic = config.first("kafka.topic") or Unpredictable("the config has no kafka.topic")
        return (feed_of(topic, lambda: _entity_endpoint(config, "")),)
    return tuple(
        feed_of(_filled(pattern, entity), lambda entity=entity: _entity_endpoint(config, entity))
        for entity in config.names("entity.names") or ("",)
    )


def _entity_endpoint(config: Settings, entity: str) -> DatasetName:
    url = config.required(*_SOURCE_URLS)
    return _endpoint(url.replace("${entityName}", entity) if entity else url, "")


def _filled(pattern: str, entity: str) -> str | Unpredictable:
    topic = pattern.replace("${entityName}", entity)
    if not entity and topic != pattern:
        return Unpredictable("the config has no entity.names")
    return Unpredictable("the topic's name is a template") if "${" in topic else topic


def _apis(config: Settings) -> list[str]:
    most = config.text("apis.num", "")
    apis = sorted(key.partition(".")[0] for key in config if _API.fullmatch(key))
    return [api for api in apis if not most.isdigit() or int(api[3:]) <= int(most)]


def _api_endpoint(config: Settings, api: str, topic: str) -> DatasetName:
    base = config.required("http.api.base.url").rstrip("/")
    return _endpoint(f"{base}/{config[f'{api}.http.api.path'].lstrip('/')}", topic)


def _endpoint(url: str, topic: str) -> DatasetName:
    """The endpoint of a URL; from the first part that each record fills in, the rest is cut."""
    named = url.replace("${topic}", topic) if topic else url
    template = _TEMPLATE.search(named.partition("?")[0])
    if template is None:
        return http_endpoint(named)
    return http_endpoint(named[: template.start()].rpartition("/")[0])


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.http.HttpSinkConnector",
        "HttpSink",
        "io.confluent.connect.http.sink.GenericHttpSinkConnector",
        "HttpSinkV2",
        "io.confluent.connect.http.HttpSourceConnector",
        "HttpSource",
        "io.confluent.connect.http.source.GenericHttpSourceConnector",
        "HttpSourceV2",
        "io.aiven.kafka.connect.http.HttpSinkConnector",
        "com.github.castorm.kafka.connect.http.HttpSourceConnector",
        "io.lenses.streamreactor.connect.http.sink.HttpSinkConnector",
        "io.confluent.connect.prometheus.PrometheusMetricsSinkConnector",
        "io.confluent.connect.azure.functions.AzureFunctionsSinkConnector",
        "AzureFunctionsSink",
    ),
    reads=Reads(
        names=(
            *_SINK_URLS,
            *_SOURCE_URLS,
            "apis.num",
            "entity.names",
            "http.api.base.url",
            "kafka.topic",
            "topic.name.pattern",
        ),
        patterns=(_API.pattern, r"api\d+\.topics"),
    ),
    resolve=resolve,
)
