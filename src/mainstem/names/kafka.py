"""What Kafka clusters and topics are called."""

from __future__ import annotations

from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import first_host

DEFAULT_PORT = 9092


def cluster_namespace(bootstrap_servers: str) -> str:
    """The namespace of a Kafka cluster, from its bootstrap servers.

    >>> cluster_namespace("SASL_SSL://B1:9092,SASL_SSL://b2:9092")
    'kafka://b1:9092'
    """
    return f"kafka://{first_host(bootstrap_servers, DEFAULT_PORT)}"


def namespace_by_cluster_id(cluster_id: str) -> str:
    """The namespace of a cluster of which nothing but its id is known."""
    return f"kafka://{cluster_id}"


def topic(namespace: str, name: str) -> DatasetName:
    """A topic of the cluster that ``namespace`` names."""
    return DatasetName(namespace, name)
