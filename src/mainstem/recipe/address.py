"""Addresses to listen on, as people write them."""

from __future__ import annotations

LOOPBACK = "127.0.0.1"
HIGHEST_PORT = 65535


def parse_address(value: object) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``, or of a port alone, which is then for this machine alone.

    >>> parse_address("9464"), parse_address("0.0.0.0:9464")
    (('127.0.0.1', 9464), ('0.0.0.0', 9464))
    """
    if isinstance(value, tuple | list):
        value = ":".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
    host, _, port = str(value).rpartition(":")
    if not port.isdecimal() or int(port) > HIGHEST_PORT:
        raise ValueError("must be HOST:PORT or PORT, such as 9464 or 127.0.0.1:9464")
    return host.strip("[]") or LOOPBACK, int(port)
