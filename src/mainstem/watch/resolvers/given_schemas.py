"""Schemas that a person gives beside a connector's config, as a registry would answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import Field, TopicFields
from mainstem.watch.schema_registry.formats import AVRO, read_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]
_HALVES = ("value", "key")


def fields_from(schemas: object) -> tuple[dict[str, TopicFields], tuple[str, ...]]:
    """The fields of topics from ``{subject: {schemaType?, schema, references?}}``, and complaints.

    A subject is a topic's name and ``-value`` or ``-key``; others are there to be referred to.
    """
    if schemas is None:
        return {}, ()
    if not isinstance(schemas, dict):
        return {}, ("schemas is no object from subjects to schemas",)
    given = cast("dict[str, Any]", schemas)
    found: dict[str, TopicFields] = {}
    complaints: list[str] = []
    for subject in given:
        topic, _, half = subject.rpartition("-")
        if half not in _HALVES or not topic:
            continue
        try:
            fields = _read(given, subject)
        except CannotTell as unknown:
            complaints.append(f"schemas: {subject}: {unknown.reason}")
        else:
            found[topic] = _with_half(found.get(topic, TopicFields()), half, fields)
    return found, tuple(complaints)


def _with_half(known: TopicFields, half: str, fields: tuple[Field, ...]) -> TopicFields:
    return replace(known, key=fields) if half == "key" else replace(known, value=fields)


def _read(given: Mapping[str, Any], subject: str) -> tuple[Field, ...]:
    entry = _entry(given, subject)
    references: dict[str, str] = {}
    _collect(given, entry, references, (subject,))
    return read_schema(str(entry.get("schemaType") or AVRO).upper(), _text(entry), references)


def _collect(
    given: Mapping[str, Any], entry: Json, references: dict[str, str], above: tuple[str, ...]
) -> None:
    """Every schema that an entry refers to, those that it refers to itself first."""
    for reference in cast("list[Json]", entry.get("references") or []):
        subject = str(reference.get("subject"))
        if subject in above:
            continue
        inner = _entry(given, subject)
        _collect(given, inner, references, (*above, subject))
        references.setdefault(str(reference.get("name") or subject), _text(inner))


def _entry(given: Mapping[str, Any], subject: str) -> Json:
    entry = given.get(subject)
    if not isinstance(entry, dict):
        raise CannotTell(f"{subject} is not given as an object with a schema")
    return cast("Json", entry)


def _text(entry: Json) -> str:
    schema = entry.get("schema")
    return schema if isinstance(schema, str) else orjson.dumps(schema).decode()
