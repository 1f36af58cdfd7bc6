"""The ``composite`` transport: several destinations at once, each with a record of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from mainstem.outbox.section import Section

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Part:
    """One transport of the configuration under the name its delivery record is kept under."""

    name: str
    section: Section


def flatten(section: Section) -> tuple[Part, ...]:
    """The transports in a configuration, composites opened; names are made unique."""
    parts: dict[str, Part] = {}
    for part in _parts(section, section.text("name")):
        name, number = part.name, 2
        while name in parts:
            name, number = f"{part.name}-{number}", number + 1
        parts[name] = Part(name, part.section)
    return tuple(parts.values())


def _parts(section: Section, name: str) -> Iterator[Part]:
    kind = section.required_text("type")
    if kind != "composite":
        yield Part(name or kind, section)
        return
    inside = list(_children(section))
    if not inside:
        section.mistakes.append(
            f"{section.place}.transports is missing or empty; name at least one"
        )
    for child_name, child in inside:
        own = child_name or child.text("name")
        yield from _parts(child, f"{name}.{own}" if name and own else own or name)


def _children(section: Section) -> Iterator[tuple[str, Section]]:
    written = section.values.get("transports")
    if isinstance(written, Mapping):
        named = [(str(key), value) for key, value in cast("Mapping[str, object]", written).items()]
    elif isinstance(written, list):
        named = [("", value) for value in cast("list[object]", written)]
    else:
        named = []
    for number, (name, value) in enumerate(named):
        place = f"{section.place}.transports.{name or number}"
        if isinstance(value, Mapping):
            yield name, Section(place, cast("Mapping[str, object]", value), section.mistakes)
        elif value:
            section.mistakes.append(f"{place} must be a mapping with at least a type")
