"""What every event of ours carries: who says it, by which schema, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mainstem import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

FACET_HOLDERS = ("facets", "inputFacets", "outputFacets")
FACET_VERSION = "1-0-0"


def producer_of(program: str) -> str:
    """On every event and every facet; a URN, since it names a program and promises no address."""
    return f"urn:mainstem:{program}:{__version__}"


def facet_schema_url(name: str) -> str:
    """The ``_schemaURL`` of a facet of our own.

    >>> facet_schema_url("MainstemConnectorRunFacet")
    'urn:mainstem:facets:1-0-0:MainstemConnectorRunFacet'
    """
    return f"urn:mainstem:facets:{FACET_VERSION}:{name}"


def timestamp(time: datetime) -> str:
    """The event time as OpenLineage writes it, in milliseconds and UTC."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sign(event: dict[str, Any], producer: str) -> dict[str, Any]:
    """The same event with our ``producer`` on it and on every facet in it.

    The official client would put its own there, and only a change of its global would stop it.
    """
    event["producer"] = producer
    for facet in _facets_in(event):
        facet["_producer"] = producer
    return event


def _facets_in(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in ("run", "job", "inputs", "outputs"):
        holder = event.get(part, [])
        for thing in cast("list[dict[str, Any]]", holder if isinstance(holder, list) else [holder]):
            for kind in FACET_HOLDERS:
                yield from thing.get(kind, {}).values()
