"""Kafka brokers, asked for nothing but the id of their cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from mainstem.doctor.servers import read_address
from mainstem.names.kafka import DEFAULT_PORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Future

    from mainstem.doctor.servers import Server

SECONDS = 5.0
AT_ONCE = 8


def brokers_in(namespaces: Iterable[str]) -> dict[str, Server]:
    """The first broker of every namespace that names one."""
    read = {one: read_address(one) for one in namespaces}
    return {
        one: address.first
        for one, address in sorted(read.items())
        if address is not None and address.system == "kafka" and address.first.host is not None
    }


def ask_brokers(brokers: Mapping[str, Server]) -> dict[str, str]:
    """The cluster ids of brokers that answer; nobody signs in, and nothing else is asked."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = zip(brokers, pool.map(_cluster_id, brokers.values()), strict=True)
        return {namespace: found for namespace, found in answers if found is not None}


def _cluster_id(server: Server) -> str | None:
    from confluent_kafka import KafkaException  # noqa: PLC0415 - optional
    from confluent_kafka.admin import AdminClient  # noqa: PLC0415 - optional

    settings: dict[str, str | int | float | bool] = {
        "bootstrap.servers": f"{server.host}:{server.port or DEFAULT_PORT}",
        "client.id": "mainstem-doctor",
        "log_level": 0,
    }
    try:
        client = AdminClient(settings)  # held: a question dies with the client that asked it
        describing = cast(
            "Future[Any]",
            client.describe_cluster(  # pyright: ignore[reportUnknownMemberType]
                request_timeout=SECONDS
            ),
        )
        cluster_id: str | None = describing.result(2 * SECONDS).cluster_id
    except (KafkaException, TimeoutError):
        return None
    return cluster_id
