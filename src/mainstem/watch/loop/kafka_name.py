"""What the Kafka under a Connect cluster is called; its REST does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names.kafka import cluster_namespace, namespace_by_cluster_id

if TYPE_CHECKING:
    from collections.abc import Mapping

_OVERRIDES = {
    "source": "producer.override.bootstrap.servers",
    "sink": "consumer.override.bootstrap.servers",
}


UNKNOWN = "kafka://unknown"
"""Some cluster, and nobody knows which; better than the name of a wrong one."""


class KafkaName(Struct, frozen=True):
    """The namespace of a Kafka cluster, its other name, and how sure that is."""

    namespace: str
    alias: str | None = None
    """By the cluster's id, where the cluster has a better name than that."""

    note: str | None = None


def name_kafka(
    recipe_bootstrap: str | None,
    worker_properties: Mapping[str, str],
    environment_bootstrap: str | None,
    cluster_id: str | None,
    connect_name: str,
) -> KafkaName:
    """The name by the first that tells: recipe, worker's file, environment, the cluster's id."""
    by_id = namespace_by_cluster_id(cluster_id) if cluster_id else None
    for bootstrap in (
        recipe_bootstrap,
        worker_properties.get("bootstrap.servers"),
        environment_bootstrap,
    ):
        if bootstrap:
            return KafkaName(cluster_namespace(bootstrap), alias=by_id)
    note = (
        "the Kafka cluster is called by its id, since nothing tells its address; "
        "set kafka.bootstrap in the recipe, --kafka, or KAFKA_BOOTSTRAP"
    )
    return KafkaName(by_id or f"kafka://{connect_name}", note=note)


def overrides_kafka(config: Mapping[str, str], connector_type: str) -> bool:
    """Whether the connector's own client goes to another address than its worker's."""
    return bool(config.get(_OVERRIDES.get(connector_type, "")))


def name_for_connector(
    config: Mapping[str, str], connector_type: str, cluster: KafkaName
) -> KafkaName:
    """The connector's own client override where it has one, else the cluster's name."""
    override = config.get(_OVERRIDES.get(connector_type, ""))
    if not override:
        return cluster
    try:
        return KafkaName(cluster_namespace(override))
    except CannotTell:
        return KafkaName(
            UNKNOWN,
            note="the connector overrides the address of its Kafka with something that cannot be "
            "read, such as a placeholder; give its value in provided_configs",
        )
