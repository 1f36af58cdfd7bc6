"""A Connect cluster in memory, for tests, benchmarks and trying things out without a worker.

It answers the paths that the client asks, with the shapes and the odd habits of a real worker;
a test with a real worker holds it to that. Others that compare themselves with us ask more: one
connector, its tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import orjson
from msgspec import Struct, field

from mainstem.watch.connect.fake_http import Answered, Asked, FakeHttp

if TYPE_CHECKING:
    from collections.abc import Mapping

WORKER = "127.0.0.1:8083"
UNREAD = "unread"
"""The worker answers, but has not read its configs: nothing is listed, and no config is told."""

STARTING = "starting"
"""The worker is up, but its REST resources are not: an HTML 404 on every path."""


class FakeTask(Struct):
    """A task's state and, when it failed, its trace."""

    state: str = "RUNNING"
    trace: str | None = None
    worker_id: str = WORKER


class FakeConnector(Struct):
    """A connector as the fake cluster holds it."""

    config: dict[str, str]
    type: str
    state: str = "RUNNING"
    trace: str | None = None
    tasks: list[FakeTask] = field(default_factory=lambda: [FakeTask()])
    topics: tuple[str, ...] = ()
    topics_trouble: int | None = None
    """An HTTP status for its ``/topics`` alone; None when it is told."""

    version: str | None = "4.3.1"
    offsets: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The entries of ``/offsets``, as a real worker gives them."""


class FakeConnect:
    """Connectors that are created, paused, broken and deleted by plain method calls."""

    def __init__(self, kafka_cluster_id: str = "fake-cluster-id") -> None:
        self.connectors: dict[str, FakeConnector] = {}
        self.kafka_cluster_id = kafka_cluster_id
        self.plugins: dict[str, dict[str, str]] = {}
        """Per connector class the types of its keys, as ``/connector-plugins`` tells them."""

        self.requests: list[str] = []
        self.trouble: int | str | None = None
        """An HTTP status for every request, ``starting`` or ``unread``; None when all is well."""

    def create(self, name: str, config: Mapping[str, str], tasks: int = 1) -> FakeConnector:
        """A running connector; a class with Sink in its name is a sink, as by convention."""
        kind = "sink" if "sink" in config["connector.class"].lower() else "source"
        connector = FakeConnector({**config, "name": name}, kind)
        connector.tasks = [FakeTask() for _ in range(tasks)]
        self.connectors[name] = connector
        return connector

    def pause(self, name: str) -> None:
        """Pause a connector; tasks that failed stay failed."""
        self._move(name, "PAUSED")

    def resume(self, name: str) -> None:
        """Resume a paused or stopped connector."""
        connector = self.connectors[name]
        connector.tasks = connector.tasks or [FakeTask()]
        self._move(name, "RUNNING")

    def stop(self, name: str) -> None:
        """Stop a connector: its tasks, and the trace of those that failed, are gone."""
        self.connectors[name].state = "STOPPED"
        self.connectors[name].tasks = []

    def fail_task(self, name: str, task: int, trace: str) -> None:
        """Let one task fail; the connector itself stays RUNNING, as it really does."""
        self.connectors[name].tasks[task] = FakeTask("FAILED", trace)

    def fail_connector(self, name: str, trace: str) -> None:
        """Let the connector itself fail, as one does that throws when it starts."""
        connector = self.connectors[name]
        connector.state, connector.trace, connector.tasks = "FAILED", trace, []

    def commit(self, name: str, topic: str, offset: int, partition: int = 0) -> None:
        """Let a sink have committed its consumer's offset in a topic's partition."""
        place = {"kafka_topic": topic, "kafka_partition": partition}
        others = [each for each in self.connectors[name].offsets if each["partition"] != place]
        entry = {"partition": place, "offset": {"kafka_offset": offset}}
        self.connectors[name].offsets = [*others, entry]

    def delete(self, name: str) -> None:
        """Delete a connector."""
        del self.connectors[name]

    def answer(self, target: str) -> tuple[int, str, bytes]:
        """Status, content type and body of a GET."""
        self.requests.append(target)
        if self.trouble == STARTING:
            return 404, "text/html;charset=iso-8859-1", b"<html><h2>HTTP ERROR 404</h2></html>"
        if isinstance(self.trouble, int):
            return _json(self.trouble, {"error_code": self.trouble, "message": "Request timed out"})
        asked = urlsplit(target)
        if self.trouble == UNREAD and asked.path.startswith("/connectors/"):
            return _json(500, {"error_code": 500, "message": "Request timed out"})
        if self.trouble == UNREAD and asked.path == "/connectors":
            return _json(200, {} if asked.query else [])
        if asked.path.strip("/") == "connectors" and not asked.query:
            return _json(200, list(self.connectors))
        return self._resource(asked.path)

    def http(self) -> FakeHttp:
        """This cluster behind any URL."""

        def answered(asked: Asked) -> Answered:
            return Answered(*self.answer(asked.target))

        return FakeHttp(answered)

    def _resource(self, path: str) -> tuple[int, str, bytes]:
        match [unquote(part) for part in path.strip("/").split("/")]:
            case [""]:
                worker = {"version": "4.3.1", "commit": "fake"}
                return _json(200, {**worker, "kafka_cluster_id": self.kafka_cluster_id})
            case ["connectors"]:
                return _json(200, {name: _entry(name, c) for name, c in self.connectors.items()})
            case ["connectors", name, "topics"]:
                return self._topics_of(name)
            case ["connectors", name, *rest] if name in self.connectors:
                return self._of_connector(name, rest)
            case ["connector-plugins", plugin, "config"] if plugin in self.plugins:
                keys = self.plugins[plugin].items()
                return _json(200, [{"name": key, "type": kind} for key, kind in keys])
            case _:
                return _NOT_FOUND

    def _topics_of(self, name: str) -> tuple[int, str, bytes]:
        known = self.connectors.get(name)
        if known and known.topics_trouble:
            trouble = {"error_code": known.topics_trouble, "message": "not told"}
            return _json(known.topics_trouble, trouble)
        return _json(200, {name: {"topics": list(known.topics) if known else []}})

    def _of_connector(self, name: str, rest: list[str]) -> tuple[int, str, bytes]:
        connector = self.connectors[name]
        match rest:
            case []:
                return _json(200, _entry(name, connector)["info"])
            case ["config"]:
                return _json(200, connector.config)
            case ["offsets"]:
                return _json(200, {"offsets": connector.offsets})
            case ["tasks"]:
                ids = ({"connector": name, "task": n} for n in range(len(connector.tasks)))
                return _json(200, [{"id": each, "config": connector.config} for each in ids])
            case _:
                return _NOT_FOUND

    def _move(self, name: str, state: str) -> None:
        connector = self.connectors[name]
        connector.state = state
        for task in connector.tasks:
            if task.state != "FAILED":
                task.state = state


def _json(status: int, body: Any) -> tuple[int, str, bytes]:
    return status, "application/json", orjson.dumps(body)


def _entry(name: str, connector: FakeConnector) -> dict[str, Any]:
    tasks = range(len(connector.tasks))
    return {
        "info": {
            "name": name,
            "config": connector.config,
            "tasks": [{"connector": name, "task": number} for number in tasks],
            "type": connector.type,
        },
        "status": {
            "name": name,
            "connector": _state(connector.state, WORKER, connector.version, connector.trace),
            "tasks": [
                {"id": number, **_state(task.state, task.worker_id, connector.version, task.trace)}
                for number, task in enumerate(connector.tasks)
            ],
            "type": connector.type,
        },
    }


def _state(state: str, worker: str, version: str | None, trace: str | None) -> dict[str, Any]:
    told: dict[str, Any] = {"state": state, "worker_id": worker, "version": version}
    return {**told, "trace": trace} if trace else told


_NOT_FOUND = _json(404, {"error_code": 404, "message": "HTTP 404 Not Found"})
