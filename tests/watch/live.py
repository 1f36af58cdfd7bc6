"""A real watcher process, and the buttons of a real Connect cluster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2

PATIENCE_SECONDS = 120.0


class WatcherProcess:
    """``mainstem watch`` as a user starts it, telling into an NDJSON file."""

    def __init__(
        self,
        directory: Path,
        url: str = "",
        kafka: str = "",
        interval: float = 1,
        recipe: Path | None = None,
    ) -> None:
        self.events_file = directory / "events.ndjson"
        self.log = directory / "watch.log"
        self.journal = directory / "journal.db"
        config = directory / "openlineage.yml"
        config.write_text(
            f"transport:\n  type: file\n  log_file_path: {self.events_file}\n  append: true\n"
        )
        self._environment = {**os.environ, "OPENLINEAGE_CONFIG": str(config)}
        how = [
            "--connect", url, "--kafka", kafka, "--interval", str(interval), "--heartbeat", "3600",
        ]  # fmt: skip
        if recipe is not None:
            how = ["-c", str(recipe)]
        self._command = [
            *(sys.executable, "-m", "mainstem", "watch", *how),
            *("--journal", str(self.journal)),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it looks at once and then every interval."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )

    def kill(self) -> None:
        """kill -9, wherever it is in its work."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def terminate(self) -> int:
        """SIGTERM, and its exit code."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(30)

    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process is not None and self._process.poll() is None

    def events(self, job: str | None = None) -> list[dict[str, Any]]:
        """Every event that reached the file, oldest first."""
        if not self.events_file.exists():
            return []
        lines = self.events_file.read_text().splitlines()
        told = [json.loads(line) for line in lines]
        return [event for event in told if job is None or event["job"]["name"] == job]

    def types(self, job: str) -> list[str]:
        """The event types told of one job, oldest first."""
        return [event.get("eventType", "JOB") for event in self.events(job)]

    def wait_for(self, job: str, *expected: str) -> None:
        """Return once the job's event types are exactly these, RUNNING left out."""
        self._wait(
            lambda: self.without_running(job) == list(expected),
            lambda: f"{job}: expected {expected}, told {self.types(job)}",
        )

    def wait_for_event(self, job: str, accept: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first event of the job that is accepted."""
        self._wait(
            lambda: any(map(accept, self.events(job))),
            lambda: f"{job}: none of {len(self.events(job))} events is the one waited for",
        )
        return next(filter(accept, self.events(job)))

    def without_running(self, job: str) -> list[str]:
        """The event types that begin or end something."""
        return [kind for kind in self.types(job) if kind != "RUNNING"]

    def _wait(self, done: Callable[[], bool], complaint: Callable[[], str]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not done():
            if time.monotonic() > deadline:
                raise AssertionError(f"{complaint()}\n{self.log.read_text()[-3000:]}")
            time.sleep(0.1)


class Buttons:
    """What an operator can do to the connectors of a real cluster."""

    def __init__(self, url: str) -> None:
        self._http = httpx2.Client(base_url=url, timeout=30)

    def put(self, name: str, config: dict[str, str]) -> None:
        """Create the connector or change its config."""
        self._ask("PUT", f"/connectors/{quote(name, safe='')}/config", json=config)

    def press(self, name: str, button: str) -> None:
        """pause, resume or stop."""
        self._ask("PUT", f"/connectors/{quote(name, safe='')}/{button}")

    def restart(self, name: str) -> None:
        """Restart the connector and its tasks."""
        self._ask("POST", f"/connectors/{quote(name, safe='')}/restart?includeTasks=true")

    def delete(self, name: str) -> None:
        """Delete the connector."""
        self._ask("DELETE", f"/connectors/{quote(name, safe='')}")

    def status(self, name: str) -> dict[str, Any]:
        """What REST says of it."""
        return self._http.get(f"/connectors/{quote(name, safe='')}/status").json()

    def close(self) -> None:
        """Give back the connections."""
        self._http.close()

    def _ask(self, method: str, path: str, **how: Any) -> None:
        """A write; a cluster in re-balance answers 409 or 500 and is asked again."""
        answer = self._http.request(method, path, **how)
        for _ in range(40):
            if answer.status_code not in {409, 500}:
                break
            time.sleep(0.5)
            answer = self._http.request(method, path, **how)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
