"""What MongoDB's collections are called, from a connection string or a list of hosts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.hosts import without_credentials
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
    scheme, mark, rest = address.strip().partition("://")
    if mark and scheme not in ("mongodb", _SRV):
        raise CannotTell("the connection string is no address of MongoDB")
    # An option's value may hold commas, which would be taken for more servers.
    servers = re.split("[/?]", without_credentials(rest if mark else address), maxsplit=1)[0]
    return on_server(_SRV if mark and scheme == _SRV else "mongodb", servers, database, name)
