"""What an event and a read cost ``mainstem serve``: CPU milliseconds of the server process.

Usage: bench/serve.py [--jobs 10000] [--without-postgres]. Writes 2,000 events of about 10 kB over 8
connections, one by one and in batches, to SQLite and to a real PostgreSQL, and searches 100,000
names on both; then asks a store of
10,000 jobs, 50,000 datasets and a million column edges, each question for the first time and again,
and once more after ten times as many events. The first time is the first for these nodes in a
server that nobody asked before; what one costs that does not wait until the server has asked itself
is told too. A real Marquez on PostgreSQL costs 67 to 120 ms per
event, 235 to 300 ms for the chain at depth 20, 800 ms for the layers, 12,000 ms for /jobs?limit=100
with 400 jobs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx2
import orjson
import psutil

FIELDS = 21
EVENTS, CONNECTIONS = 2000, 8
NAMESPACE = "postgres://bench:5432"
PORT = 5077
IDLE_MILLISECONDS = 3.0


def dataset(name: str, fields: int, sources: list[str] | None = None) -> dict[str, Any]:
    columns = [f"column_{at}" for at in range(fields)]
    facets: dict[str, Any] = {
        "schema": {
            "_producer": "https://bench",
            "_schemaURL": "https://openlineage.io/spec/facets/1-1-1/SchemaDatasetFacet.json",
            "fields": [
                {"name": one, "type": "VARCHAR", "description": f"what {one} means"}
                for one in columns
            ],
        },
        "dataSource": {"_producer": "https://bench", "name": "bench", "uri": NAMESPACE},
    }
    if sources:
        step = {"type": "DIRECT", "subtype": "IDENTITY", "description": "", "masking": False}
        facets["columnLineage"] = {
            "fields": {
                one: {
                    "inputFields": [
                        {
                            "namespace": NAMESPACE,
                            "name": source,
                            "field": one,
                            "transformations": [step],
                        }
                        for source in sources
                    ]
                }
                for one in columns
            }
        }
    return {"namespace": NAMESPACE, "name": name, "facets": facets}


def event(
    number: int, job: str, inputs: list[dict[str, Any]], outputs: list[dict[str, Any]], kind: str
) -> bytes:
    day, second = 15 + number // 400_000, number % 3600
    return orjson.dumps(
        {
            "eventType": kind,
            "eventTime": f"2026-11-{day:02}T10:{second // 60:02}:{second % 60:02}Z",
            "producer": "https://bench",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
            "run": {"runId": str(UUID(int=number // 2 + 1)), "facets": {}},
            "job": {
                "namespace": "bench",
                "name": job,
                "facets": {"sql": {"query": "SELECT 1 -- " + "x" * 1500}},
            },
            "inputs": inputs,
            "outputs": outputs,
        }
    )


def ingest_events() -> list[bytes]:
    made: list[bytes] = []
    for number in range(EVENTS):
        job = number // 2 % 200
        inputs = [dataset(f"in_{job}_{at}", 10) for at in range(2)]
        output = dataset(f"out_{job}", 10, [one["name"] for one in inputs])
        made.append(
            event(number, f"job_{job}", inputs, [output], "COMPLETE" if number % 2 else "START")
        )
    return made


def big_store(folder: Path, jobs: int, time: int = 0) -> Path:
    """NDJSON of one run of each job: a chain of 200, 10 layers of 20, and the rest in fives.

    Of 10,000 jobs that makes 50,021 datasets and 1,016,400 column edges. Another ``time`` the rest
    repeats only the names it reads and writes, so that ten times the events fit on a disk.
    """
    file = folder / "big.ndjson"
    with file.open("wb") as out:
        number = time * 400_000

        def job(name: str, inputs: list[str], outputs: list[str]) -> None:
            nonlocal number
            number += 2
            read = [{"namespace": NAMESPACE, "name": one} for one in inputs]
            short = time > 0 and name.startswith("rest")
            written = (
                [{"namespace": NAMESPACE, "name": one} for one in outputs]
                if short
                else [dataset(one, FIELDS, inputs[:1]) for one in outputs]
            )
            out.write(event(number, name, read, written, "COMPLETE") + b"\n")

        for at in range(200):
            job(f"chain_{at}", [f"chain_{at}"], [f"chain_{at + 1}"])
        for layer in range(10):
            for at in range(20):
                wide = [f"layer_{layer}_{other}" for other in range(20)]
                job(f"layer_{layer}_{at}", wide, [f"layer_{layer + 1}_{at}"])
        for at in range(jobs - 400):
            job(f"rest_{at}", [f"source_{at // 6}"], [f"made_{at}_{one}" for one in range(5)])
    return file


def keep_byte_code(folder: Path) -> None:
    """Let the servers find byte code from their second start on, as an installed package has it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "byte code")


class Server:
    """A real ``mainstem serve`` in its own process."""

    def __init__(self, store: str) -> None:
        started = time.perf_counter()
        code = f"from mainstem.cli.serve import serve; serve(port={PORT}, store={store!r})"
        self.process = subprocess.Popen([sys.executable, "-c", code])
        self.seen = psutil.Process(self.process.pid)
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=120)
        while True:
            try:
                self.client.get("/healthz")
                break
            except httpx2.TransportError:
                time.sleep(0.01)
        self.cold = time.perf_counter() - started
        self.cold_cpu = self.cpu()

    def wait_until_idle(self) -> float:
        """Let it ask itself first; answers the CPU milliseconds that took."""
        before = now = self.cpu()
        while True:
            time.sleep(0.5)
            last, now = now, self.cpu()
            if now - last < IDLE_MILLISECONDS:
                return now - before

    def cpu(self) -> float:
        """Milliseconds that its threads ran, to the nanosecond: a read takes less than a tick."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in threads) / 1e6

    def megabytes(self) -> float:
        return self.seen.memory_info().rss / 1e6

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def yardstick() -> None:
    """How fast this machine is just now."""
    body = ingest_events()[0]
    began = time.process_time()
    for _ in range(2000):
        orjson.loads(body)
    taken = (time.process_time() - began) / 2000 * 1e6
    print(f"this machine parses an event of {len(body) / 1e3:.1f} kB in {taken:.0f} microseconds")


def one_by_one(server: Server, events: list[bytes], bar: int) -> None:
    times: list[float] = []

    def send(part: list[bytes]) -> None:
        with httpx2.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=120) as client:
            for body in part:
                began = time.perf_counter()
                answer = client.post(
                    "/api/v1/lineage", content=body, headers={"Content-Type": "application/json"}
                )
                times.append((time.perf_counter() - began) * 1000)
                assert answer.status_code == 201, answer.text

    before, began = server.cpu(), time.perf_counter()
    parts = [events[at::CONNECTIONS] for at in range(CONNECTIONS)]
    threads = [threading.Thread(target=send, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - began
    times.sort()
    print(
        f"one by one: {len(events) / taken:.0f} events/s, p50 {statistics.median(times):.1f} ms, "
        f"p95 {times[int(len(times) * 0.95)]:.1f} ms, "
        f"CPU {(server.cpu() - before) / len(events):.2f} ms per event (bar: {bar})"
    )


def in_batches(server: Server, events: list[bytes]) -> None:
    before, began = server.cpu(), time.perf_counter()
    for at in range(0, len(events), 400):
        body = b"\n".join(events[at : at + 400])
        headers = {"Content-Type": "application/x-ndjson"}
        answer = server.client.post("/api/v1/lineage/batch", content=body, headers=headers)
        assert answer.json()["summary"]["failed"] == 0
    taken = time.perf_counter() - began
    print(
        f"in batches: {len(events) / taken:.0f} events/s, "
        f"CPU {(server.cpu() - before) / len(events):.2f} ms per event (bar: 0.5)"
    )


def read(server: Server, what: str, path: str, times: int = 20) -> None:
    before = server.cpu()
    answer = server.client.get(path)
    first = server.cpu() - before
    assert answer.status_code == 200, answer.text
    before = server.cpu()
    for _ in range(times):
        server.client.get(path)
    again = (server.cpu() - before) / times
    size = len(answer.content) / 1e3
    print(f"{what}: CPU {first:.1f} ms at first, {again:.1f} ms again, {size:.0f} kB (bar: 10)")


NODE = quote("job:bench:chain_100", safe="")
LAYERED = quote("job:bench:layer_5_0", safe="")
COLUMN = quote(f"dataset:{NAMESPACE}:chain_100", safe="")
READS = {
    "/lineage, chain of 200, depth 20": f"/api/v1/lineage?nodeId={NODE}&depth=20",
    "/lineage, 10 layers of 20": f"/api/v1/lineage?nodeId={LAYERED}&depth=20",
    "/column-lineage": f"/api/v1/column-lineage?nodeId={COLUMN}&depth=20",
    "/jobs?limit=100": "/api/v1/jobs?limit=100",
    "/search?q=chain_1": "/api/v1/search?q=chain_1",
    "/search?q=made, in most names": "/api/v1/search?q=made",
    "/api/v2/search?q=column_7": "/api/v2/search?q=column_7",
    "/api/v2/lineage, depth 20": f"/api/v2/lineage?node={NODE}&depth=20",
    "/api/v2/summary": "/api/v2/summary",
}


def reads(store: str) -> None:
    """Start, and ask: the large questions at once, then, of another server, all of them."""
    for what in ("/lineage, 10 layers of 20", "/jobs?limit=100"):
        server = Server(store)
        began = server.cpu()
        server.client.get(READS[what])
        print(f"{what}, asked at once after the start: CPU {server.cpu() - began:.1f} ms")
        server.stop()
    server = Server(store)
    print(
        f"cold start to first answer: {server.cold:.2f} s (bar: 1.5), CPU {server.cold_cpu:.0f} ms"
    )
    print(f"asking itself: CPU {server.wait_until_idle():.0f} ms")
    for what, path in READS.items():
        read(server, what, path)
    print(f"resident: {server.megabytes():.0f} MB (bar: 200)")
    server.stop()


def ingest_into(store: str, batch_store: str, bar: int) -> None:
    events = ingest_events()
    for target, send in (
        (store, lambda server: one_by_one(server, events, bar)),
        (batch_store, lambda server: in_batches(server, events)),
    ):
        server = Server(target)
        server.wait_until_idle()
        send(server)
        server.stop()


def on_postgres(folder: Path) -> None:
    from mainstem.lab.services.postgres import PostgresServer  # noqa: PLC0415 - an extra

    postgres = PostgresServer(folder)
    postgres.start()
    try:
        stores: list[str] = []
        for name in ("one", "batch", "names"):
            postgres.create_database(name)
            stores.append(f"postgresql://postgres@{postgres.host}:{postgres.port}/{name}")
        print("PostgreSQL (its own CPU is not counted):")
        ingest_into(stores[0], stores[1], bar=4)
        search_many_names(folder, stores[2])
    finally:
        postgres.stop()
        postgres.discard()


def fill(store: str, file: Path) -> None:
    began = time.perf_counter()
    code = (
        "from pathlib import Path; from mainstem.cli.importing import import_events;"
        f"import_events(Path({str(file)!r}), store={store!r})"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    print(f"imported in {time.perf_counter() - began:.0f} s")


def search_many_names(folder: Path, store: str) -> None:
    """100,000 names: what all begin with, what is in all, what is in few; and beyond names."""
    file = folder / "names.ndjson"
    with file.open("wb") as out:
        for at in range(1000):
            outputs = [
                {"namespace": NAMESPACE, "name": f"shop.public.table_{at}_{one}"}
                for one in range(100)
            ]
            out.write(event(at * 2, f"job_{at}", [], outputs, "COMPLETE") + b"\n")
    fill(store, file)
    server = Server(store)
    server.wait_until_idle()
    for what, word in (
        ("what all begin with", "shop"),
        ("what few begin with", "shop.public.table_999"),
        ("within all", "table"),
        ("within few", "_999_9"),
        ("one letter", "e"),
    ):
        read(server, f"100,000 names, {what}", f"/api/v1/search?q={word}")
    read(server, "100,000 names, of a namespace", "/api/v2/search?q=bench:5432")
    server.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=10_000, help="jobs of the big store")
    parser.add_argument("--without-postgres", action="store_true")
    given = parser.parse_args()
    yardstick()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        keep_byte_code(folder)
        ingest_into(str(folder / "one.db"), str(folder / "batch.db"), bar=2)
        if not given.without_postgres:
            on_postgres(folder)
        store = str(folder / "big.db")
        fill(store, big_store(folder, given.jobs))
        reads(store)
        print("the same jobs, run nine times more:")
        for time_more in range(1, 10):
            fill(store, big_store(folder, given.jobs, time_more))
        reads(store)
        search_many_names(folder, str(folder / "names.db"))
    yardstick()


if __name__ == "__main__":
    main()
