"""Customers and bidders: an order every other second, and a bid for it, for ever.

Run as ``python -m mainstem.lab.scenarios.generator DSN``.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SECONDS_BETWEEN = 2.0
GOODS = (("lamp", 24.90), ("kettle", 31.50), ("chair", 89.00), ("table", 149.00))
SUPPLIERS = ("Northlight", "Hearth", "Oak")
_ORDER = """
    INSERT INTO orders (item, price, supplier, bid_time) VALUES (%s, %s, %s, now())
    RETURNING order_id
"""
_BID = "INSERT INTO bids (order_id, price, supplier, bid_time) VALUES (%s, %s, %s, now())"


class Generator(Service):
    """The generator as a process of its own."""

    name = "generator"

    def __init__(self, directory: Path, dsn: str) -> None:
        super().__init__(directory)
        self._dsn = dsn

    def prepare(self) -> None:
        """Nothing to write."""

    def command(self) -> Sequence[str | Path]:
        """This module as a program."""
        return [sys.executable, "-m", __name__, self._dsn]

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


def main(dsn: str) -> None:
    """Insert until the process is ended; a database that is away is waited for."""
    import psycopg

    while True:
        item, _ = random.choice(GOODS)  # noqa: S311
        try:
            insert_order(dsn, item)
        except psycopg.OperationalError as error:
            print(f"waiting for the database: {error}", file=sys.stderr)  # noqa: T201
        time.sleep(SECONDS_BETWEEN)


if __name__ == "__main__":
    main(sys.argv[1])
