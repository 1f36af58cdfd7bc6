"""One event to one row: the backend's word on what an event is, whatever was read before it."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from mainstem.errors import EventRefused
from mainstem.pipeline.steps.reading import Reader
from mainstem.pipeline.tables import EVENT
from mainstem.serve.ingest.reading import read_event
from serve_fixtures import dataset, mangled, run_event

KNOWN = run_event(inputs=["a"], outputs=["b"], job_facets={"lineage": {}, "tags": {}})
DECLARED = {
    "eventTime": KNOWN["eventTime"], "producer": KNOWN["producer"], "dataset": dataset("a"),
}  # fmt: skip
COUNTED = {"outputStatistics": {"rowCount": 3}}


def row(reader: Reader, event: Any) -> dict[str, Any]:
    values = reader.read(event if isinstance(event, bytes) else orjson.dumps(event))
    return dict(zip(EVENT.names[:-1], values, strict=True))


def reason(event: Any, *known: Any) -> str:
    """Why an event is refused by a reader that has read others."""
    reader = Reader()
    for one in known:
        row(reader, one)
    with pytest.raises(EventRefused) as caught:
        row(reader, event)
    return str(caught.value)


def why(refused: EventRefused) -> tuple[str, ...]:
    """Every mistake; the backend finds them in another order, since it takes events apart."""
    return tuple(sorted(refused.mistakes)) or (str(refused),)


def by_reader(reader: Reader, raw: bytes) -> tuple[Any, ...]:
    try:
        read = row(reader, raw)
    except EventRefused as refused:
        return why(refused)
    return tuple(read[name] for name in ("key", "kind", "type", "time", "producer", "run_id"))


def by_backend(raw: bytes) -> tuple[Any, ...]:
    try:
        read = read_event(raw)
    except EventRefused as refused:
        return why(refused)
    return (read.key, read.kind.value, read.type, read.time, read.producer, read.run_id)


@pytest.mark.parametrize("seed", range(4))
def test_mangled_events_are_read_or_refused_as_the_backend_does(seed: int) -> None:
    source, reader = random.Random(seed), Reader()
    row(reader, KNOWN)
    lines = [mangled(source) for _ in range(1000)]
    assert [by_reader(reader, one) for one in lines] == [by_backend(one) for one in lines]


@pytest.mark.parametrize(
    "wrong",
    [
        {"eventType": "WAT"},
        {"eventTime": 7},
        {"eventTime": "yesterday"},
        {"producer": "two words"},
        {"schemaURL": None},
        {"run": {"runId": ""}},
        {"run": {"runId": "r", "facets": {"parent": []}}},
        {"outputs": [{**dataset("b"), "outputFacets": {"outputStatistics": 3}}]},
        {"inputs": [{**dataset("a"), "inputFacets": []}]},
        {"inputs": {}},
        {"job": None},
    ],
    ids=str,
)
def test_what_was_read_before_excuses_nothing(wrong: dict[str, Any]) -> None:
    event = {**KNOWN, **wrong}
    counted = {**KNOWN, "outputs": [{**dataset("b"), "outputFacets": COUNTED}]}
    assert reason(event, KNOWN, counted, DECLARED) == "; ".join(by_backend(orjson.dumps(event)))


def test_a_run_without_a_job_is_none_though_a_declaration_names_its_dataset() -> None:
    event = {**KNOWN, "job": None, "inputs": [dataset("a")], "outputs": []}
    assert "job" in reason(event, DECLARED)


def test_a_row_does_not_depend_on_what_was_read_before() -> None:
    code = {"sourceCodeLocation": {"url": "https://code/1"}}
    window = {"jobType": {"emissionPattern": {"windowDuration": 60}}}
    events = [
        KNOWN,
        DECLARED,
        {**KNOWN, "outputs": [{**dataset("b"), "outputFacets": COUNTED}]},
        run_event("START", inputs=["a"], outputs=["b"], job_facets=code),
        run_event("START", inputs=["a"], outputs=["b"], job_facets=window),
        run_event("FAIL", inputs=["a"], outputs=["b"], job="another"),
        {**DECLARED, "job": KNOWN["job"], "inputs": KNOWN["inputs"]},
    ]
    reader = Reader()
    first = [row(reader, one) for one in events]
    assert [row(reader, one) for one in events] == first
    assert [row(Reader(), one) for one in events] == first
    assert [one["location"] for one in first[3:5]] == [("https://code/1",), None]
    assert [one["pattern"] for one in first[3:5]] == [None, (False, 60.0)]


@pytest.mark.parametrize("said", [r"C:\u0001", r"\u0000", r"u0000 \\ 0"])
def test_a_backslash_is_no_nul(said: str) -> None:
    row(Reader(), run_event(job_facets={"documentation": {"description": said}}))


def test_nul_is_refused_with_its_place() -> None:
    event = run_event(job_facets={"documentation": {"description": "\\ \0"}})
    assert reason(event).endswith("it is in $.job.facets.documentation.description")


def test_columns_are_one_content_in_whatever_order_they_are_told() -> None:
    steps = [{"type": "DIRECT", "subtype": "HASH", "masking": True}]
    source = {**dataset("a"), "field": "x", "transformations": steps}
    filtered = {**source, "field": "y", "transformations": [{"type": "INDIRECT"}]}
    turned = {**source, "transformations": [dict(reversed(steps[0].items()))]}
    reader = Reader()
    ids = [
        row(reader, run_event(outputs=[{**dataset("b"), "facets": {"columnLineage": facet}}]))
        for facet in (
            {"fields": {"q": {"inputFields": [source]}}, "dataset": [filtered]},
            {"dataset": [filtered], "fields": {"q": {"inputFields": [turned, turned]}}},
        )
    ]
    assert ids[0]["content_id"] == ids[1]["content_id"]
    (said,) = reader.contents.told.said
    spelled = '[{"masking":true,"subtype":"HASH","type":"DIRECT"}]'
    assert [(edge[0], *edge[2:]) for edge in said[5]] == [
        ("q", "y", '[{"type":"INDIRECT"}]', False, True),
        ("q", "x", spelled, True, False),
    ]


def test_what_is_remembered_is_read_as_before_and_not_told_again() -> None:
    source, first = random.Random(7), Reader()
    lines = [orjson.dumps(one) for one in (KNOWN, DECLARED)]
    lines += [mangled(source) for _ in range(500)]
    read = [by_reader(first, one) for one in lines]
    rows = [row(first, one) for one, found in zip(lines, read, strict=True) if len(found) == 6]
    second = Reader()
    for *_, told in first.contents.told.spellings:
        second.remember(told.encode())
    assert second.remembers == len(first.contents.told.spellings) > 10
    assert [by_reader(second, one) for one in lines] == read
    again = [row(second, one) for one, found in zip(lines, read, strict=True) if len(found) == 6]
    assert [orjson.dumps(one) for one in again] == [orjson.dumps(one) for one in rows]
    told = second.contents.told
    assert not any((told.contents, told.shapes, told.said, told.spellings))


def test_a_version_that_differs_with_every_run_is_no_other_spelling() -> None:
    reader = Reader()
    for version in ("1", "2"):
        named = {**dataset("a"), "facets": {"version": {"datasetVersion": version}}}
        row(reader, {**KNOWN, "inputs": [named]})
    assert len(reader.contents.told.spellings) == 1
