"""What the jobs of Kafka Connect and Spark are called."""

from __future__ import annotations


def connect_namespace(cluster_name: str) -> str:
    """The job namespace of a Connect cluster, where the user names no other.

    >>> connect_namespace("prod")
    'kafka-connect://prod'
    """
    return f"kafka-connect://{cluster_name}"


def child_job(connector: str, dataset_or_topic: str) -> str:
    """The job of one data set under its connector's, where jobs are told per data set.

    >>> child_job("orders-sink", "orders")
    'orders-sink:orders'
    """
    return f"{connector}:{dataset_or_topic}"


def spark_job(application: str, part: str) -> str:
    """The job of one query, write or step of a Spark application.

    >>> spark_job("orders", "enrich")
    'orders.enrich'
    """
    return f"{application}.{part}"
