"""What a look costs: CPU, memory, requests, and the time from a change to its event.

A local server answers as Connect, a local server takes the events, and ``mainstem watch`` runs as
a user starts it. Sizes are arguments: ``bench/watch.py 10 100 1000 10000``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.connect.fake import FakeConnect

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERVAL = 5.0
QUIET_LOOKS = 4
CHANGES = 5
BAR = {"cpu seconds per look": 2.0, "megabytes": 300.0, "requests per look": 1.0}
LATE_BAR_SECONDS = INTERVAL + 0.2
QUIET = {"interval": INTERVAL, "heartbeat": 86400, "topics_refresh": 86400, "offsets_rate": 0}
"""Nothing but looks, so that one look can be told from all else that is asked."""

COUNTED_SECONDS = 60.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Counted:
    """A fake cluster whose whole answer is made once, so that only the watcher is measured."""

    connect: FakeConnect
    looks: int = 0
    others: int = 0
    body: bytes = b""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def whole(self) -> bytes:
        """The answer as it would be now."""
        return self.connect.answer("/connectors?expand=info&expand=status")[2]

    def answer(self, target: str) -> tuple[int, str, bytes]:
        """The whole cluster, or what is asked beside it."""
        with self.lock:
            if target.startswith("/connectors?"):
                self.looks += 1
                return 200, "application/json", self.body
            self.others += 1
        return self.connect.answer(target)


class Backend(ThreadingHTTPServer):
    """Takes events and notes when each job's came."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), TakingHandler)
        self.taken: dict[tuple[str, str], float] = {}
        self.latest = time.monotonic()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class TakingHandler(BaseHTTPRequestHandler):
    """Answers 201 to every event."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Take one event."""
        event = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, Backend)
        self.server.latest = time.monotonic()
        self.server.taken[event["job"]["name"], event["eventType"]] = self.server.latest
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silence."""


def cluster_of(size: int) -> Counted:
    """Half sources, half sinks, with configs as long as real ones are."""
    connect = FakeConnect()
    padding = {f"some.ordinary.setting.{number}": f"value {number}" for number in range(20)}
    for number in range(size):
        if number % 2:
            config = {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "database.hostname": "db", "database.dbname": f"shop{number}",
                "topic.prefix": f"p{number}", "table.include.list": "public.orders",
            }  # fmt: skip
            topics = (f"p{number}.public.orders",)
        else:
            config = {
                "connector.class": "FileStreamSink", "topics": f"t{number}",
                "file": f"/data/{number}",
            }  # fmt: skip
            topics = (f"t{number}",)
        connect.create(f"connector-{number}", config | padding).topics = topics
    counted = Counted(connect)
    counted.body = counted.whole()
    return counted


@contextmanager
def watching(
    url: str, backend: str, directory: Path, settings: dict[str, float]
) -> Iterator[subprocess.Popen[bytes]]:
    recipe = {"clusters": [{"urls": [url], "kafka": {"bootstrap": "b:9092"}, **settings}]}
    (directory / "recipe.yml").write_bytes(orjson.dumps(recipe))
    command = [sys.executable, "-m", "mainstem", "watch", "-c", str(directory / "recipe.yml")]
    environment = {**os.environ, "OPENLINEAGE_URL": backend}
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--journal", str(directory / "journal.db")],
            env=environment, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def wait_until(done: object, patience: float = 900) -> None:
    deadline = time.monotonic() + patience
    while not done():  # type: ignore[operator]
        assert time.monotonic() < deadline, "the watcher did not get there"
        time.sleep(0.02)


def measure(size: int, directory: Path) -> dict[str, float]:
    counted, backend = cluster_of(size), Backend()
    with (
        AnsweringServer(counted.answer) as server,
        watching(
            server.url, f"http://127.0.0.1:{backend.server_port}", directory, QUIET
        ) as process,
    ):
        wait_until(lambda: len({name for name, _ in list(backend.taken)}) == size)
        wait_until(lambda: counted.others >= size + 3)
        wait_until(lambda: time.monotonic() - backend.latest > 2 * INTERVAL)
        first_cpu = cpu_seconds(process.pid)
        looks, others = counted.looks, counted.others
        wait_until(lambda: counted.looks >= looks + QUIET_LOOKS)
        time.sleep(INTERVAL / 2)
        quiet_cpu = cpu_seconds(process.pid) - first_cpu
        seen, beside = counted.looks - looks, counted.others - others
        late = [time_to_tell(counted, backend, number) for number in range(CHANGES)]
        return {
            "connectors": size,
            "cpu seconds until all is told": first_cpu,
            "cpu seconds per look": quiet_cpu / seen,
            "megabytes": peak_megabytes(process.pid),
            "requests per look": 1 + beside / seen,
            "slowest change, seconds": max(late),
        }


def requests_per_hour(size: int, directory: Path) -> float:
    """All that is asked of a cluster at rest, by the settings of a recipe that says nothing."""
    counted, backend = cluster_of(size), Backend()
    with (
        AnsweringServer(counted.answer) as server,
        watching(server.url, f"http://127.0.0.1:{backend.server_port}", directory, {}),
    ):
        wait_until(lambda: len({name for name, _ in list(backend.taken)}) == size)
        before = counted.looks + counted.others
        time.sleep(COUNTED_SECONDS)
        return (counted.looks + counted.others - before) * 3600 / COUNTED_SECONDS


def time_to_tell(counted: Counted, backend: Backend, number: int) -> float:
    """From a change at the worst moment, right after a look was answered, to its event."""
    name = f"connector-{number}"
    counted.connect.pause(name)
    changed, looks = counted.whole(), counted.looks
    wait_until(lambda: counted.looks > looks)
    began = time.monotonic()
    counted.body = changed
    wait_until(lambda: (name, "COMPLETE") in backend.taken)
    return backend.taken[name, "COMPLETE"] - began


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or [10, 100, 1_000, 10_000]
    for size in sizes:
        with tempfile.TemporaryDirectory() as directory:
            figures = measure(size, Path(directory))
        with tempfile.TemporaryDirectory() as directory:
            figures["all requests per hour"] = requests_per_hour(size, Path(directory))
        print(", ".join(f"{name} {value:,.2f}" for name, value in figures.items()))
        missed = [name for name, bar in BAR.items() if figures[name] > bar]
        if figures["slowest change, seconds"] > LATE_BAR_SECONDS:
            missed.append("slowest change, seconds")
        if missed:
            print(f"  over the bar: {', '.join(missed)}")


if __name__ == "__main__":
    main()
