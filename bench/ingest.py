"""One ingestion of many connectors: requests, wall and CPU time, beside DataHub's own source.

A local server, in a process of its own, answers as Connect does and takes 5 ms for each answer.
DataHub's source runs on the same server right after ours, where ``MAINSTEM_DATAHUB_PYTHON`` names
a Python that has ``acryl-datahub[kafka-connect]``. Sizes are arguments: ``bench/ingest.py 1000``.
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
            told = json.dumps(asked).encode()
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
    httpx2.get(f"{url}/asked")
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    requests: dict[str, int] = {}
    for target in httpx2.get(f"{url}/asked", timeout=60).json():
        kind = "look" if "expand" in target else target.rstrip("/").rpartition("/")[2]
        kind = "one connector" if kind.startswith("connector-") else kind or "root"
        requests[kind] = requests.get(kind, 0) + 1
    return Cost(wall, cpu, requests)


def measure(size: int, folder: Path) -> None:
    """Ours, and DataHub's where it is to be had."""
    with served(size) as url:
        recipe, config = folder / "recipe.yml", folder / "config.json"
        source = {"type": "kafka-connect", "config": {"connect_uri": url}}
        sink = {"type": "datahub-file", "config": {"filename": str(folder / "ours.json")}}
        recipe.write_text(yaml.safe_dump({"source": source, "sink": sink}))
        config.write_text(json.dumps({"connect_uri": url}))
        program = [sys.executable, "-m", "mainstem", "ingest", "-c", recipe]
        ours = cost_of([*program, "--journal", folder / "state.db"], url)
        show("mainstem ingest", size, ours)
        if python := os.environ.get("MAINSTEM_DATAHUB_PYTHON"):
            theirs = cost_of([python, DATAHUB_SOURCE, config, folder / "theirs.json"], url)
            show("DataHub's source", size, theirs)
            ratios = f"wall {theirs.wall / ours.wall:.1f}, CPU {theirs.cpu / ours.cpu:.1f}"
            print(f"  times faster: {ratios} (the bar: wall {BAR:.0f})")


def show(name: str, size: int, cost: Cost) -> None:
    """One line."""
    asked = ", ".join(f"{number} {kind}" for kind, number in sorted(cost.requests.items()))
    print(f"{name}, {size} connectors: wall {cost.wall:.1f} s, CPU {cost.cpu:.1f} s; {asked}")


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
