"""Connectors and resolutions as the JSON that ``mainstem explain`` reads and prints."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from mainstem.watch.connect.redaction import AllowedKeys, redact
from mainstem.watch.resolvers import reads
from mainstem.watch.resolvers.given_schemas import fields_from
from mainstem.watch.resolvers.model import Connector, Direction, Resolution, Unresolved
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.passages import Stop

Json = dict[str, Any]
_CLASS = "connector.class"
_DIRECTIONS = {direction.value: direction for direction in Direction}
_SHAPES: dict[str, tuple[type, str]] = {
    "topics": (list, "list of topics"),
    "tasks": (list, "list of task configs"),
    "provided": (dict, "object from placeholders to values"),
}


@cache
def _allowed() -> AllowedKeys:
    known = reads()
    return AllowedKeys(known.names, known.patterns)


def connector_from(document: Mapping[str, Any], kafka_namespace: str) -> Connector:
    """A connector from ``{name, type?, config, topics?, tasks?, provided?, schemas?}``.

    A bare config does too.
    """
    bare = "config" not in document and _CLASS in document
    config = _texts(document if bare else document.get("config"))
    beside: Mapping[str, Any] = {} if bare else document
    fields, complaints = fields_from(beside.get("schemas"))
    return Connector(
        name=str(document.get("name") or config.get("name", "")),
        direction=_direction(document.get("type")),
        config=redact(config, _allowed()),
        kafka_namespace=kafka_namespace,
        topics=_names(beside.get("topics")),
        tasks=_tasks(document.get("tasks")),
        provided=_placeholders(document.get("provided")),
        fields=fields,
        notes=(*_misshapen(beside), *complaints),
    )


def as_json(name: str, answer: Resolution | Unresolved) -> Json:
    """One entry of what ``explain --json`` prints."""
    if isinstance(answer, Unresolved):
        told = Resolution(answer.family, unresolved=(answer.reason,), notes=answer.notes)
    else:
        told = answer
    return {
        "name": name,
        "family": told.family,
        "inputs": _datasets(told.inputs),
        "outputs": _datasets(told.outputs),
        "control": [{**_dataset(one.dataset), "kind": one.kind} for one in told.control],
        "edges": [
            {
                "input": _dataset(edge.input),
                "output": _dataset(edge.output),
                "evidence": edge.evidence.value,
            }
            for edge in told.edges
        ],
        "columns": _columns(told),
        "symlinks": [
            {**_dataset(dataset), "also": {**_dataset(link.dataset), "type": link.type}}
            for dataset, links in told.symlinks.items()
            for link in links
        ],
        "unresolved": list(told.unresolved),
        "notes": list(told.notes),
    }


def chain_as_json(ways: tuple[tuple[Stop, ...], ...]) -> list[list[Json]]:
    """Each topic's way through the chain: its name and its fields at every step."""
    return [[_stop(stop) for stop in way] for way in ways]


def _stop(stop: Stop) -> Json:
    return {
        "transform": stop.alias,
        "topic": None if isinstance(stop.topic, Unpredictable) else stop.topic,
        "form": (stop.topic.form or None) if isinstance(stop.topic, Unpredictable) else None,
        "fields": None
        if isinstance(stop.fields, NoSchema)
        else [
            {"field": field.path, "from": list(field.came_from), "masking": field.masked}
            for field in stop.fields
        ],
    }


def documents_in(found: object) -> list[Any]:
    """The connectors in whatever shape people have them on disk, in their order.

    One connector or an array of them; what ``GET /connectors?expand=info&expand=status`` answers;
    an object of configs by connectors' names.

    >>> documents_in({"a": {"info": {"config": {"topics": "t"}, "type": "sink"}}})
    [{'config': {'topics': 't'}, 'type': 'sink', 'name': 'a'}]
    """
    if isinstance(found, list):
        parts = cast("list[Any]", found)
        return [one for part in parts for one in documents_in(part) or (part,)]
    if not isinstance(found, dict):
        return [found]
    document = cast("Json", found)
    if not _holds_connectors(document):
        return [document]
    return [_by_name(name, cast("Json", value)) for name, value in document.items()]


def _holds_connectors(document: Json) -> bool:
    values = [cast("Json", value) for value in document.values() if isinstance(value, dict)]
    if not values or len(values) != len(document):
        return False
    return all({"info", "status", "config", _CLASS} & value.keys() for value in values)


def _by_name(name: str, value: Json) -> Json:
    if _CLASS in value:
        return {"name": name, "config": value}
    info, status = value.get("info", value), value.get("status")
    kind = {"type": cast("Json", status).get("type")} if isinstance(status, dict) else {}
    return {**kind, **(cast("Json", info) if isinstance(info, dict) else {}), "name": name}


def _columns(told: Resolution) -> list[Json]:
    return [
        {
            "output": _dataset(column.output),
            "field": column.field,
            "inputs": [
                {
                    **_dataset(source.dataset),
                    "field": source.field,
                    "transformation": source.transformation,
                    "masking": source.masking,
                }
                for source in column.sources
            ],
        }
        for column in told.columns
    ]


def _datasets(datasets: Iterable[DatasetName]) -> list[Json]:
    return [_dataset(dataset) for dataset in datasets]


def _dataset(dataset: DatasetName) -> Json:
    return {"namespace": dataset.namespace, "name": dataset.name}


def _names(topics: object) -> tuple[str, ...] | None:
    return tuple(map(str, cast("list[Any]", topics))) if isinstance(topics, list) else None


def _direction(word: object) -> Direction:
    return _DIRECTIONS.get(str(word).lower(), Direction.UNKNOWN)


def _misshapen(beside: Mapping[str, Any]) -> Iterator[str]:
    for key, (shape, words) in _SHAPES.items():
        value = beside.get(key)
        if value is not None and not isinstance(value, shape):
            yield f"{key} is no {words}"


def _tasks(tasks: object) -> tuple[dict[str, str], ...]:
    return tuple(map(_task, cast("list[Any]", tasks))) if isinstance(tasks, list) else ()


def _task(task: object) -> dict[str, str]:
    """A task's config, which REST wraps into its id and config."""
    if not isinstance(task, dict):
        return {}
    document = cast("Json", task)
    return _texts(document.get("config", document))


def _placeholders(values: object) -> dict[str, str]:
    """Values by the whole placeholder, also where only what stands in its braces was given."""
    return {
        key if key.startswith("${") else f"${{{key}}}": value
        for key, value in _texts(values).items()
    }


def _texts(values: object) -> dict[str, str]:
    if not isinstance(values, dict):
        return {}
    given = cast("dict[Any, Any]", values)
    return {str(key): _text(value) for key, value in given.items() if value is not None}


def _text(value: object) -> str:
    if isinstance(value, list):  # Connect takes texts alone; people write lists in their files
        return ",".join(map(_text, cast("list[Any]", value)))
    return str(value).lower() if isinstance(value, bool) else str(value)
