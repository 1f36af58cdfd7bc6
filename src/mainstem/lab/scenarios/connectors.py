"""What a person does to connectors: the writing half of Connect's REST API."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import httpx2

from mainstem.clock import monotonic
from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PATIENCE = 120.0
# A rebalance is answered with 409, or with 500 by the requests that pass through the herder.
MAY_WORK_LATER = (httpx2.codes.CONFLICT, httpx2.codes.INTERNAL_SERVER_ERROR)


class Connectors:
    """The connectors of one cluster."""

    def __init__(self, url: str) -> None:
        self._url = url

    def configure(self, name: str, config: Mapping[str, str]) -> None:
        """Create the connector, or give it this configuration."""
        self._ask("PUT", f"{name}/config", dict(config))

    def pause(self, name: str) -> None:
        """Pause it."""
        self._ask("PUT", f"{name}/pause")

    def resume(self, name: str) -> None:
        """Let it go on."""
        self._ask("PUT", f"{name}/resume")

    def restart(self, name: str) -> None:
        """Start what has failed of it again."""
        self._ask("POST", f"{name}/restart?includeTasks=true&onlyFailed=true")

    def delete(self, name: str) -> None:
        """Delete it."""
        self._ask("DELETE", name)

    def states(self) -> dict[str, list[str]]:
        """Each connector's own state, followed by those of its tasks."""
        answer = self._send("GET", "", params={"expand": "status"})
        statuses = {name: each["status"] for name, each in answer.json().items()}
        return {
            name: [status["connector"]["state"], *(task["state"] for task in status["tasks"])]
            for name, status in statuses.items()
        }

    def wait_until_running(self, name: str) -> None:
        """Return when the connector and at least one task of it run."""
        self._wait(name, lambda states: len(states) > 1 and set(states) == {"RUNNING"})

    def wait_until_failed(self, name: str) -> None:
        """Return when a task of the connector has failed."""
        self._wait(name, lambda states: "FAILED" in states)

    def _wait(self, name: str, reached: Callable[[list[str]], bool]) -> None:
        deadline = monotonic() + PATIENCE
        while not reached(states := self.states().get(name, [])):
            if monotonic() > deadline:
                raise ServiceFailed(name, f"is {', '.join(states) or 'absent'}")
            time.sleep(0.2)

    def _ask(self, method: str, path: str, body: Any = None) -> None:
        deadline = monotonic() + PATIENCE
        while True:
            answer = self._send(method, f"/{path}", json=body)
            if answer.is_success:
                return
            if answer.status_code not in MAY_WORK_LATER or monotonic() > deadline:
                raise ServiceFailed("connect", f"{method} {path}: {answer.text[:500]}")
            time.sleep(0.5)

    def _send(self, method: str, path: str, **content: Any) -> httpx2.Response:
        try:
            return httpx2.request(
                method, f"{self._url}/connectors{path}", timeout=PATIENCE, **content
            )
        except httpx2.HTTPError as error:
            raise ServiceFailed("connect", f"{method} {path or '/'}: {error}") from error
