"""Server lists whose port stands in a key of its own."""

from __future__ import annotations


def with_port(hosts: str, port: str | None) -> str:
    """The hosts, each with the port unless it has one.

    >>> with_port("c1, c2:9142", "9043")
    'c1:9043,c2:9142'
    """
    if port is None:
        return hosts
    named = [host.strip() for host in hosts.split(",") if host.strip()]
    return ",".join(host if ":" in host else f"{host}:{port}" for host in named)
