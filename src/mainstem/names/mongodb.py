"""What MongoDB's collections are called, from a connection string or a list of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName

_SRV = "mongodb+srv"


def collection(address: str, database: str, name: str) -> DatasetName:
    """A collection; user info and options of the connection string are dropped.

    >>> collection("mongodb://u:p@M1,m2:27018/?replicaSet=rs0", "shop", "orders")
    DatasetName(namespace='mongodb://m1:27017,m2:27018', name='shop.orders')
    >>> collection("mongodb+srv://u:p@c0.abc.mongodb.net", "shop", "orders").namespace
    'mongodb+srv://c0.abc.mongodb.net'
    """
    system = _SRV if address.strip().startswith(f"{_SRV}://") else "mongodb"
    return on_server(system, address, database, name)
