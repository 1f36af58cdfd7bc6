"""Events in files and a backend that was sent the same events give one picture."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from doctor_drawing import NOON, in_no_order
from mainstem.doctor.estate import read_estate
from mainstem.doctor.picture import Picture
from mainstem.doctor.reading.events import read_events
from mainstem.doctor.thinking import findings_in
from mainstem.errors import BadRecipe
from mainstem.serve.api.backend import Backend
from serve_fixtures import (
    client_of,
    columns,
    dataset,
    open_backend,
    post,
    run_event,
    schema,
    sqlite_url,
)

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
RECORDED = sorted(
    [*(SAMPLES / "spark-events").glob("*.ndjson"), *(SAMPLES / "lab").glob("*.ndjson")]
)


def of_files(path: Path) -> Picture:
    return read_events(path, lambda _: None)[0]


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Backend]:
    backend = open_backend(sqlite_url(tmp_path))
    yield backend
    backend.close()


@pytest.fixture
def client(backend: Backend) -> TestClient:
    return client_of(backend)


SPELLED = [
    Path(__file__).with_name("recorded") / f"{way}.ndjson"
    for way in ("debezium-list", "debezium-untold", "spark-agent-table-filled", "watcher")
]


@pytest.mark.parametrize("file", [*RECORDED, *SPELLED], ids=lambda file: file.name)
def test_recorded_events_give_the_picture_that_a_backend_gives(
    file: Path, client: TestClient
) -> None:
    post(client, *(orjson.loads(line) for line in file.read_bytes().splitlines()))
    told = read_estate(client.get("/api/v2/estate").content)
    assert in_no_order(of_files(file)) == in_no_order(told)


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.name)
def test_nothing_is_wrong_with_recorded_events(file: Path) -> None:
    """A topic that the sample's own jobs leave unread is the most that may be told."""
    assert {one.kind for one in findings_in(of_files(file))} <= {"topic-unread"}


def some_events(source: random.Random) -> list[dict[str, Any]]:
    """Runs that go on, end, are told again or of two jobs, with all that the doctor reads."""
    events: list[dict[str, Any]] = []
    snapshot = {"eventTrigger": "PERIODIC", "eventContentMode": "COMPLETE_SNAPSHOT"}
    for number in range(30):
        run = source.randrange(8)
        job = "job-0" if number == 9 else f"job-{run % 4}"
        names = source.sample("abcdef", 3)
        made = {**schema(*source.sample(["id", "price", "note"], 2))}
        if source.random() < 0.5:
            made |= columns(id=[(names[0], "id"), (names[1], "price")])
        if source.random() < 0.3:
            link = {"namespace": "hive://m:9083", "name": source.choice("xy")}
            made["symlinks"] = {"identifiers": [link]}
        facets: dict[str, Any] = {}
        if run % 4 == 1:
            facets["jobType"] = {"integration": "SPARK", "emissionPattern": snapshot}
        if run % 4 == 2:
            entry = {**dataset(names[2]), "type": "DATASET", "inputs": [dataset(names[0])]}
            facets["lineage"] = {"entries": [entry]}
        events.append(
            run_event(
                source.choice(["START", "RUNNING", "RUNNING", "COMPLETE", "FAIL"]),
                run=f"00000000-0000-4000-8000-00000000000{run}",
                job=job,
                time=f"2026-11-15T10:{number:02}:00.{source.randrange(10**9):09}Z",
                inputs=names[:2] if source.random() < 0.8 else [],
                outputs=[{**dataset(names[2]), "facets": made}],
                job_facets=facets,
                producer=f"https://example.com/{run % 2}",
            )
        )
    return events


@pytest.mark.parametrize("seed", range(6))
def test_any_order_gives_the_picture_that_a_backend_gives(
    seed: int, client: TestClient, tmp_path: Path
) -> None:
    source = random.Random(seed)
    events = some_events(source)
    post(client, *events)
    told = read_estate(client.get("/api/v2/estate").content)
    mixed = [*events, *source.sample(events, 5)]
    source.shuffle(mixed)
    file = tmp_path / "events.ndjson.gz"
    file.write_bytes(gzip.compress(b"\n".join(map(orjson.dumps, mixed))))
    assert in_no_order(of_files(file)) == in_no_order(told)


def test_a_directory_of_every_form(tmp_path: Path) -> None:
    events = [run_event(job=name, run=f"00000000-0000-4000-8000-00000000000{at}", outputs=[name])
              for at, name in enumerate("abcd")]  # fmt: skip
    (tmp_path / "one.json").write_bytes(orjson.dumps(events[0], option=orjson.OPT_INDENT_2))
    (tmp_path / "list.json").write_bytes(orjson.dumps(events[1:2]))
    below = tmp_path / "below"
    below.mkdir()
    (below / "lines.ndjson").write_bytes(b"\n".join([orjson.dumps(events[2]), b"", b"{}", b"{"]))
    (below / "packed.jsonl.gz").write_bytes(gzip.compress(orjson.dumps(events[3])))
    (tmp_path / "notes.txt").write_text("no events")
    picture, strange = read_events(tmp_path, lambda _: None)
    assert [job.name.name for job in picture.jobs] == ["a", "b", "c", "d"]
    assert strange == 2


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("x.ndjson", b"not json", "holds no OpenLineage event"),
        ("x.ndjson", b"", "holds no OpenLineage event"),
        ("x.ndjson.gz", b"not gzipped", "cannot be read"),
    ],
)
def test_what_is_no_file_of_events_is_said_to_be_none(
    tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadRecipe, match=why):
        of_files(tmp_path / name)


def test_the_latest_event_is_the_present(tmp_path: Path) -> None:
    """A file of last year does not make every run in it a silent one."""
    promised = {"processingType": "STREAMING", "emissionPattern": {"windowDuration": 60}}
    old = run_event(
        "RUNNING", outputs=["a"], job_facets={"jobType": promised}, time="2020-01-01T00:00:00Z"
    )
    file = tmp_path / "events.ndjson"
    file.write_bytes(orjson.dumps(old))
    assert [job.stale for job in of_files(file).jobs] == [False]
    other = "00000000-0000-4000-8000-000000000009"
    later = run_event(job="other", run=other, time="2020-01-01T00:04:00Z")
    file.write_bytes(orjson.dumps(old) + b"\n" + orjson.dumps(later))
    assert [job.stale for job in of_files(file).jobs] == [True, False]


def test_hostile_facets_count_as_unsaid(tmp_path: Path) -> None:
    event = run_event(
        outputs=[{**dataset("a"), "facets": {"schema": 3, "symlinks": {"identifiers": [1]}}}],
        job_facets={"jobType": [], "lineage": {"entries": "x"}},
        run_facets={"mainstem_connector": {"edges": {}}, "parent": None},
    )
    (tmp_path / "x.ndjson").write_bytes(orjson.dumps(event))
    picture = replace(of_files(tmp_path / "x.ndjson"), made_at=NOON)
    assert [one.columns for one in picture.datasets] == [()]
    assert findings_in(picture) == []
