"""Logs of chance in which several tellers contradict each other about one dataset.

All that they ever say is mostly said in the first piece. Later pieces say some of it again, before,
between and after what was said, so that now this word stands and now that, and often the same.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import orjson

Facets = dict[str, Any]
HOURS = 1000
"""The time that all of it takes."""


def _source(group: str) -> Facets:
    return {"namespace": "n", "name": f"{group}-source", "field": "id"}


def _columns(field: str, group: str) -> Facets:
    return {"columnLineage": {"fields": {field: {"inputFields": [_source(group)]}}}}


def _links(kind: str, group: str) -> Facets:
    other = {"namespace": "hive://h", "name": f"{group}.other", "type": kind}
    return {"symlinks": {"identifiers": [other]}}


def _schema(kind: str, **more: Any) -> Facets:
    return {"schema": {"fields": [{"name": "id", "type": "int", **more}]}} | (
        {"mainstem_schema": {"registryId": 7}} if kind == "registered" else {}
    )


def words(group: str) -> list[list[Facets]]:
    """Per quarrel, what is said by turns."""
    return [
        [{"documentation": {"description": "one"}}, {"documentation": {"description": "two"}}],
        [{"documentation": {"description": "one"}}, {"documentation": {"_deleted": True}}, {}],
        [{"ownership": {"owners": [{"name": "a"}]}}, {"ownership": {"owners": [{"name": "b"}]}}],
        [{"tags": {"tags": [{"key": "a"}]}}, {"tags": {"tags": []}}, {}],
        [{"dataSource": {"name": "a"}}, {"dataSource": {"name": "b"}}],
        [{"datasetType": {"datasetType": "VIEW"}}, {"datasetType": {"datasetType": "TABLE"}}],
        [_links("TABLE", group), _links("VIEW", group), {}],
        [
            {"lifecycleStateChange": {"lifecycleStateChange": one}}
            for one in ("CREATE", "DROP", "ALTER")
        ],
        [_schema("said", type="string"), _schema("said", type="long"), {}],
        [_schema("said", description="one"), _schema("said", description="two")],
        [_schema("said", type="string"), _schema("registered", type="long"), _schema("said")],
        [_columns("a", group), _columns("b", group), {}],
        [_columns("a", group), _columns("b", group) | _schema("said")],
        [{"documentation": {"description": "one"}}],
    ]


class Turn(NamedTuple):
    """What one teller may say."""

    teller: str
    """A job that reads or writes, or a dataset's own event."""
    number: int
    producer: str
    said: Facets


def quarrel(draw: random.Random, group: str, pieces: int) -> list[list[tuple[float, Turn]]]:
    """Turns with their hours, by the piece in which they come."""
    sides = draw.choice(
        [["writes"], ["writes"], ["writes", "reads"], ["writes", "writes", "lineage"],
         ["reads", "reads"], ["dataset"], ["dataset", "writes"], ["lineage"]]
    )  # fmt: skip
    producers = draw.choice([["https://a"], ["https://a"], ["https://a", "https://b"]])
    by_turns = draw.choice(words(group))
    turns = [
        Turn(side, number, producer, said)
        for number, side in enumerate(sides)
        for said in by_turns
        for producer in producers
    ]
    first = [(draw.uniform(100, HOURS), one) for one in turns]
    told = [[one for one in first if draw.random() < 0.97]]
    for piece in range(1, pieces):
        again = [draw.choice(turns) for _ in range(draw.choice([0, 1, 1, 1, 2, 3]))]
        since = draw.choice([100, 100, 0, piece * HOURS, piece * HOURS])
        told.append([(draw.uniform(since, (piece + 1) * HOURS), one) for one in again])
    return told


def event(draw: random.Random, began: datetime, group: str, hour: float, turn: Turn) -> bytes:
    """A turn as an event."""
    dataset = {"namespace": "n", "name": group, "facets": turn.said}
    said: dict[str, Any] = {
        "eventTime": (began + timedelta(hours=hour)).isoformat(), "producer": turn.producer,
    }  # fmt: skip
    if turn.teller == "dataset":
        return orjson.dumps({**said, "dataset": dataset})
    job: dict[str, Any] = {"namespace": "q", "name": f"{group}-{turn.number}"}
    side: dict[str, Any] = {"outputs": [dataset]}
    if turn.teller == "reads":
        side = {"inputs": [dataset]}
    elif turn.teller == "lineage":
        columns = turn.said.get("columnLineage", {"fields": {}})["fields"]
        fields = {name: {"inputs": one["inputFields"]} for name, one in columns.items()}
        entry = {"namespace": "n", "name": group, "type": "DATASET", "fields": fields}
        job["facets"] = {"lineage": {"entries": [entry]}}
        dataset["facets"] = {
            name: one for name, one in turn.said.items() if name != "columnLineage"
        }
    # One run goes on for ever, so that no edge moves and hides what words do; some are short.
    run = 0 if draw.random() < 0.8 else draw.randrange(1, 10**6)
    known = int.from_bytes(f"{group}{turn.number}".encode()) % 10**6
    run_id = f"00000000-0000-0001-{turn.number:04}-{known:06}{run:06}"
    return orjson.dumps(
        {**said, "eventType": "RUNNING", "run": {"runId": run_id}, "job": job, **side}
    )


def quarrels(draw: random.Random, began: datetime, *, groups: int, pieces: int) -> list[list[str]]:
    """Lines by the piece in which they come."""
    lines: list[list[str]] = [[] for _ in range(pieces)]
    for number in range(groups):
        group = f"quarrel{number}"
        for piece, turns in enumerate(quarrel(draw, group, pieces)):
            lines[piece] += [event(draw, began, group, *one).decode() for one in turns]
    return lines
