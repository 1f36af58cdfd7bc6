"""Who says it and by which schema: the watcher's own ``producer`` and facet schemas."""

from __future__ import annotations

from importlib.resources import files

from mainstem.names.signature import producer_of

PRODUCER = producer_of("watch")


def facet_schema(name: str) -> str:
    """The JSON Schema of a facet of our own, as shipped in the package."""
    return files("mainstem.watch.events").joinpath("schemas", f"{name}.json").read_text("utf-8")
