"""How ``track`` is set up: its arguments, then ``spark.mainstem.*``, then the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from mainstem.errors import BadRecipe
from mainstem.spark.runs import RunName, Telling

PREFIX = "spark.mainstem."
TRANSPORT_PREFIX = "spark.mainstem.transport."
AGENT_PREFIX = "spark.openlineage."
AGENT_LISTENER = "OpenLineageSparkListener"
READ_PREFIXES = (PREFIX, AGENT_PREFIX)
READ_KEYS = ("spark.app.name", "spark.extraListeners")
"""With the prefixes, all that is read of an application's settings."""

DEFAULT_HEARTBEAT_SECONDS = 60.0
PARENT_PARTS = 3

ON_STOP = {"COMPLETE": Telling.COMPLETE, "ABORT": Telling.ABORT}
FLAGS = {"true": True, "false": False}
CONF_KEYS = {
    "appName": "app",
    "disabled": "disabled",
    "heartbeat": "heartbeat",
    "namespace": "namespace",
    "onStop": "on_stop",
    "outbox": "outbox",
    "reads": "reads",
    "url": "url",
}
"""What may stand behind ``spark.mainstem.``, and the argument that it is."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user wants, checked."""

    namespace: str
    app: str
    heartbeat: timedelta
    on_stop: Telling
    """What a stream's ``stop()`` is told as: COMPLETE or ABORT."""

    reads: bool
    """Whether actions that only read are told too."""

    outbox: Path | None
    transport: Mapping[str, Any] | None = field(repr=False)
    """In the official client's words; None is the client's own configuration."""

    disabled: bool
    parent: RunName | None
    root: RunName | None
    agent: bool
    """Whether the OpenLineage agent runs in the same application."""


def read_settings(
    given: Mapping[str, Any], conf: Mapping[str, str], environment: Mapping[str, str]
) -> Settings:
    """The settings, or all their mistakes at once.

    Raises:
        BadRecipe: with key, value and what is allowed.
    """
    mistakes = [
        f"{key}: there is no such setting; there are {', '.join(PREFIX + one for one in CONF_KEYS)}"
        f" and {TRANSPORT_PREFIX}*"
        for key in conf
        if key.startswith(PREFIX)
        and not key.startswith(TRANSPORT_PREFIX)
        and key.removeprefix(PREFIX) not in CONF_KEYS
    ]
    chosen = _Chosen(given, conf, mistakes)
    settings = Settings(
        namespace=chosen.text("namespace")
        or environment.get("OPENLINEAGE_NAMESPACE")
        or conf.get(f"{AGENT_PREFIX}namespace")
        or "default",
        app=chosen.text("app") or conf.get("spark.app.name") or "spark",
        heartbeat=timedelta(seconds=chosen.seconds("heartbeat", DEFAULT_HEARTBEAT_SECONDS)),
        on_stop=chosen.one_of("on_stop", ON_STOP, Telling.COMPLETE),
        reads=chosen.one_of("reads", FLAGS, default=False),
        outbox=Path(path).expanduser() if (path := chosen.text("outbox")) else None,
        transport=_transport(chosen, conf),
        disabled=chosen.one_of("disabled", FLAGS, default=False),
        parent=_parent("parent", conf, environment, mistakes),
        root=_parent("rootParent", conf, environment, mistakes),
        agent=AGENT_LISTENER in conf.get("spark.extraListeners", ""),
    )
    if mistakes:
        raise BadRecipe("mainstem.spark.track", mistakes)
    return settings


class _Chosen:
    """The argument where one is given, else the session's conf; mistakes are collected."""

    def __init__(
        self, given: Mapping[str, Any], conf: Mapping[str, str], mistakes: list[str]
    ) -> None:
        self._found: dict[str, tuple[str, Any]] = {
            argument: (PREFIX + key, conf[PREFIX + key])
            for key, argument in CONF_KEYS.items()
            if PREFIX + key in conf
        }
        self._found.update({key: (key, value) for key, value in given.items() if value is not None})
        self._mistakes = mistakes

    def find(self, argument: str) -> tuple[str, Any]:
        return self._found.get(argument, (argument, None))

    def text(self, argument: str) -> str | None:
        _, value = self.find(argument)
        return None if value is None else str(value)

    def seconds(self, argument: str, default: float) -> float:
        key, value = self.find(argument)
        try:
            number = default if value is None else float(value)
        except (TypeError, ValueError):
            number = 0.0
        if number < 1:
            self._mistakes.append(f"{key} is {value!r}; it must be a number of seconds from 1 up")
        return number

    def one_of(self, argument: str, allowed: Mapping[str, Any], default: Any) -> Any:
        key, value = self.find(argument)
        if value is None:
            return default
        named = {name.lower(): meaning for name, meaning in allowed.items()}
        found = named.get(str(value).lower())
        if found is None:
            self._mistakes.append(f"{key} is {value!r}; it must be {' or '.join(allowed)}")
            return default
        return found


def _transport(chosen: _Chosen, conf: Mapping[str, str]) -> Mapping[str, Any] | None:
    key, destination = chosen.find("destination")
    url = chosen.text("url")
    if destination is not None and not (isinstance(destination, Mapping) and "type" in destination):
        chosen._mistakes.append(  # noqa: SLF001 - the same collector
            f"{key} must be a mapping with at least a type, such as"
            " {'type': 'http', 'url': 'http://localhost:5000'}"
        )
        return None
    if destination is not None:
        return dict(destination)
    if url is not None:
        return {"type": "http", "url": url}
    told = {
        key.removeprefix(TRANSPORT_PREFIX): value
        for key, value in conf.items()
        if key.startswith(TRANSPORT_PREFIX)
    }
    return _nested(told) if told else None


def _nested(flat: Mapping[str, str]) -> dict[str, Any]:
    """``auth.type=api_key`` as ``{"auth": {"type": "api_key"}}``."""
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        *above, last = key.split(".")
        place = tree
        for name in above:
            place = place.setdefault(name, {})
        place[last] = value
    return tree


def _parent(
    role: str, conf: Mapping[str, str], environment: Mapping[str, str], mistakes: list[str]
) -> RunName | None:
    """Who started this application, in the agent's conf or the environment of the client's."""
    told = [
        conf.get(f"{AGENT_PREFIX}{role}{part}") for part in ("JobNamespace", "JobName", "RunId")
    ]
    if all(told):
        return RunName(*map(str, told))
    variable = "OPENLINEAGE_PARENT_ID" if role == "parent" else "OPENLINEAGE_ROOT_PARENT_ID"
    text = environment.get(variable)
    if not text:
        return None
    # The job's name is the only part without a slash that can be relied on; the namespace may
    # be a URL.
    parts = text.rsplit("/", PARENT_PARTS - 1)
    if len(parts) != PARENT_PARTS or not all(parts):
        mistakes.append(f"{variable} is {text!r}; it must be NAMESPACE/JOB/RUN_ID")
        return None
    return RunName(*parts)
