"""Who writes or reads a dataset, each told once and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.names.jobs import child_job, connect_namespace

if TYPE_CHECKING:
    from collections.abc import Collection

CONNECT = connect_namespace("")
"""What the job namespaces of Connect clusters begin with, where the user names no other."""


class Party(Struct, frozen=True):
    """A job of a backend, or a connector of a live cluster or of the file that is planned."""

    name: str
    namespace: str | None = None
    """None: a connector, whatever its job namespace is."""

    def __str__(self) -> str:
        if self.namespace is None:
            return f"connector {self.name}"
        return f"job {self.name} of {self.namespace}"


def told_once(parties: Collection[Party]) -> list[Party]:
    """Without jobs per dataset beside their connector's, and without connectors beside their job.

    >>> [str(one) for one in told_once({Party("a"), Party("a", "kafka-connect://prod")})]
    ['job a of kafka-connect://prod']
    """
    connectors = {one.name for one in parties if (one.namespace or "").startswith(CONNECT)}
    left = (
        one
        for one in parties
        if not (one.name in connectors if one.namespace is None else _has_its_parent(one, parties))
    )
    return sorted(left, key=str)


def is_below(one: Party, connector: Party) -> bool:
    """Whether it is one of the connector's own jobs per dataset."""
    return one.namespace == connector.namespace and one.name.startswith(
        child_job(connector.name, "")
    )


def _has_its_parent(one: Party, parties: Collection[Party]) -> bool:
    return any(is_below(one, other) for other in parties)
