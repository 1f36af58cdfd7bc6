"""Six ways in which programs call one thing by two names, and so part what belongs together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.lab.checks.graph import Node
from mainstem.lab.scenarios import lake, orders
from mainstem.lab.scenarios.expected import INGESTION, SHOP, Places, counting_edge

if TYPE_CHECKING:
    from mainstem.lab.scenarios.addresses import Addresses
    from mainstem.lab.scenarios.patterns import Pattern
    from mainstem.lab.scenarios.pipeline import Pipeline

LOOPBACK = "localhost"
LISTENER = "PLAINTEXT://"


class Cut(Struct, frozen=True):
    """A dataset that one job calls by another name than everybody else does."""

    kind: str
    job: str
    told_as: Node
    truth: Node

    def __str__(self) -> str:
        return f"{self.kind}: {self.job} says {self.told_as} where others say {self.truth}"


def cuts(at: Addresses, pattern: Pattern) -> tuple[Cut, ...]:
    """Every cut that :func:`misname` makes, written by hand."""
    to = Places(at)
    by_localhost, by_listener, by_port = (
        f"kafka://{address}" for address in (_localhost(at), _prefixed(at), at.second_bootstrap)
    )
    counting, topic, bids = counting_edge(pattern), to.orders_topic, to.bids_topic
    in_catalog = Node(lake.CATALOG, f"{lake.NAMESPACE}.{lake.ORDERS}")
    database = to.orders.namespace
    return (
        Cut("localhost", counting, Node(by_localhost, topic.name), topic),
        Cut("listener", INGESTION, Node(by_listener, topic.name), topic),
        Cut("second address", orders.ALL_TO_S3, Node(by_port, bids.name), bids),
        Cut("catalog", INGESTION, in_catalog, to.lake_orders),
        Cut("database left out", SHOP, Node(database, _without_database(to)), to.orders),
        Cut("case", SHOP, Node(database, to.bids.name.upper()), to.bids),
    )


def misname(pipeline: Pipeline) -> None:
    """Let four programs call things as it comes to their mind; the data flows on."""
    at = pipeline.addresses
    to = Places(at)
    override = {"consumer.override.bootstrap.servers": at.second_bootstrap}
    config = {**orders.CONNECTORS[orders.ALL_TO_S3](at), **override}
    pipeline.connectors.configure(orders.ALL_TO_S3, config)
    pipeline.run_instead(
        generator=pipeline.ordering(
            to.orders.namespace, _without_database(to), to.bids.name.upper()
        ),
        live_analytics=pipeline.counting(_localhost(at)),
        ingestion=pipeline.taking_in("ingestion_misnamed", _prefixed(at)),
    )


def name_rightly(pipeline: Pipeline) -> None:
    """Let everybody call everything by its one name; the shop's application is told from now on."""
    at = pipeline.addresses
    to = Places(at)
    pipeline.add(orders.ALL_TO_S3)
    pipeline.run_instead(
        generator=pipeline.ordering(to.orders.namespace, to.orders.name, to.bids.name),
        live_analytics=pipeline.counting(at.bootstrap),
        ingestion=pipeline.taking_in("ingestion", at.bootstrap),
    )


def _localhost(at: Addresses) -> str:
    return f"{LOOPBACK}:{at.bootstrap.rpartition(':')[2]}"


def _prefixed(at: Addresses) -> str:
    return f"{LISTENER}{at.bootstrap}"


def _without_database(to: Places) -> str:
    return to.orders.name.removeprefix(f"{orders.DATABASE}.")
