"""Customers and bidders: an order every other second, and a bid for it, for ever.

Run as ``python -m mainstem.lab.scenarios.generator DSN [NAMESPACE ORDERS BIDS]``; the last are the
names by which its tables are told, if they are.
"""

from __future__ import annotations

import random
import sys
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

SECONDS_BETWEEN = 2.0
GOODS = (("lamp", 24.90), ("kettle", 31.50), ("chair", 89.00), ("table", 149.00))
SUPPLIERS = ("Northlight", "Hearth", "Oak")
ORDER_COLUMNS = ("order_id", "item", "price", "supplier", "bid_time")
BID_COLUMNS = ("bid_id", "order_id", "price", "supplier", "bid_time")
_ORDER = """
    INSERT INTO orders (item, price, supplier, bid_time) VALUES (%s, %s, %s, now())
    RETURNING order_id
"""
_BID = "INSERT INTO bids (order_id, price, supplier, bid_time) VALUES (%s, %s, %s, now())"


class Generator(Service):
    """The generator as a process of its own."""

    name = "generator"

    def __init__(
        self, directory: Path, dsn: str, environment: Mapping[str, str], told_as: Sequence[str] = ()
    ) -> None:
        super().__init__(directory)
        self._dsn = dsn
        self._environment = environment
        self._told_as = told_as

    def prepare(self) -> None:
        """Nothing to write."""

    def command(self) -> Sequence[str | Path]:
        """This module as a program."""
        return [sys.executable, "-m", __name__, self._dsn, *self._told_as]

    def environment(self) -> Mapping[str, str]:
        """Ours, with the lab's destination."""
        return self._environment

    def is_ready(self) -> bool:
        """At once: it waits for its database itself."""
        return True


def insert_order(dsn: str, item: str) -> int:
    """One more order in the table, and a bid for it; the order's number."""
    import psycopg

    _, price = random.choice(GOODS)  # noqa: S311
    supplier = random.choice(SUPPLIERS)  # noqa: S311
    with psycopg.connect(dsn, connect_timeout=5) as session:
        (order,) = session.execute(_ORDER, (item, price, supplier)).fetchone() or (0,)
        session.execute(_BID, (order, round(price * 0.9, 2), supplier))
    return order


def main(dsn: str, *told_as: str) -> None:
    """Insert until the process is ended; a database that is away is waited for."""
    import psycopg

    with _told(*told_as) if told_as else nullcontext():
        while True:
            item, _ = random.choice(GOODS)  # noqa: S311
            try:
                insert_order(dsn, item)
            except psycopg.OperationalError as error:
                print(f"waiting for the database: {error}", file=sys.stderr)  # noqa: T201
            time.sleep(SECONDS_BETWEEN)


def _told(namespace: str, orders: str, bids: str) -> AbstractContextManager[None]:
    from mainstem.lab.jobs.shop import telling

    return telling(namespace, {orders: ORDER_COLUMNS, bids: BID_COLUMNS})


if __name__ == "__main__":
    main(*sys.argv[1:])
