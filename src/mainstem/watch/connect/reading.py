"""From the JSON of ``/connectors?expand=info&expand=status`` to a ``ClusterSnapshot``.

The answer is cut into entries without being parsed: of ten thousand connectors few have changed,
and only their entries are worth more than a digest.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
import orjson

from mainstem.scrub import scrub
from mainstem.watch.connect.converters import Converters, read_converters
from mainstem.watch.connect.redaction import AllowedKeys, config_version, redact
from mainstem.watch.connect.snapshot import (
    ClusterSnapshot,
    ObservedConnector,
    ObservedTask,
    State,
)

Json = Any

Provided = Callable[[Mapping[str, str]], Mapping[str, str]]
"""From a config to the values of its placeholders that the recipe tells."""


def nothing_provided(_config: Mapping[str, str]) -> Mapping[str, str]:
    """None: only the worker knows them."""
    return {}


_KEYED = hashlib.blake2b(digest_size=16, key=secrets.token_bytes(32))
"""Copied for each entry: working the key in each time would cost as much as the entry."""

_STATES = {state.value: state for state in State}

_ENTRIES = msgspec.json.Decoder(dict[str, msgspec.Raw])


class SnapshotReader:
    """Reads look after look, and gives the very same object for a connector that did not change.

    Of an entry, which holds secrets, only a digest and its registry's ``Secret`` stay in here; the
    entry itself stays until its class has told which keys are passwords.
    """

    def __init__(self, allowed: AllowedKeys, provided: Provided = nothing_provided) -> None:
        self._allowed = allowed
        self._provided = provided
        self._seen: dict[str, ObservedConnector] = {}
        self._digests: dict[str, bytes] = {}
        self._converters: dict[str, Converters] = {}
        self._unprotected: dict[str, Json] = {}
        self._unreadable: dict[str, str] = {}
        self._passwords: dict[str, frozenset[str]] = {}

    def read(self, body: bytes) -> ClusterSnapshot:
        """The snapshot; an entry that cannot be read is named and stops no other.

        Raises:
            ValueError: this is not whole JSON, or no map of connectors.
        """
        try:
            entries = _ENTRIES.decode(body)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        self._unreadable = {}
        for name, entry in entries.items():
            digest = _digest(entry)
            if self._digests.get(name) == digest:
                continue
            try:
                self._seen[name] = self._same_or_new(name, entry)
            except (KeyError, TypeError, ValueError, AttributeError):
                self._unreadable[name] = "the worker's answer lacks its config or its state"
            else:
                self._digests[name] = digest
        for name in [each for each in self._seen if each not in entries]:
            self._forget(name)
        for name in self._unreadable:
            self._forget(name)
        return self.again()

    def protect(self, connector_class: str, passwords: frozenset[str]) -> None:
        """Never pass these keys of a class on, in later looks and when this one is read again."""
        self._passwords[connector_class] = passwords
        for name in [*self._unprotected]:
            if self._seen[name].connector_class == connector_class:
                entry = self._unprotected.pop(name)
                if passwords:
                    self._seen[name] = self._read(name, entry)

    def again(self) -> ClusterSnapshot:
        """The last look as it reads now."""
        return ClusterSnapshot(dict(self._seen), self._unreadable, self._converters)

    def _forget(self, name: str) -> None:
        for held in (self._seen, self._digests, self._converters, self._unprotected):
            held.pop(name, None)

    def _same_or_new(self, name: str, entry: msgspec.Raw) -> ObservedConnector:
        """Another worker may write the same entry in another order: that is no change."""
        known, observed = self._seen.get(name), self._read(name, orjson.loads(memoryview(entry)))
        return known if known is not None and known == observed else observed

    def _read(self, name: str, entry: Json) -> ObservedConnector:
        connector_class = scrub(str(entry["info"]["config"].get("connector.class", "")))
        passwords = self._passwords.get(connector_class)
        config = _config(entry)
        observed = _read_connector(name, entry, config, self._allowed, passwords or frozenset())
        if passwords is None:
            self._unprotected[name] = entry
        self._converters[name] = read_converters(config, self._provided(config))
        return observed


def _digest(entry: msgspec.Raw) -> bytes:
    digest = _KEYED.copy()
    digest.update(memoryview(entry))
    return digest.digest()


def _read_connector(
    name: str,
    entry: Json,
    config: dict[str, str],
    allowed: AllowedKeys,
    passwords: frozenset[str],
) -> ObservedConnector:
    info, status = entry["info"], entry["status"]
    connector = status["connector"]
    return ObservedConnector(
        name=name,
        type=str(info.get("type") or status.get("type") or "unknown").lower(),
        connector_class=scrub(str(config.get("connector.class", ""))),
        state=_state(connector["state"]),
        worker_id=str(connector.get("worker_id") or ""),
        config=redact(config, allowed, passwords),
        config_version=config_version(config, passwords),
        tasks=tuple(sorted((_read_task(task) for task in status["tasks"]), key=lambda t: t.id)),
        expected_tasks=len(info.get("tasks") or ()),
        version=connector.get("version"),
        trace=_trace(connector),
    )


def _config(entry: Json) -> dict[str, str]:
    # REST may leave out or null what a broken plugin cannot tell
    raw = cast("dict[str, str | None]", entry["info"]["config"])
    return {key: value for key, value in raw.items() if value is not None}


def _read_task(task: Json) -> ObservedTask:
    return ObservedTask(
        id=int(task["id"]),
        state=_state(task["state"]),
        worker_id=str(task.get("worker_id") or ""),
        trace=_trace(task),
    )


def _trace(part: Json) -> str | None:
    trace = part.get("trace")
    return scrub(str(trace)) if trace else None


def _state(word: str) -> State:
    return _STATES.get(word.upper(), State.UNKNOWN)
