"""Whether JSON is an event, and every mistake where it is none."""

from __future__ import annotations

from itertools import islice
from typing import Any

import jsonschema_rs
import orjson

from mainstem.errors import EventRefused
from mainstem.said.event import EventKind
from mainstem.said.event_schema import DATASET_EVENT, JOB_EVENT, RUN_EVENT
from mainstem.said.json_values import Json, as_list, as_object
from mainstem.said.times import parse_instant

_VALIDATORS = {
    EventKind.RUN: jsonschema_rs.Draft202012Validator(RUN_EVENT),
    EventKind.JOB: jsonschema_rs.Draft202012Validator(JOB_EVENT),
    EventKind.DATASET: jsonschema_rs.Draft202012Validator(DATASET_EVENT),
}
MOST_MISTAKES = 20
LONGEST_MESSAGE = 200
NUL = b"\\u0000"
"""What U+0000 looks like in JSON; so does a backslash before those letters."""


def parse_json(raw: bytes) -> Any:
    """The JSON value of some bytes; raises EventRefused with the place of the mistake."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise EventRefused(400, f"not JSON: {error.msg} at {place}") from error


def validate(kind: EventKind, said: Json) -> None:
    """Raise EventRefused with every mistake of an event."""
    validator = _VALIDATORS[kind]
    if not validator.is_valid(said):
        mistakes = [_mistake(one) for one in islice(validator.iter_errors(said), MOST_MISTAKES)]
        mistakes += _mistakes_in_time(said.get("eventTime"))
        raise EventRefused(422, "; ".join(mistakes), mistakes)


def event_time(text: str) -> int:
    """An event's time; raises EventRefused where it is none."""
    try:
        return parse_instant(text)
    except (ValueError, OverflowError) as error:
        mistake = f"eventTime is no ISO 8601 instant: {text[:50]!r}"
        raise EventRefused(422, mistake, [mistake]) from error


def _mistakes_in_time(time: object) -> list[str]:
    if not isinstance(time, str):
        return []  # the schema tells
    try:
        event_time(time)
    except EventRefused as refused:
        return list(refused.mistakes)
    return []


def refuse_nul(said: Json) -> None:
    """Raise where U+0000 stands in an event, which no store keeps."""
    if place := _place_of_nul(said, "$"):
        raise EventRefused(400, f"U+0000 cannot be stored; it is in {place}")


def _mistake(error: jsonschema_rs.ValidationError) -> str:
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path
    ).removeprefix(".")
    missing = getattr(error.kind, "property", None)
    if missing is not None:
        return f"{path}.{missing} must not be null".removeprefix(".")
    options = getattr(error.kind, "options", None)
    if options is not None:
        # The library names but the first two of the values that are allowed.
        allowed = ", ".join(one for one in options if one is not None)
        return f"{path}: {str(error.instance)[:50]!r} is not allowed; allowed: {allowed}"
    message = error.message[:LONGEST_MESSAGE]
    return f"{path}: {message}" if path else message


def _place_of_nul(value: Any, place: str) -> str | None:
    if isinstance(value, str):
        return place if "\0" in value else None
    for name in as_object(value):
        if "\0" in name:
            return f"{place}.{name!r}"
    nested = [(f"{place}.{name}", one) for name, one in as_object(value).items()]
    nested += [(f"{place}[{at}]", one) for at, one in enumerate(as_list(value))]
    places = (_place_of_nul(one, where) for where, one in nested)
    return next((found for found in places if found), None)
