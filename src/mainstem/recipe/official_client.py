"""The keys of the official client's configuration, which takes one that it does not know for none.

A mistyped ``transport`` would send everything to the console, and nobody would know.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

PARTS = ("transport", "facets", "filters", "tags", "dataset")

_ANY_TRANSPORT = ("type", "name", "priority")
_HTTP = (
    "url", "endpoint", "timeout", "verify", "auth", "compression", "session", "adapter",
    "custom_headers", "retry", "ssl_context", "sslContext",
)  # fmt: skip
TRANSPORTS: dict[str, tuple[str, ...]] = {
    "async_http": (*_HTTP, "max_queue_size", "max_concurrent_requests"),
    "composite": (
        "transports", "continue_on_failure", "continue_on_success", "sort_transports",
    ),
    "console": (),
    "file": (
        "log_file_path", "append", "storage_options", "filesystem", "fs_kwargs", "debug_mode",
    ),
    "http": _HTTP,
    "kafka": ("config", "topic", "messageKey", "message_key", "flush"),
    "noop": (),
}  # fmt: skip
"""By the transports' types; one that is not here is another's, and its keys are its own."""


def unknown_keys(where: str, config: object) -> Iterator[str]:
    """A line for each key that means nothing to the client."""
    if not isinstance(config, dict):
        return
    given = cast("dict[str, Any]", config)
    yield from _unknown(where, given, PARTS)
    yield from _of_transport(f"{where}.transport", given.get("transport"))


def _of_transport(where: str, transport: object) -> Iterator[str]:
    if not isinstance(transport, dict):
        return
    given = cast("dict[str, Any]", transport)
    kind = given.get("type")
    every = {key for keys in TRANSPORTS.values() for key in keys}
    keys = TRANSPORTS.get(kind) if isinstance(kind, str) else tuple(every)
    if keys is not None:
        yield from _unknown(where, given, (*_ANY_TRANSPORT, *keys))
    if kind == "composite":
        inside = given.get("transports")
        named = cast("dict[Any, Any]", inside).items() if isinstance(inside, dict) else ()
        listed = enumerate(cast("list[Any]", inside)) if isinstance(inside, list) else ()
        for name, each in (*named, *listed):
            yield from _of_transport(f"{where}.transports.{name}", each)


def _unknown(where: str, given: Mapping[str, Any], known: Collection[str]) -> Iterator[str]:
    spellings = {*known, *map(str.lower, known)}
    for key in map(str, given):
        if key not in spellings:
            near = difflib.get_close_matches(key, known, n=1)
            told = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            yield f"{where}.{key}: is not a known key; {told}"
