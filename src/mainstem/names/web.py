"""HTTP endpoints: the server is the namespace, the path the name; no query, no user info."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority

_URL = re.compile(r"(https?)://([^/?#]+)([^?#&;]*)", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


def http_endpoint(url: str) -> DatasetName:
    """What an HTTP URL points at.

    >>> http_endpoint("https://u:p@API.acme.test/v1/orders?key=1")
    DatasetName(namespace='https://api.acme.test:443', name='/v1/orders')
    """
    found = _URL.match(url.strip())
    if found is None:
        raise CannotTell("the address is not an HTTP URL")
    scheme = found[1].lower()
    if "@" in found[3]:
        # A slash in a password that should have been encoded moves its rest into the path.
        raise CannotTell("the URL holds an @ behind its host")
    return DatasetName(f"{scheme}://{authority(found[2], _PORTS[scheme])}", found[3] or "/")
