"""Every transport type that a configuration may name, and what makes its destination."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from mainstem.errors import BadRecipe
from mainstem.outbox.configuration import read_configuration
from mainstem.outbox.destinations.composite import Part, Tie, flatten
from mainstem.outbox.destinations.group import FirstOf, InSequence
from mainstem.outbox.section import Section

if TYPE_CHECKING:
    from mainstem.outbox.configuration import Configuration
    from mainstem.outbox.destinations.protocol import Destination

Builder = Callable[[str, Section], "Destination"]

_HERE = "mainstem.outbox.destinations"
# By module name, imported on use: nobody waits for an HTTP or Kafka client that is not configured.
MODULES: Mapping[str, str] = {
    "async_http": f"{_HERE}.http_settings",
    "console": f"{_HERE}.console",
    "file": f"{_HERE}.file_settings",
    "http": f"{_HERE}.http_settings",
    "kafka": f"{_HERE}.kafka_settings",
    "noop": f"{_HERE}.noop",
}


def destinations_from_configuration(
    configuration: Configuration | None = None,
) -> tuple[Destination, ...]:
    """The destinations that the official client's configuration asks for; opens none of them.

    Raises:
        BadRecipe: with every mistake: key, value, and what is allowed.
    """
    read = configuration or read_configuration()
    mistakes: list[str] = []
    parts = flatten(Section("transport", read.transport, mistakes))
    destinations = tuple(_build(part) for part in parts)
    if mistakes:
        raise BadRecipe(read.where, mistakes)
    return destinations


def _build(part: Part) -> Destination:
    members = tuple(_build(member) for member in part.members)
    match part.tie:
        case Tie.FIRST_OF:
            return FirstOf(part.name, members)
        case Tie.IN_SEQUENCE:
            return InSequence(part.name, members)
        case Tie.NONE:
            module = MODULES.get(part.section.text("type"), f"{_HERE}.official")
            build: Builder = import_module(module).build
            return build(part.name, part.section)
