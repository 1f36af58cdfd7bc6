"""Where the configs of Redis connectors say the servers are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.resolvers.contact_points import with_port

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

_HOST = ("redis.host", "redis.hostname")
_PORT = ("redis.port", "redis.portnumber")
READS = ("redis.uri", "redis.hosts", *_HOST, *_PORT)


def of(config: Settings) -> str:
    """The servers, from a URI, a list or a host and its port.

    >>> from mainstem.watch.transforms.settings import Settings
    >>> of(Settings({"redis.host": "r1", "redis.port": "6380"}))
    'r1:6380'
    """
    listed = config.first("redis.uri", "redis.hosts")
    return listed or with_port(config.required(*_HOST), config.port(*_PORT))
