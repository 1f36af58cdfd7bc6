"""A real backend: the graph is cut, the doctor finds it, a fix heals it, undo cuts it again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from doctor_drawing import Doctor
from serve_fixtures import run_event
from serve_running import Running, running

ORDERS = "shop.public.orders"
SOURCE = {"namespace": "kafka://broker-1:9092", "name": ORDERS}
READ = {"namespace": "kafka://localhost:9092", "name": ORDERS}
LAKE = {"namespace": "s3://lake", "name": "wh/shop/orders"}
CATALOG = {"namespace": "hive://meta:9083", "name": "shop.orders"}
TABLE = {"namespace": "postgres://db:5432", "name": ORDERS}
REPORT = {"namespace": "postgres://dwh:5432", "name": "dwh.public.report"}


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(str(tmp_path_factory.mktemp("doctor") / "store.db")) as served:
        steps = (("capture", TABLE, SOURCE), ("ingest", READ, LAKE), ("sum", CATALOG, REPORT))
        for number, (job, source, target) in enumerate(steps):
            run = f"00000000-0000-4000-8000-00000000000{number}"
            event = run_event(run=run, job=job, inputs=[source], outputs=[target])
            assert httpx2.post(f"{served.url}/api/v1/lineage", json=event).status_code == 201
        yield served


def findings(doctor: Doctor, url: str) -> list[dict[str, Any]]:
    ran = doctor(url, "--json")
    assert ran.code == 0, ran.stderr
    return json.loads(ran.stdout)["findings"]


def reached(url: str) -> set[str]:
    """What lies downstream of the source table."""
    asked = {"node": f"dataset:{TABLE['namespace']}:{ORDERS}", "direction": "downstream"}
    answer = httpx2.get(f"{url}/api/v2/lineage", params={**asked, "depth": "20"})
    return {node["name"] for node in answer.json()["nodes"]}


def test_a_cut_graph_is_found_healed_and_cut_again(backend: Running, doctor: Doctor) -> None:
    assert "sum" not in reached(backend.url)
    cut = findings(doctor, backend.url)
    assert {one["kind"] for one in cut} == {"server-loopback", "iceberg-name"}
    assert httpx2.get(f"{backend.url}/api/v2/findings").json()["findings"] == cut

    fixed = doctor(backend.url, "--fix", "--yes")
    assert fixed.code == 0, fixed.stderr
    assert "+ alias kafka://localhost:9092 is kafka://broker-1:9092" in fixed.stdout
    assert REPORT["name"] in reached(backend.url)
    assert findings(doctor, backend.url) == []

    undone = doctor("--undo", "--yes")
    assert undone.code == 0, undone.stderr
    assert "sum" not in reached(backend.url)
    assert findings(doctor, backend.url) == cut
    assert httpx2.get(f"{backend.url}/api/v2/aliases").json() == {"aliases": [], "rejected": []}
    assert doctor("--undo", "--yes").code == 2


def test_two_fixes_are_taken_back_in_turn(backend: Running, doctor: Doctor) -> None:
    told = [findings(doctor, backend.url)]
    assert doctor(backend.url, "--fix", "--yes").code == 0
    again = {"namespace": "kafka://127.0.0.1:9092", "name": ORDERS}
    event = run_event(run="00000000-0000-4000-8000-000000000009", job="again", inputs=[again])
    assert httpx2.post(f"{backend.url}/api/v1/lineage", json=event).status_code == 201
    told.append(findings(doctor, backend.url))
    assert [one["kind"] for one in told[-1]] == ["server-loopback"]
    assert doctor(backend.url, "--fix", "--yes").code == 0
    assert "again" in reached(backend.url)

    assert doctor("--undo", "--yes").code == 0
    assert findings(doctor, backend.url) == told[1]
    assert REPORT["name"] in reached(backend.url)
    assert doctor("--undo", "--yes").code == 0
    first = {one["id"]: one for one in findings(doctor, backend.url)}
    assert [first.get(one["id"]) for one in told[0]] == told[0]
    assert httpx2.get(f"{backend.url}/api/v2/aliases").json() == {"aliases": [], "rejected": []}


def test_exit_codes_for_ci(backend: Running, doctor: Doctor, tmp_path: Path) -> None:
    assert doctor(backend.url).code == 0
    assert doctor(backend.url, "--fail-on", "error").code == 1
    assert doctor("http://127.0.0.1:9").code == 4
    assert doctor(str(tmp_path / "nowhere")).code == 2


def test_nothing_is_written_where_nobody_can_be_asked(backend: Running, doctor: Doctor) -> None:
    ran = doctor(backend.url, "--fix")
    assert ran.code == 2
    assert "--yes" in ran.stderr
    assert httpx2.get(f"{backend.url}/api/v2/aliases").json()["aliases"] == []
