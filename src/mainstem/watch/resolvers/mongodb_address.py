"""Where the config of MongoDB's own connectors says the servers are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

READS = ("connection.uri", "connection.host", "mongodb.instance.type")


def of(config: Settings) -> str:
    """The connection string, or for a managed connector the one made of its host.

    >>> from mainstem.watch.transforms.settings import Settings
    >>> of(Settings({"connection.host": "c0.abc.mongodb.net"}))
    'mongodb+srv://c0.abc.mongodb.net'
    """
    host = config.first("connection.host")
    if config.first("connection.uri") or host is None:
        return config.required("connection.uri", "connection.host")
    self_managed = "SELF_MANAGED" in config.text("mongodb.instance.type", "")
    return host if "://" in host or self_managed else f"mongodb+srv://{host}"
