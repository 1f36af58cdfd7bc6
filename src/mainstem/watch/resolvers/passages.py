"""What a topic is called and what its records hold at every step of a chain, for people to follow.

Where no schema is known, the fields are those that the transforms and the config name themselves,
and ``*`` stands for all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Resolution
from mainstem.watch.resolvers.routes import routes
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.chain import Chain, Route, chain_of
from mainstem.watch.transforms.model import Unpredictable, keeps_topic
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record, start
from mainstem.watch.transforms.record import columns as leaves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.resolvers.model import Connector, Unresolved
    from mainstem.watch.transforms.chain import Step

OTHERS = "*"
_UNWRAP = "ExtractNewRecordState"
_NAMING_OPTIONS = ("fields", "field", "include", "exclude", "whitelist", "blacklist")
_PAIRING_OPTIONS = ("renames", "spec")
_OF_ENVELOPE = ("op", f"source.{OTHERS}")
_NO_START = Unpredictable("the topic's name before the chain is not known")
_NOT_KNOWN = NoSchema("no schema is known")


class FieldHere(Struct, frozen=True):
    """A field at one step: its path, and the path it had at the start."""

    path: str
    came_from: tuple[str, ...]
    """Nothing where a transform put it in."""

    masked: bool = False


class Stop(Struct, frozen=True):
    """One step of a topic's way: what it is called there, and the fields of its records."""

    alias: str | None
    """None for the start, before the first transform."""

    kind: str
    """The transform's simple class name."""

    topic: str | Unpredictable
    fields: tuple[FieldHere, ...] | NoSchema


def passages(connector: Connector, answer: Resolution | Unresolved) -> tuple[tuple[Stop, ...], ...]:
    """One way through the chain for each topic that it is known for; none without transforms."""
    chain = chain_of(settings_of(connector))
    if not isinstance(answer, Resolution) or not chain.steps:
        return ()
    ways = routes(connector, answer) or (Route(""),)
    return tuple(_stops(connector, answer, chain, way) for way in ways)


def _stops(connector: Connector, answer: Resolution, chain: Chain, way: Route) -> tuple[Stop, ...]:
    record = _first_record(connector, answer, chain, way)
    topic = way.start or _NO_START
    found = [Stop(None, "", topic, _fields(record))]
    names = [after for _, after in way.after_steps]
    for number, step in enumerate(chain.steps, start=1):
        topic = names[number - 1] if number <= len(names) else _still_unknown(step, topic)
        here = Chain(chain.steps[:number]).forward(way.start, record)
        found.append(Stop(step.alias, step.kind, topic, _fields(here)))
    return tuple(found)


def _still_unknown(step: Step, topic: str | Unpredictable) -> str | Unpredictable:
    """A name that was not known before a step, behind it: what the config says all the same."""
    keeps = step.transform is not None and step.transform.topic is keeps_topic
    if keeps or isinstance(topic, str):
        return topic
    return replace(topic, form=step.form(topic.form or "${topic}"))


def _first_record(connector: Connector, answer: Resolution, chain: Chain, way: Route) -> Record:
    """The record before the first transform."""
    # what a source registers is the record behind its chain, even under an unchanged name
    is_read = any(dataset.name == way.start for dataset in answer.inputs)
    schema = connector.fields.get(way.start) if is_read else None
    if schema is not None:
        return start(schema)
    end = connector.fields.get(way.end) if isinstance(way.end, str) else None
    known = start(end) if end is not None else _written(answer, way)
    if known is not None:
        before = chain.backward(way.start, known)
        if not isinstance(before.value, NoSchema):
            return replace(before, value=_own_origins(before.value, ""))
    return _named_by(chain.steps, _read(answer, way))


def _written(answer: Resolution, way: Route) -> Record | None:
    """The record behind a source's chain, by the columns that its config states."""
    columns = (column.field for column in answer.columns if column.output.name == way.end)
    names = dict.fromkeys(name for name in columns if not name.startswith("$"))
    return _record(names) if names else None


def _read(answer: Resolution, way: Route) -> tuple[str, ...]:
    """The fields of a sink's topic that the config states."""
    sources = (source for column in answer.columns for source in column.sources)
    return tuple(source.field for source in sources if source.dataset.name == way.start)


def _named_by(steps: tuple[Step, ...], read: tuple[str, ...]) -> Record:
    names = [*read, *_named_in(steps), OTHERS]
    plain = [name for name in dict.fromkeys(names) if not name.startswith("$")]
    unwraps = [step for step in steps if step.transform and step.transform.name == _UNWRAP]
    if not unwraps:
        return _record(plain)
    row = dict.fromkeys(name.removeprefix("after.") for name in plain)
    parts = (*_OF_ENVELOPE, *(part for step in unwraps for part in _taken_along(step)))
    return _record(dict.fromkeys([*(f"after.{name}" for name in row), *parts]))


def _taken_along(unwrap: Step) -> list[str]:
    """The parts of the change event that ``add.fields`` names."""
    entries = (entry.partition(":")[0] for entry in _names(unwrap, "add.fields"))
    return [
        entry if "." in entry or entry.startswith("ts_") else f"source.{entry}"
        for entry in entries
        if entry not in _OF_ENVELOPE
    ]


def _named_in(steps: tuple[Step, ...]) -> list[str]:
    """The fields that the transforms' options name, but for those that an earlier one makes."""
    found: list[str] = []
    made: set[str] = set()
    for step in steps:
        pairs = [pair.partition(":") for key in _PAIRING_OPTIONS for pair in _names(step, key)]
        named = [name for key in _NAMING_OPTIONS for name in _names(step, key)]
        if step.kind.startswith("HoistField"):
            made.update(named)
        found += [name for name in (*named, *(pair[0] for pair in pairs)) if name not in made]
        made.update(pair[2] for pair in pairs)
    return [name for name in found if name.isidentifier()]


def _names(step: Step, key: str) -> tuple[str, ...]:
    try:
        return step.options.settings.names(key)
    except CannotTell:
        return ()


def _record(paths: Iterable[str]) -> Record:
    fields: dict[str, list[str]] = {}
    for path in paths:
        name, _, inner = path.partition(".")
        fields.setdefault(name, []).extend([inner] if inner else [])
    nodes = tuple(_node(name, inner) for name, inner in fields.items())
    return Record(_own_origins(Node("", STRUCT, (), nodes), ""), _NOT_KNOWN)


def _node(name: str, inner: list[str]) -> Node:
    if not inner:
        return Node(name, "unknown")
    below = _record(inner).value
    return Node(name, STRUCT, (), () if isinstance(below, NoSchema) else below.fields)


def _own_origins(node: Node, path: str) -> Node:
    """The node with every field as its own origin: the way starts here."""
    below = tuple(
        _own_origins(field, f"{path}.{field.name}" if path else field.name) for field in node.fields
    )
    return replace(node, origins=(Origin(path),) if path else (), fields=below)


def _fields(record: Record) -> tuple[FieldHere, ...] | NoSchema:
    if isinstance(record.value, NoSchema) and isinstance(record.key, NoSchema):
        return record.value
    return tuple(
        FieldHere(
            path,
            tuple(origin.path for origin in node.origins),
            any(origin.masking for origin in node.origins),
        )
        for path, node in leaves(record)
    )
