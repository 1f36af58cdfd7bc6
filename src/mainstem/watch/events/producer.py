"""Who says it and by which schema: the one place for ``producer`` and our own ``_schemaURL``."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from mainstem import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

PRODUCER = f"urn:mainstem:watch:{__version__}"
"""On every event and every facet; a URN, since it names a program and promises no address."""

FACET_HOLDERS = ("facets", "inputFacets", "outputFacets")
FACET_VERSION = "1-0-0"


def facet_schema_url(name: str) -> str:
    """The ``_schemaURL`` of a facet of our own.

    >>> facet_schema_url("MainstemConnectorRunFacet")
    'urn:mainstem:facets:1-0-0:MainstemConnectorRunFacet'
    """
    return f"urn:mainstem:facets:{FACET_VERSION}:{name}"


def facet_schema(name: str) -> str:
    """The JSON Schema of a facet of our own, as shipped in the package."""
    return files("mainstem.watch.events").joinpath("schemas", f"{name}.json").read_text("utf-8")


def sign(event: dict[str, Any]) -> dict[str, Any]:
    """The same event with our ``producer`` on it and on every facet in it.

    The official client would put its own there, and only a change of its global would stop it.
    """
    event["producer"] = PRODUCER
    for facet in _facets_in(event):
        facet["_producer"] = PRODUCER
    return event


def _facets_in(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in ("run", "job", "inputs", "outputs"):
        holder = event.get(part, [])
        for thing in cast("list[dict[str, Any]]", holder if isinstance(holder, list) else [holder]):
            for kind in FACET_HOLDERS:
                yield from thing.get(kind, {}).values()
