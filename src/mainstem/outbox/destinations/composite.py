"""The ``composite`` transport: which destinations it stands for, and how they hang together."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from mainstem.outbox.section import Section

if TYPE_CHECKING:
    from collections.abc import Iterator


class Tie(Enum):
    """How the members of a composite hang together."""

    NONE = auto()
    """Each is a destination of its own with a record of its own; the client's default."""

    FIRST_OF = auto()
    """``continue_on_success: false``: the first that takes an event is enough."""

    IN_SEQUENCE = auto()
    """``continue_on_failure: false``: none gets what the one before it did not take."""


class Part(Struct, frozen=True):
    """One transport of the configuration under the name its delivery record is kept under."""

    name: str
    section: Section
    tie: Tie = Tie.NONE
    members: tuple[Part, ...] = ()
    """The transports inside, where they are tied together."""


def flatten(section: Section) -> tuple[Part, ...]:
    """The destinations in a configuration, loose composites opened; names are made unique."""
    return _unique(_parts(section, section.text("name")))


def _unique(parts: Iterator[Part]) -> tuple[Part, ...]:
    named: dict[str, Part] = {}
    for part in parts:
        name, number = part.name, 2
        while name in named:
            name, number = f"{part.name}-{number}", number + 1
        named[name] = Part(name, part.section, part.tie, part.members)
    return tuple(named.values())


def _parts(section: Section, name: str) -> Iterator[Part]:
    kind = section.required_text("type")
    if kind != "composite":
        yield Part(name or kind, section)
        return
    tie = _tie(section)
    inside = _sorted(section, list(_children(section)))
    if not inside:
        section.mistakes.append(f"{section.place}.transports is empty; it must name at least one")
    prefix = f"{name}." if name and tie is Tie.NONE else ""
    members = _unique(
        part for own, child in inside for part in _parts(child, f"{prefix}{own}" if own else "")
    )
    if tie is Tie.NONE:
        yield from members
    else:
        yield Part(name or kind, section, tie, members)


def _tie(section: Section) -> Tie:
    if not section.flag("continue_on_success", default=True):
        return Tie.FIRST_OF
    if not section.flag("continue_on_failure", default=True):
        return Tie.IN_SEQUENCE
    return Tie.NONE


def _sorted(section: Section, children: list[tuple[str, Section]]) -> list[tuple[str, Section]]:
    if section.flag("sort_transports", default=False):
        children.sort(key=lambda child: child[1].whole_number("priority", 0), reverse=True)
    if not _continues_at_all(section):
        # The client stops after the first, whether it takes the event or not.
        return children[:1]
    return children


def _continues_at_all(section: Section) -> bool:
    names = ("continue_on_success", "continue_on_failure")
    return any(section.flag(name, default=True) for name in names)


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
            child = Section(place, cast("Mapping[str, object]", value), section.mistakes)
            yield name or child.text("name"), child
        elif value:
            section.mistakes.append(f"{place} must be a mapping with at least a type")
