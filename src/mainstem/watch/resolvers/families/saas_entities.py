"""Confluent's sources for Jira, GitHub, Zendesk and Marketo: entities by a topic pattern."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source, source_or_reason

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "SaaS entities"
_ADDRESSES = {
    "github": "github.service.url",
    "jira": "jira.url",
    "marketo": "marketo.url",
    "zendesk": "zendesk.url",
}
_ENTITIES = (
    "entity.names",
    "github.resources",
    "github.tables",
    "jira.resources",
    "jira.tables",
    "zendesk.tables",
)
_PATTERN = "topic.name.pattern"


def resolve(connector: Connector) -> Resolution:
    """Each entity to the topic that the pattern makes of its name."""
    config = settings_of(connector)
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _source(config: Settings) -> Source:
    system = _system(config)
    entities = config.names(*_ENTITIES)
    if not entities:
        raise CannotTell("the config names no entities")
    return Source(feeds=tuple(_feed(config, system, entity) for entity in entities))


def _feed(config: Settings, system: str, entity: str) -> Feed:
    pattern = config.text(_PATTERN, "${entityName}")
    topic = pattern.replace("${entityName}", entity).replace("${resourceName}", entity)
    repositories = config.names("github.repositories") if system == "github" else ()
    names = [f"{repository}/{entity}" for repository in repositories] or [entity]
    return feed_of(topic, *(partial(_entity, config, system, name) for name in names))


def _entity(config: Settings, system: str, name: str) -> DatasetName:
    return on_server(system, config.required(_ADDRESSES[system]), name)


def _system(config: Settings) -> str:
    simple_name = config["connector.class"].rpartition(".")[2].lower()
    return next(system for system in _ADDRESSES if system in simple_name)


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.github.GithubSourceConnector",
        "io.confluent.connect.jira.JiraSourceConnector",
        "io.confluent.connect.marketo.MarketoSourceConnector",
        "io.confluent.connect.zendesk.ZendeskSourceConnector",
    ),
    reads=Reads(names=(*_ADDRESSES.values(), *_ENTITIES, _PATTERN, "github.repositories")),
    resolve=resolve,
)
