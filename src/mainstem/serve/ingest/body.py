"""Bodies as they come: gzip or plain, bounded in size, in ratio and in how long they may take."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import orjson

from mainstem.errors import EventRefused
from mainstem.serve.ingest.reading import event_of, parse_json, read_event
from mainstem.serve.model.json_values import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.serve.model.event import Event

LARGEST_BODY = 8 * 1024 * 1024
LARGEST_RATIO = 200
RATIO_FROM = 1024 * 1024


def refuse_larger(size: int) -> None:
    """Raise where a body is larger than we take."""
    if size > LARGEST_BODY:
        raise EventRefused(413, f"the body is larger than {LARGEST_BODY} bytes; send smaller ones")


def plain_body(body: bytes, encoding: str) -> bytes:
    """The body as it was before it was compressed."""
    if encoding in ("", "identity"):
        return body
    if encoding != "gzip":
        raise EventRefused(415, f"Content-Encoding {encoding!r} is not known; allowed: gzip")
    return _gunzip(body)


def _gunzip(body: bytes) -> bytes:
    stream = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        plain = stream.decompress(body, LARGEST_BODY + 1)
    except zlib.error as error:
        raise EventRefused(400, f"not gzip: {error}") from error
    refuse_larger(len(plain))
    if len(plain) > RATIO_FROM and len(plain) > LARGEST_RATIO * len(body):
        raise EventRefused(413, f"the body grows more than {LARGEST_RATIO}-fold when unpacked")
    if not stream.eof:
        raise EventRefused(400, "not gzip: the body ends too early")
    return plain


def read_batch(body: bytes, *, ndjson: bool) -> list[Event | EventRefused]:
    """Each event of a JSON array or of NDJSON lines, or why it is none."""
    if ndjson:
        return [_or_reason_of_line(line) for line in body.splitlines() if line.strip()]
    listed = parse_json(body)
    if not isinstance(listed, list):
        raise EventRefused(400, "a batch is a JSON array, or NDJSON as application/x-ndjson")
    return list(_each(as_list(listed)))


def _each(listed: list[Any]) -> Iterator[Event | EventRefused]:
    for one in listed:
        if not isinstance(one, dict):
            yield EventRefused(422, "an event is a JSON object", ["not an object"])
            continue
        try:
            yield event_of(as_object(one), orjson.dumps(one))
        except EventRefused as refused:
            yield refused
        except orjson.JSONEncodeError:
            yield EventRefused(413, "nested deeper than 254 levels")


def _or_reason_of_line(line: bytes) -> Event | EventRefused:
    try:
        return read_event(line)
    except EventRefused as refused:
        return refused
