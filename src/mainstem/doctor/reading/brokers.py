"""Kafka brokers, asked for nothing but the id of their cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from mainstem.doctor.servers import read_address
from mainstem.names.kafka import DEFAULT_PORT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

    from mainstem.doctor.servers import Server

SECONDS = 5.0
AT_ONCE = 8

Answers = dict[str, str | None]
"""By namespace the id of its cluster; None where nobody answered."""


def ask_brokers(namespaces: Iterable[str], *, loopback: bool) -> Answers:
    """The cluster ids behind Kafka's namespaces, told by the first broker of each.

    Nobody signs in, and a metadata request is all that is sent. ``loopback`` says whether
    ``localhost`` means this machine: whoever told of it may have run on another.
    """
    asked = {
        namespace: server
        for namespace in sorted(set(namespaces))
        if (server := _broker(namespace)) is not None and (loopback or not server.is_loopback)
    }
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(asked, pool.map(_cluster_id, asked.values()), strict=True))


def _broker(namespace: str) -> Server | None:
    address = read_address(namespace)
    if address is None or address.system != "kafka" or address.first.host is None:
        return None
    return address.first


def _cluster_id(server: Server) -> str | None:
    from confluent_kafka import KafkaException  # noqa: PLC0415 - optional
    from confluent_kafka.admin import AdminClient  # noqa: PLC0415 - optional

    client = AdminClient(
        {
            "bootstrap.servers": f"{server.host}:{server.port or DEFAULT_PORT}",
            "client.id": "mainstem-doctor",
            "socket.connection.setup.timeout.ms": int(SECONDS * 1000),
            "socket.timeout.ms": int(SECONDS * 1000),
            "log_level": 0,
        }
    )
    describing = cast(
        "Future[Any]",
        client.describe_cluster(request_timeout=SECONDS),  # pyright: ignore[reportUnknownMemberType]
    )
    try:
        cluster_id: str | None = describing.result(2 * SECONDS).cluster_id
    except (KafkaException, TimeoutError):
        return None
    return cluster_id
