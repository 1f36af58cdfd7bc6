"""The connectors of a plan, held against each other, a live cluster and a backend's graph."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from mainstem.cli.explain import connector_in, documents_of, no_connector
from mainstem.errors import BadRecipe
from mainstem.watch.loop.kafka_name import UNKNOWN
from mainstem.watch.loop.resolving import in_one_name
from mainstem.watch.preview.parties import Party
from mainstem.watch.preview.planning import Finding, Kind, Plan, Today, plan_of
from mainstem.watch.resolvers import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.cli.explain_where import Where
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.loop.kafka_name import KafkaName
    from mainstem.watch.loop.settings import ClusterSettings
    from mainstem.watch.loop.single import Seen
    from mainstem.watch.preview.backend import BackendGraph
    from mainstem.watch.resolvers.model import Connector, Resolution


class Given(NamedTuple):
    """What is planned, and the live cluster that it is meant for."""

    planned: list[tuple[Connector, Resolution]]
    seen: Seen | None


def planned_in(source: str, where: Where, settings: ClusterSettings | None) -> Given:
    """Each connector of a file and its lineage, in the names of the cluster it is meant for."""
    documents = _connectors_of(source)
    if settings is None:
        kafka = where.kafka_name()
        connectors = [connector_in(document, kafka) for document in documents]
        return Given([(one, in_one_name(resolve(one))) for one in connectors], None)
    from mainstem.watch.loop.single import look_at_all

    seen = look_at_all(settings)
    connectors = [_on_cluster(document, settings, seen.kafka) for document in documents]
    return Given([(one, _in_names_of(settings, seen.kafka, one)) for one in connectors], seen)


def _connectors_of(source: str) -> list[object]:
    """The entries of a file, which are connectors, every one."""
    documents: list[object] = documents_of(source)
    mistakes = [
        f"{number}: {mistake}" if len(documents) > 1 else mistake
        for number, document in enumerate(documents, start=1)
        if (mistake := no_connector(document))
    ]
    if mistakes or not documents:
        raise BadRecipe(source, mistakes or ["holds no connector"])
    return documents


def _on_cluster(document: object, settings: ClusterSettings, kafka: KafkaName) -> Connector:
    """With what the recipe says of it."""
    from mainstem.watch.transforms.spelling import with_worker_s

    connector = connector_in(document, kafka)
    return replace(
        connector,
        config=with_worker_s(connector.config, settings.worker_properties),
        provided={**settings.provided(connector.config), **connector.provided},
        declared=settings.declaration(connector.name),
    )


def _in_names_of(settings: ClusterSettings, kafka: KafkaName, connector: Connector) -> Resolution:
    from mainstem.watch.loop.resolving import with_one_name

    told = in_one_name(resolve(connector))
    rename = partial(settings.renamed, connector.name)
    return with_one_name(told, kafka, settings.aliases, rename)


class Comparison:
    """What is known of the world as it is, for each connector that is planned."""

    def __init__(self, given: Given, graph: BackendGraph | None, namespace: str | None) -> None:
        self._planned = given.planned
        self._names = [connector.name for connector, _ in given.planned]
        self._live = _datasets_on(given.seen)
        self._graph = graph
        self._namespace = namespace

    def plans(self) -> list[Plan]:
        """A plan for each."""
        return [self._plan(connector, told) for connector, told in self._planned]

    def _plan(self, connector: Connector, told: Resolution) -> Plan:
        today = self._today(connector.name, told)
        writers = {dataset: set(parties) for dataset, parties in today.writers.items()}
        for name, dataset in self._written_by_others(connector.name):
            writers.setdefault(dataset, set()).add(Party(name))
        there = {dataset for _, both in self._live.values() for dataset in both}
        known = replace(
            today,
            writers={dataset: frozenset(parties) for dataset, parties in writers.items()},
            there=frozenset(_on_known_kafka(there)),
        )
        plan = plan_of(connector, told, known)
        twice = self._findings_about_twins(connector.name)
        return replace(plan, findings=(*plan.findings, *twice))

    def _findings_about_twins(self, name: str) -> Iterator[Finding]:
        if name and self._names.count(name) > 1:
            yield Finding(Kind.NAMING, f"{self._names.count(name)} connectors are called {name}")

    def _written_by_others(self, planned: str) -> Iterator[tuple[str, DatasetName]]:
        """By connectors of the live cluster that are not planned, and by the other planned ones."""
        for name, (outputs, _) in self._live.items():
            if name not in self._names:
                yield from ((name, dataset) for dataset in _on_known_kafka(outputs))
        for connector, told in self._planned:
            if connector.name != planned:
                yield from ((connector.name, dataset) for dataset in told.outputs)

    def _today(self, name: str, told: Resolution) -> Today:
        if self._graph is None:
            return Today()
        job = self._job(self._graph, name) if name else None
        written = (*told.outputs, *(topic.dataset for topic in told.control))
        return self._graph.today(job, _on_known_kafka(written))

    def _job(self, graph: BackendGraph, name: str) -> Party | None:
        """The one that the connector is today; which of several is for the user to say."""
        if self._namespace is not None:
            return graph.job_of(self._namespace, name)
        jobs = graph.jobs_of(name)
        if len(jobs) > 1:
            listed = ", ".join(str(job.namespace) for job in jobs)
            raise BadRecipe("--namespace", [f"is needed: {name} is a job of each of {listed}"])
        return jobs[0] if jobs else None


def _datasets_on(
    seen: Seen | None,
) -> dict[str, tuple[tuple[DatasetName, ...], tuple[DatasetName, ...]]]:
    """By connector, what it writes, and all that it touches."""
    connectors = seen.connectors if seen else {}
    return {
        name: (told.outputs, (*told.inputs, *told.outputs))
        for name, (_, told) in connectors.items()
    }


def _on_known_kafka(datasets: Iterable[DatasetName]) -> Iterator[DatasetName]:
    """Of an unknown Kafka nobody can say whether it is the same as another."""
    return (dataset for dataset in datasets if dataset.namespace != UNKNOWN)
