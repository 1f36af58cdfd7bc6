"""What ``mainstem doctor`` costs on 50,000 datasets through a real backend: seconds, CPU, memory.

Usage: bench/doctor.py [--flows 10000]. Each flow is a table, its topic, a lake's table, a summary
and a report, with columns and their lineage; one flow in a thousand calls its topic by another
name. The bar: 10 seconds and 500 MB for the doctor.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx2
import orjson
import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = 10
PORT = 5078
CUT_EVERY = 1000
Name = tuple[str, str]
STREAMING = {"jobType": {"processingType": "STREAMING", "integration": "KAFKA_CONNECT"}}
BATCH = {"jobType": {"processingType": "BATCH", "integration": "SPARK", "jobType": "SQL_JOB"}}


def dataset(name: Name, number: int, source: Name | None = None) -> dict[str, Any]:
    columns = [f"column_{at}_of_{number}" for at in range(COLUMNS)]
    facets: dict[str, Any] = {
        "schema": {"fields": [{"name": one, "type": "VARCHAR"} for one in columns]}
    }
    if source is not None:
        facets["columnLineage"] = {
            "fields": {
                one: {"inputFields": [{"namespace": source[0], "name": source[1], "field": one}]}
                for one in columns
            }
        }
    return {"namespace": name[0], "name": name[1], "facets": facets}


def steps(number: int) -> Iterator[tuple[str, Name, Name, dict[str, Any]]]:
    """The jobs of one flow, each with what it reads and writes."""
    table = f"shop.schema_{number % 50}.table_{number}"
    source = (f"postgres://db-{number % 20}:5432", table)
    topic = (f"kafka://broker-{number % 5}.example.com:9092", table)
    cut = ("kafka://unknown:unknown", table) if number % CUT_EVERY == 0 else topic
    lake = ("s3://lake", f"warehouse/schema_{number % 50}/table_{number}")
    total = ("snowflake://acme-main", f"DWH.PUBLIC.TABLE_{number}_TOTALS")
    report = ("snowflake://acme-main", f"DWH.REPORTS.REPORT_{number}")
    yield f"capture-{number}", source, topic, STREAMING
    yield f"sink-{number}", cut, lake, STREAMING
    yield f"sum-{number}", lake, total, BATCH
    yield f"report-{number}", total, report, BATCH


def write_events(file: Path, flows: int) -> None:
    at = 0
    with file.open("wb") as out:
        for number in range(flows):
            for job, source, target, facets in steps(number):
                at += 1
                event = {
                    "eventType": "COMPLETE",
                    "eventTime": f"2026-11-15T10:{at // 60 % 60:02}:{at % 60:02}Z",
                    "producer": "https://bench",
                    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
                    "run": {"runId": str(UUID(int=at)), "facets": {}},
                    "job": {"namespace": "bench", "name": job, "facets": facets},
                    "inputs": [dataset(source, number)],
                    "outputs": [dataset(target, number, source)],
                }
                out.write(orjson.dumps(event) + b"\n")


def doctor(source: str) -> dict[str, Any]:
    """One run of the verb in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    command = [sys.executable, "-m", "mainstem", "doctor", source, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    peak, watched = 0, psutil.Process(process.pid)
    parts: list[bytes] = []
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    while process.poll() is None:
        parts.append(process.stdout.read() or b"")
        if watched.is_running():
            try:
                status = Path(f"/proc/{process.pid}/status").read_text()
            except OSError:
                status = ""
            found = [line for line in status.splitlines() if line.startswith("VmHWM:")]
            peak = max(peak, *(int(line.split()[1]) for line in found), 0)
        time.sleep(0.02)
    parts.append(process.stdout.read() or b"")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads(b"".join(parts))
    return {
        "seconds": time.monotonic() - began,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "megabytes": peak / 1024,
        "kinds": dict(Counter(one["kind"] for one in told["findings"])),
    }


def said(what: str, found: dict[str, Any]) -> None:
    print(
        f"{what}: {found['seconds']:.1f} s, {found['cpu']:.1f} s of CPU, "
        f"{found['megabytes']:.0f} MB; {found['kinds']}"
    )


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--flows", type=int, default=10_000)
    flows = flags.parse_args().flows
    with tempfile.TemporaryDirectory() as folder:
        events, store = Path(folder) / "events.ndjson", str(Path(folder) / "store.db")
        write_events(events, flows)
        python = [sys.executable, "-m", "mainstem"]
        subprocess.run([*python, "import", str(events), "--store", store], check=True)
        server = subprocess.Popen([*python, "serve", "--port", str(PORT), "--store", store])
        url = f"http://127.0.0.1:{PORT}"
        try:
            wait_for(url)
            spent = psutil.Process(server.pid).cpu_times()
            said(f"{flows * 5:,} datasets, backend", doctor(url))
            now = psutil.Process(server.pid).cpu_times()
            used = now.user + now.system - spent.user - spent.system
            size = len(httpx2.get(f"{url}/api/v2/estate", timeout=60).content)
            print(f"the backend's share: {used:.1f} s of CPU; its answer: {size / 1e6:.0f} MB")
        finally:
            server.terminate()
            server.wait(30)
        said(f"{flows * 5:,} datasets, events", doctor(str(events)))


def wait_for(url: str) -> None:
    while True:
        try:
            if httpx2.get(f"{url}/readyz").status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
