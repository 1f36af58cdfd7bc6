"""Bodies as they come: gzip or plain, bounded in size, in ratio and in how long they may take."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import msgspec

from mainstem.errors import EventRefused
from mainstem.said.checking import parse_json
from mainstem.serve.ingest.reading import read_event

if TYPE_CHECKING:
    from mainstem.serve.model.event import Event

LARGEST_BODY = 8 * 1024 * 1024
LARGEST_RATIO = 200
RATIO_FROM = 1024 * 1024
_ELEMENTS = msgspec.json.Decoder(list[msgspec.Raw])


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
        return [_or_reason(line) for line in body.split(b"\n") if line and not line.isspace()]
    return [_element(bytes(one)) for one in _elements(body)]


def _elements(body: bytes) -> list[msgspec.Raw]:
    try:
        return _ELEMENTS.decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        parse_json(body)  # says where the mistake is
        raise EventRefused(
            400, "a batch is a JSON array, or NDJSON as application/x-ndjson"
        ) from error


def _element(raw: bytes) -> Event | EventRefused:
    if not raw.startswith(b"{"):
        return EventRefused(422, "an event is a JSON object", ["not an object"])
    return _or_reason(raw)


def _or_reason(raw: bytes) -> Event | EventRefused:
    try:
        return read_event(raw)
    except EventRefused as refused:
        return refused
