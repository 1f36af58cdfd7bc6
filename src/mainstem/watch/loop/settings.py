"""From a recipe's cluster to what the loop works with."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import BadRecipe
from mainstem.names.dataset import DatasetName
from mainstem.names.identity import Aliases
from mainstem.names.platforms import platform_of, with_instance
from mainstem.recipe.model import EVERY_NAME, SchemaRegistry
from mainstem.watch.connect.client import ConnectAccess
from mainstem.watch.connect.converters import read_converters
from mainstem.watch.connect.properties import parse_properties
from mainstem.watch.connect.providers import Providers
from mainstem.watch.connect.secret import Secret
from mainstem.watch.loop.kafka_name import KafkaName, name_kafka
from mainstem.watch.loop.topic_questions import RegistrySettings
from mainstem.watch.resolvers.model import Declaration
from mainstem.watch.runs.model import Policy, Telling
from mainstem.watch.schema_registry.access import KafkaAccess, RegistryAccess, Trust
from mainstem.watch.schema_registry.client import Limits
from mainstem.watch.schema_registry.last_records import client_mistake

if TYPE_CHECKING:
    from collections.abc import Mapping

    import regex
    from pydantic import SecretStr

    from mainstem.recipe import Cluster, Recipe
    from mainstem.recipe.model import DatasetRef, Patterns
    from mainstem.watch.connect.converters import Converters


class ClusterSettings(Struct, frozen=True):
    """One cluster of the recipe, ready to be watched."""

    cluster: Cluster
    job_namespace: str
    access: ConnectAccess
    policy: Policy
    aliases: Aliases
    worker_properties: Mapping[str, str]
    environment_bootstrap: str | None
    providers: Providers
    registry: RegistrySettings
    at_most: int | None = None
    """How many connectors are looked at; None: all."""

    def watches(self, connector: str) -> bool:
        """Whether the recipe's patterns let this connector through."""
        return lets_through(self.cluster.connectors, connector)

    def kafka_name(self, cluster_id: str | None) -> KafkaName:
        """What the Kafka under this cluster is called, by the best that tells."""
        kafka = self.cluster.kafka
        return name_kafka(
            kafka.bootstrap if kafka else None,
            self.worker_properties,
            self.environment_bootstrap,
            cluster_id,
            self.cluster.name,
        )

    def provided(self, config: Mapping[str, str]) -> dict[str, str]:
        """The values of a config's placeholders, from where the recipe lets them be read."""
        return {**self.providers.values(config), **self.cluster.provided_configs}

    def declaration(self, connector: str) -> Declaration:
        """The user's own word about a connector."""
        declared = self.cluster.declared.get(connector)
        if declared is None:
            return Declaration()
        return Declaration(
            inputs=tuple(map(_name, declared.inputs)),
            outputs=tuple(map(_name, declared.outputs)),
            edges=tuple((_name(edge.input), _name(edge.output)) for edge in declared.edges),
            sources=tuple(map(_name, declared.sources)),
            targets=tuple(map(_name, declared.targets)),
            topics=declared.topics,
        )

    def renamed(self, connector: str, dataset: DatasetName) -> DatasetName:
        """What a connector's dataset is called by the recipe's names for platforms."""
        cluster = self.cluster
        platform = platform_of(dataset.namespace)
        own = cluster.connect_to_platform_map.get(connector, {})
        instance = own.get(platform) or cluster.platform_instance_map.get(platform)
        namespace = with_instance(dataset.namespace, instance) if instance else dataset.namespace
        lower = cluster.convert_lineage_urns_to_lowercase
        return DatasetName(namespace, dataset.name.lower() if lower else dataset.name)


def lets_through(patterns: Patterns, connector: str) -> bool:
    """Whether patterns let a connector through."""
    allowed = patterns.allow == EVERY_NAME or any(
        _compiled(pattern).fullmatch(connector) for pattern in patterns.allow
    )
    denied = (_compiled(pattern).fullmatch(connector) for pattern in patterns.deny)
    return allowed and not any(denied)


@cache
def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex  # noqa: PLC0415 - only recipes with patterns pay for it

    return regex.compile(pattern)


def settings_of(
    recipe: Recipe, cluster: Cluster, environment: Mapping[str, str]
) -> ClusterSettings:
    """Everything about one cluster, read from the recipe, its files and the environment."""
    namespaces = [
        (canonical, other) for canonical, others in recipe.namespaces.items() for other in others
    ]
    worker_properties = _worker_properties(cluster)
    return ClusterSettings(
        cluster=cluster,
        job_namespace=cluster.job_namespace
        or environment.get("OPENLINEAGE_NAMESPACE")
        or cluster.namespace(),
        access=_access(cluster),
        policy=Policy(cluster.heartbeat, cluster.grace, Telling(cluster.on_delete)),
        aliases=Aliases(namespaces=namespaces),
        worker_properties=worker_properties,
        environment_bootstrap=environment.get("KAFKA_BOOTSTRAP"),
        providers=Providers(cluster.providers.file, cluster.providers.env, environment),
        registry=_registry(
            cluster.schema_registry or recipe.schema_registry or SchemaRegistry(),
            read_converters(worker_properties, cluster.provided_configs),
            _kafka(cluster),
        ),
    )


def _kafka(cluster: Cluster) -> KafkaAccess | None:
    """How topics may be read, where the recipe gives a client for it."""
    kafka = cluster.kafka
    if kafka is None or kafka.client is None:
        return None
    given = {key: Secret(value.get_secret_value()) for key, value in kafka.client.items()}
    access = KafkaAccess(kafka.bootstrap, tuple(sorted(given.items())), kafka.refresh)
    if mistake := client_mistake(access):
        raise BadRecipe(f"clusters.{cluster.name}.kafka.client", [mistake])
    return access


def _access(cluster: Cluster) -> ConnectAccess:
    return ConnectAccess(
        urls=cluster.urls,
        username=cluster.username,
        password=_secret(cluster.password),
        bearer=_secret(cluster.bearer),
        ca_file=str(cluster.ca_file) if cluster.ca_file else None,
        client_certificate=_certificate(cluster),
        verify=cluster.verify,
    )


def _registry(
    part: SchemaRegistry, worker: Converters, kafka: KafkaAccess | None
) -> RegistrySettings:
    access = RegistryAccess(
        urls=part.urls,
        username=part.username,
        password=_secret(part.password),
        bearer=_secret(part.bearer),
        ca_file=str(part.ca_file) if part.ca_file else None,
        client_certificate=_certificate(part),
        verify=part.verify,
    )
    return RegistrySettings(
        trust=Trust(access if part.urls else None, part.hosts, kafka),
        worker=worker,
        subjects=tuple(sorted(part.subjects.items())),
        limits=Limits(seconds=part.timeout.total_seconds()),
        questions_per_look=part.questions_per_look,
    )


def _secret(value: SecretStr | None) -> Secret | None:
    return Secret(value.get_secret_value()) if value else None


def _certificate(part: Cluster | SchemaRegistry) -> tuple[str, str] | None:
    if part.client_certificate is None:
        return None
    return str(part.client_certificate), str(part.client_key or part.client_certificate)


def _worker_properties(cluster: Cluster) -> dict[str, str]:
    if cluster.worker_properties is None:
        return {}
    try:
        return parse_properties(cluster.worker_properties.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        where = f"clusters.{cluster.name}.worker_properties"
        raise BadRecipe(where, [f"{cluster.worker_properties}: cannot be read: {error}"]) from error


def _name(reference: DatasetRef) -> DatasetName:
    return DatasetName(reference.namespace, reference.name)
