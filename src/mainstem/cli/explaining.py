"""A resolution in words: what ``mainstem explain`` prints for people."""

from __future__ import annotations

from collections.abc import Iterator

from mainstem.cli.explaining_columns import column_map
from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers import FAMILIES, direction_of
from mainstem.watch.resolvers.model import Connector, Resolution, Unresolved
from mainstem.watch.resolvers.passages import FieldHere, Stop, passages
from mainstem.watch.resolvers.untold_columns import why_untold
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Unpredictable

_MOST_FIELDS = 12


def explanation(
    connector: Connector, answer: Resolution | Unresolved, *, columns: bool
) -> Iterator[str]:
    """The lines about one connector, an empty one last."""
    yield f"{connector.name or '(no name)'}  [{', '.join(_kind(connector, answer))}]"
    if isinstance(answer, Unresolved):
        yield f"  unresolved  {answer.reason}"
    else:
        yield from _lineage(answer)
        for way in passages(connector, answer):
            yield from _way(way)
        if columns:
            yield from column_map(answer, _why_no_columns(connector, answer))
        yield from (f"  unresolved  {reason}" for reason in answer.unresolved)
    yield from (f"  note        {note}" for note in answer.notes)
    yield ""


def _kind(connector: Connector, answer: Resolution | Unresolved) -> Iterator[str]:
    yield answer.family
    if connector.config:
        yield direction_of(connector, connector.config.get("connector.class", "")).value


def _why_no_columns(connector: Connector, answer: Resolution) -> str | None:
    direction = direction_of(connector, connector.config.get("connector.class", ""))
    untold = why_untold(FAMILIES, answer.family, direction)
    return untold or (None if connector.fields else "no schema of a topic is given")


def _lineage(answer: Resolution) -> Iterator[str]:
    yield from (f"  input       {_name(dataset)}" for dataset in answer.inputs)
    yield from (f"  output      {_name(dataset)}" for dataset in answer.outputs)
    for edge in answer.edges:
        yield f"  edge        {edge.input.name} → {edge.output.name}  ({edge.evidence.value})"
    for dataset, links in answer.symlinks.items():
        for link in links:
            yield f"  also known  {dataset.name} as {_name(link.dataset)}  ({link.type})"
    for control in answer.control:
        yield f"  control     {_name(control.dataset)}  ({control.kind})"


def _way(way: tuple[Stop, ...]) -> Iterator[str]:
    told: str | Unpredictable | None = None
    for stop in way:
        where = "chain" if stop.alias is None else f"  {stop.alias} ({stop.kind}):"
        yield f"  {where:<11} {_topic(stop.topic, told)}  {_fields(stop.fields)}"
        told = stop.topic


def _topic(topic: str | Unpredictable, told: str | Unpredictable | None) -> str:
    if isinstance(topic, str):
        return topic
    named = topic.form or "?"
    return named if topic == told else f"{named} ({topic.reason})"


def _fields(fields: tuple[FieldHere, ...] | NoSchema) -> str:
    if isinstance(fields, NoSchema):
        return f"[fields: {fields.reason}]"
    told = [_field(field) for field in fields[:_MOST_FIELDS]]
    left = len(fields) - len(told)
    return f"[{', '.join([*told, f'and {left} more'] if left else told)}]"


def _field(field: FieldHere) -> str:
    others = [path for path in field.came_from if path != field.path]
    source = f" ← {', '.join(others)}" if others else "" if field.came_from else " (put in here)"
    return f"{field.path}{source}{' (masked)' if field.masked else ''}"


def _name(dataset: DatasetName) -> str:
    return f"{dataset.namespace}  {dataset.name}"
