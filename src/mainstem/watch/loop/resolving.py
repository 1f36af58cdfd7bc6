"""Resolves what changed, and gives every dataset its one name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.names.dataset import DatasetName
from mainstem.names.identity import NO_ALIASES, Aliases, canonical
from mainstem.watch.loop.kafka_name import UNKNOWN, KafkaName, name_for_connector
from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import (
    Connector,
    Direction,
    Edge,
    Resolution,
    Symlink,
    Unresolved,
)
from mainstem.watch.transforms.spelling import with_worker_s

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.loop.basis import Basis
    from mainstem.watch.loop.settings import ClusterSettings


class ResolutionBook:
    """Remembers each connector's resolution for as long as nothing it rests on changes."""

    def __init__(self, settings: ClusterSettings) -> None:
        self._settings = settings
        self._known: dict[str, tuple[object, Resolution]] = {}

    def resolution(self, observed: ObservedConnector, basis: Basis) -> Resolution:
        """What the connector reads and writes, by what is known now."""
        rests_on = (
            (observed.config, observed.type, basis.topics, basis.kafka, basis.provided),
            (basis.fields, basis.missing_schemas, basis.unasked),
        )
        known = self._known.get(observed.name)
        if known is not None and known[0] == rests_on:
            return known[1]
        resolution = self._resolve(observed, basis)
        self._known[observed.name] = (rests_on, resolution)
        return resolution

    def topics(self, observed: ObservedConnector, basis: Basis) -> tuple[str, ...]:
        """The topics of its Kafka that the connector reads or writes."""
        kafka = name_for_connector(observed.config, observed.type, basis.kafka)
        told = _as_resolution(resolve(connector_for(self._settings, observed, kafka, basis)))
        return topics_of(told, kafka)

    def keep_only(self, connectors: Collection[str]) -> None:
        """Forget the connectors that are gone."""
        for name in self._known.keys() - connectors:
            del self._known[name]

    def _resolve(self, observed: ObservedConnector, basis: Basis) -> Resolution:
        kafka = name_for_connector(observed.config, observed.type, basis.kafka)
        told = resolve(connector_for(self._settings, observed, kafka, basis))
        resolution = _as_resolution(told)
        notes = (*((kafka.note,) if kafka.note else ()), *basis.missing_schemas)
        if notes:
            resolution = replace(resolution, notes=(*resolution.notes, *notes))
        if basis.unasked and basis.topics is None and _lacks(resolution):
            unresolved = (*resolution.unresolved, basis.unasked)
            resolution = replace(resolution, unresolved=unresolved)
        rename = partial(self._settings.renamed, observed.name)
        return with_one_name(resolution, kafka, self._settings.aliases, rename)


def _lacks(resolution: Resolution) -> bool:
    """Whether topics seen could tell more; a note of its own would make an event of each fault."""
    return not resolution.edges or bool(resolution.unresolved)


def in_one_name(told: Resolution | Unresolved) -> Resolution:
    """What is told of a connector outside any recipe, in canonical names."""
    resolution = _as_resolution(told)
    return with_one_name(resolution, KafkaName(UNKNOWN), NO_ALIASES, lambda dataset: dataset)


def topics_of(resolution: Resolution, kafka: KafkaName) -> tuple[str, ...]:
    """The topics of a Kafka that are read or written."""
    datasets = (*resolution.inputs, *resolution.outputs)
    return tuple(each.name for each in datasets if each.namespace == kafka.namespace)


def connector_for(
    settings: ClusterSettings, observed: ObservedConnector, kafka: KafkaName, basis: Basis
) -> Connector:
    """What was seen of a connector and what the recipe says of it, as the resolvers want it."""
    return Connector(
        name=observed.name,
        direction=_direction(observed.type),
        config=with_worker_s(observed.config, settings.worker_properties),
        kafka_namespace=kafka.namespace,
        topics=basis.topics,
        provided={**basis.provided, **settings.cluster.provided_configs},
        fields=basis.fields,
        declared=settings.declaration(observed.name),
    )


def with_one_name(
    resolution: Resolution,
    kafka: KafkaName,
    aliases: Aliases,
    rename: Callable[[DatasetName], DatasetName],
) -> Resolution:
    """The resolution in canonical names, or the user's, the other names said as symlinks."""
    known: dict[DatasetName, DatasetName] = {}

    def name(dataset: DatasetName) -> DatasetName:
        found = known.get(dataset)
        if found is None:
            found = known[dataset] = rename(canonical(dataset.namespace, dataset.name, aliases))
        return found

    names = (*resolution.inputs, *resolution.outputs)

    symlinks = {
        name(dataset): _symlinks(dataset, name(dataset), resolution, kafka) for dataset in names
    }
    return Resolution(  # as replace would make it, in a tenth of its time
        resolution.family,
        inputs=tuple(map(name, resolution.inputs)),
        outputs=tuple(map(name, resolution.outputs)),
        edges=tuple(
            [
                Edge(name(edge.input), name(edge.output), edge.evidence, edge.topic_before)
                for edge in resolution.edges
            ]
        ),
        control=tuple(replace(topic, dataset=name(topic.dataset)) for topic in resolution.control),
        columns=tuple(
            replace(
                column,
                output=name(column.output),
                sources=tuple(
                    replace(source, dataset=name(source.dataset)) for source in column.sources
                ),
            )
            for column in resolution.columns
        ),
        symlinks={dataset: links for dataset, links in symlinks.items() if links},
        schemas={name(dataset): schema for dataset, schema in resolution.schemas.items()},
        open_topics=resolution.open_topics,
        job_name=resolution.job_name,
        unresolved=resolution.unresolved,
        notes=resolution.notes,
    )


def _symlinks(
    told: DatasetName, named: DatasetName, resolution: Resolution, kafka: KafkaName
) -> tuple[Symlink, ...]:
    links = list(resolution.symlinks.get(told, ()))
    if told != named:
        links.append(Symlink(told))
    if kafka.alias and told.namespace == kafka.namespace:
        links.append(Symlink(DatasetName(kafka.alias, told.name), "TOPIC"))
    return tuple(links)


def _as_resolution(told: Resolution | Unresolved) -> Resolution:
    """The same, an unresolved connector as one of which nothing but the reason is known."""
    if isinstance(told, Resolution):
        return told
    return Resolution(told.family, unresolved=(told.reason,), notes=told.notes)


def _direction(connector_type: str) -> Direction:
    return Direction(connector_type) if connector_type in {"source", "sink"} else Direction.UNKNOWN
