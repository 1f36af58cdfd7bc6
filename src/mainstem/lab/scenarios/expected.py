"""What the lineage of the pipeline must be, written by hand: datasets, edges, columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.lab.checks.graph import ColumnEdge, Edge, Graph, Node
from mainstem.lab.scenarios import lake, orders
from mainstem.lab.scenarios.generator import BID_COLUMNS, ORDER_COLUMNS
from mainstem.lab.scenarios.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.lab.scenarios.addresses import Addresses

STATISTICS = "supplier-stats"
LIVE_ANALYTICS = f"live-analytics.{STATISTICS}"
INGESTION = "ingestion.orders"
SUMMARY_APPLICATION = "summary"
SUMMARY = f"{SUMMARY_APPLICATION}.overwrite.supplier_stats"
SHOP = "shop-application"
"""Who writes the tables that everything begins with; told only after ``break names``."""
COUNTING_BY_AGENT = "live_analytics.write_to_data_source_v2"


def counting_job(pattern: Pattern) -> str:
    """What the job that counts is called by who tells of it."""
    return "live_analytics" if pattern is Pattern.LISTENER else LIVE_ANALYTICS


def counting_edge(pattern: Pattern) -> str:
    """What the job is called of which the edges of the counting are told."""
    return COUNTING_BY_AGENT if pattern is Pattern.LISTENER else LIVE_ANALYTICS


def expected(at: Addresses, pattern: Pattern = Pattern.MAINSTEM) -> Graph:
    """The whole graph of a lab that has come through every step.

    OpenLineage's agent calls the streams of an application by one name and tells no column of
    them. A catalog that is a database it takes for Hive's, and tells nothing of its tables. What it
    does tell has the name that all others give it.
    """
    to = Places(at)
    columns = _columns(to)
    if pattern is Pattern.LISTENER:
        silent = (to.statistics, to.lake_statistics)
        columns = (column for column in columns if column.target not in silent)
    return Graph.of(expected_edges(at, pattern), columns)


def expected_edges(at: Addresses, pattern: Pattern = Pattern.MAINSTEM) -> tuple[Edge, ...]:
    """From which dataset each job makes which, in the direction of the data."""
    edges = _every_edge(at)
    if pattern is Pattern.LISTENER:
        return tuple(
            replace(edge, job=counting_edge(pattern)) if edge.job == LIVE_ANALYTICS else edge
            for edge in edges
            if edge.job != SUMMARY
        )
    return edges


def _every_edge(at: Addresses) -> tuple[Edge, ...]:
    to = Places(at)
    return (
        Edge(to.orders, orders.SOURCE, to.orders_topic),
        Edge(to.bids, orders.SOURCE, to.bids_topic),
        Edge(to.orders_topic, orders.ORDERS_TO_S3, to.orders_archive),
        Edge(to.orders_topic, orders.ALL_TO_S3, to.shop_archive),
        Edge(to.bids_topic, orders.ALL_TO_S3, to.shop_archive),
        Edge(to.orders_topic, orders.ORDERS_TO_ICEBERG, to.lake_by_connect),
        Edge(to.orders_topic, LIVE_ANALYTICS, to.statistics),
        Edge(to.orders_topic, INGESTION, to.lake_orders),
        Edge(to.lake_orders, SUMMARY, to.lake_statistics),
    )


def sources(at: Addresses) -> tuple[Node, Node]:
    """Where everything begins."""
    to = Places(at)
    return to.orders, to.bids


class Places:
    """Every dataset by its one name, whoever tells it."""

    def __init__(self, at: Addresses) -> None:
        database = f"postgres://{at.postgres_host}:{at.postgres_port}"
        cluster = f"kafka://{at.bootstrap}"
        self.orders = Node(database, orders.ORDERS)
        self.bids = Node(database, orders.BIDS)
        self.orders_topic = Node(cluster, orders.ORDERS)
        self.bids_topic = Node(cluster, orders.BIDS)
        self.statistics = Node(cluster, STATISTICS)
        self.orders_archive = Node(f"s3://{orders.ORDERS_BUCKET}", "/")
        self.shop_archive = Node(f"s3://{orders.ALL_BUCKET}", "/")
        self.lake_by_connect = _table(lake.ORDERS_BY_CONNECT)
        self.lake_orders = _table(lake.ORDERS)
        self.lake_statistics = _table(lake.SUPPLIER_STATS)


def _table(name: str) -> Node:
    return Node(f"s3://{lake.BUCKET}", f"{lake.FOLDER}/{lake.NAMESPACE}/{name}")


def _columns(to: Places) -> Iterator[ColumnEdge]:
    yield from _same(to.orders, to.orders_topic, ORDER_COLUMNS)
    yield from _same(to.bids, to.bids_topic, BID_COLUMNS)
    yield ColumnEdge(to.orders, "order_id", to.orders_topic, "$key")
    yield ColumnEdge(to.bids, "order_id", to.bids_topic, "$key")
    yield from _same(to.orders_topic, to.lake_by_connect, ORDER_COLUMNS)
    yield from _same(to.orders_topic, to.lake_orders, ORDER_COLUMNS)
    statistics = {
        "$key": "supplier",
        "supplier": "supplier",
        "total_price": "price",
        "window_start": "bid_time",
        "window_end": "bid_time",
    }
    for made, source in statistics.items():
        yield ColumnEdge(to.orders_topic, source, to.statistics, made)
    summary = {"hour": "bid_time", "supplier": "supplier", "total_price": "price"}
    for made, source in summary.items():
        yield ColumnEdge(to.lake_orders, source, to.lake_statistics, made)


def _same(source: Node, target: Node, fields: tuple[str, ...]) -> Iterator[ColumnEdge]:
    return (ColumnEdge(source, field, target, field) for field in fields)
