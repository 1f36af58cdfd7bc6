"""One ingestion of many connectors: requests, wall and CPU time, beside DataHub's own source.

A local server, in a process of its own, answers as Connect does and takes 5 ms for each answer.
DataHub's source runs on the same server right after ours, where ``MAINSTEM_DATAHUB_PYTHON`` names
a Python that has ``acryl-datahub[kafka-connect]``. Sizes are arguments: ``bench/ingest.py 1000``.

Both read the same cluster, and both write a file of DataHub's proposals. A figure is that of the
whole process: ours the command as a user calls it, theirs a pipeline without the command line
around it, which is the shorter way. Start-up is the same with one connector, once bytecode is there
for both, as after an installation; it is in the other figures too, and what remains without it is
told beside. The server's CPU is told as well: both share the machine with it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx2
import yaml

from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.connect.fake import FakeConnect

if TYPE_CHECKING:
    from collections.abc import Iterator

LATENCY_SECONDS = 0.005
DATAHUB_SOURCE = Path(__file__).resolve().parents[1] / "scripts" / "datahub_source.py"
SERVE = "--serve"
BAR = 20.0


class Cost(NamedTuple):
    """What one run took."""

    wall: float
    cpu: float
    server_cpu: float
    requests: dict[str, int]


def cluster(size: int) -> FakeConnect:
    """As many connectors, of kinds that both sources know."""
    connect = FakeConnect()
    for number in range(size):
        config = {
            "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
            "connection.url": f"jdbc:mysql://db-{number % 7}:3306/shop",
            "table.whitelist": f"orders_{number}",
            "topic.prefix": "in-",
        }
        if number % 2:
            config = {
                "connector.class": "io.confluent.connect.s3.S3SinkConnector",
                "s3.bucket.name": "lake",
                "topics": f"in-orders_{number}",
            }
        connect.create(f"connector-{number}", config).topics = (f"in-orders_{number}",)
    return connect


def serve(size: int) -> None:
    """Answer until standard input ends; say what was asked where that is asked."""
    connect = cluster(size)
    whole = connect.answer("/connectors?expand=info&expand=status")
    asked: list[str] = []

    def answer(target: str) -> tuple[int, str, bytes]:
        if target == "/asked":
            told = json.dumps({"asked": asked, "cpu": time.process_time()}).encode()
            asked.clear()
            return 200, "application/json", told
        asked.append(target)
        time.sleep(LATENCY_SECONDS)
        return whole if "expand" in target else connect.answer(target)

    with AnsweringServer(answer) as server:
        print(server.url, flush=True)
        sys.stdin.read()


@contextmanager
def served(size: int) -> Iterator[str]:
    """The server in a process of its own."""
    command = [sys.executable, __file__, SERVE, str(size)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()


def cost_of(command: list[Any], url: str) -> Cost:
    """Run it, and ask the server what was asked."""
    served = httpx2.get(f"{url}/asked").json()["cpu"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    requests: dict[str, int] = {}
    told = httpx2.get(f"{url}/asked", timeout=60).json()
    for target in told["asked"]:
        kind = "look" if "expand" in target else target.rstrip("/").rpartition("/")[2]
        kind = "one connector" if kind.startswith("connector-") else kind or "root"
        requests[kind] = requests.get(kind, 0) + 1
    return Cost(wall, cpu, told["cpu"] - served, requests)


class Contest:
    """Ours, and DataHub's where it is to be had, on one cluster."""

    def __init__(self, url: str, folder: Path) -> None:
        recipe, config = folder / "recipe.yml", folder / "config.json"
        source = {"type": "kafka-connect", "config": {"connect_uri": url}}
        sink = {"type": "datahub-file", "config": {"filename": str(folder / "ours.json")}}
        recipe.write_text(yaml.safe_dump({"source": source, "sink": sink}))
        config.write_text(json.dumps({"connect_uri": url}))
        program = [sys.executable, "-m", "mainstem", "ingest", "-c", recipe]
        self._url = url
        self._state = folder / "state.db"
        self._ours = [*program, "--journal", self._state]
        python = os.environ.get("MAINSTEM_DATAHUB_PYTHON")
        self._theirs = [python, DATAHUB_SOURCE, config, folder / "theirs.json"] if python else None

    def run(self) -> tuple[Cost, Cost | None]:
        """Each once; ours as if for the first time."""
        for file in self._state.parent.glob(f"{self._state.name}*"):
            file.unlink()
        ours = cost_of(self._ours, self._url)
        return ours, cost_of(self._theirs, self._url) if self._theirs else None


def measure(size: int, folder: Path) -> None:
    """Start-up, then a cluster of this size."""
    with served(1) as url:
        contest = Contest(url, folder)
        contest.run()
        start = contest.run()
    show("start-up", start)
    with served(size) as url:
        whole = Contest(url, folder).run()
    show(f"{size} connectors", whole)
    show(f"{size} connectors without start-up", tuple(map(_without, whole, start)))


def _without(whole: Cost | None, start: Cost | None) -> Cost | None:
    if whole is None or start is None:
        return None
    wall, cpu = whole.wall - start.wall, whole.cpu - start.cpu
    return Cost(wall, cpu, whole.server_cpu - start.server_cpu, whole.requests)


def show(what: str, costs: tuple[Cost | None, ...]) -> None:
    """A line for each, and how many times faster ours is."""
    ours, theirs = costs
    assert ours
    for name, cost in (("mainstem ingest", ours), ("DataHub's source", theirs)):
        if cost is not None:
            kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(cost.requests.items()))
            took = f"wall {cost.wall:.2f} s, CPU {cost.cpu:.2f} s"
            print(f"{what}: {name}: {took} (the server's {cost.server_cpu:.2f} s); {kinds}")
    if theirs is not None:
        ratios = f"wall {theirs.wall / ours.wall:.1f}, CPU {theirs.cpu / ours.cpu:.1f}"
        print(f"{what}: times faster: {ratios} (the bar for 1,000: wall {BAR:.0f})")


def main() -> None:
    """Measure each size."""
    if sys.argv[1:2] == [SERVE]:
        serve(int(sys.argv[2]))
        return
    for size in map(int, sys.argv[1:] or ["1000"]):
        with tempfile.TemporaryDirectory() as folder:
            measure(size, Path(folder))


if __name__ == "__main__":
    main()
