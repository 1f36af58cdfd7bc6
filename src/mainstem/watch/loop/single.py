"""One connector of a live cluster, looked at once; nothing is remembered and nothing emitted."""

from __future__ import annotations

import difflib
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from mainstem.clock import now
from mainstem.errors import BadRecipe, ConnectRefused, ConnectUnavailable
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.loop.basis import Basis
from mainstem.watch.loop.cluster_thread import allowed_keys
from mainstem.watch.loop.kafka_name import name_for_connector
from mainstem.watch.loop.resolving import ResolutionBook, connector_for
from mainstem.watch.loop.schemas import SchemaBook
from mainstem.watch.loop.topic_questions import QuestionBook
from mainstem.watch.loop.topics import unasked
from mainstem.watch.resolvers import resolve

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mainstem.watch.connect.converters import Converters
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.loop.kafka_name import KafkaName
    from mainstem.watch.loop.settings import ClusterSettings
    from mainstem.watch.resolvers.model import Connector, Resolution, Unresolved
    from mainstem.watch.schema_registry.fields import TopicFields

NAMED_AT_MOST = 5
"""Connectors, where one that was asked for is not there."""


def look_at_one(settings: ClusterSettings, name: str) -> tuple[Connector, Resolution | Unresolved]:
    """The connector of that name and what it reads and writes, by all that can be asked."""
    with ConnectClient(settings.access, allowed_keys(), provided=settings.provided) as client:
        snapshot = client.look()
        observed = snapshot.connectors.get(name)
        if observed is None:
            raise BadRecipe(settings.access.urls[0], [_nobody(name, snapshot.connectors)])
        worker = client.worker()
        topics, trouble = _topics(client, name)
    cluster = settings.kafka_name(worker.kafka_cluster_id)
    basis = Basis(topics, cluster, worker.version, {}, quiet_since=None)
    fields = _fields(settings, observed, snapshot.converters[name], basis)
    kafka = name_for_connector(observed.config, observed.type, cluster)
    connector = connector_for(settings, observed, kafka, basis._replace(fields=fields))
    told = resolve(connector)
    return connector, replace(told, notes=(*told.notes, *trouble))


def _topics(client: ConnectClient, name: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """The topics that a connector was seen to use, or that and why they could not be asked."""
    try:
        return client.topics(name), ()
    except (ConnectUnavailable, ConnectRefused) as error:
        return None, (unasked(error.reason),)


def _nobody(name: str, connectors: Collection[str]) -> str:
    near = difflib.get_close_matches(name, connectors, n=NAMED_AT_MOST)
    named = near or sorted(connectors)[:NAMED_AT_MOST]
    left = (
        "" if near or len(connectors) == len(named) else f" and {len(connectors) - len(named)} more"
    )
    there = f"{', '.join(map(repr, named))}{left}"
    which = (
        f"did you mean {there}?" if near else f"there are: {there}" if named else "there is none"
    )
    return f"no connector is called {name!r}; {which}"


class Seen(NamedTuple):
    """A cluster, looked at once: its Kafka, and what its connectors read and write."""

    kafka: KafkaName
    cluster_id: str | None
    connectors: dict[str, tuple[ObservedConnector, Resolution]]


def look_at_all(settings: ClusterSettings) -> Seen:
    """Every connector of a cluster that is watched, by its config alone."""
    with ConnectClient(settings.access, allowed_keys(), provided=settings.provided) as client:
        snapshot, worker = client.look(), client.worker()
    kafka = settings.kafka_name(worker.kafka_cluster_id)
    basis = Basis(None, kafka, worker.version, {}, quiet_since=None)
    book = ResolutionBook(settings)
    resolved = {
        name: (observed, book.resolution(observed, basis))
        for name, observed in snapshot.connectors.items()
        if settings.watches(name)
    }
    return Seen(kafka, worker.kafka_cluster_id, resolved)


def _fields(
    settings: ClusterSettings, observed: ObservedConnector, converters: Converters, basis: Basis
) -> Mapping[str, TopicFields]:
    """What registry or records tell of the connector's topics, if they do in time."""
    book = QuestionBook(settings.registry)
    if not book.asks(converters):
        return {}
    topics = partial(ResolutionBook(settings).topics, observed, basis)
    questions = book.questions(observed, converters, None, topics)
    limits = settings.registry.limits
    schemas = SchemaBook(limits, budget=2 * len(questions), waits_for_all=True)
    try:
        schemas.ask(questions.values(), now(), timedelta(seconds=limits.seconds))
        return schemas.fields(questions)
    finally:
        schemas.close()
