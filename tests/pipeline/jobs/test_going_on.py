"""Logs of chance, built piece by piece: every table is what one build of the whole makes."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from mainstem.names.identity import NO_ALIASES
from mainstem.pipeline.jobs.build import build
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget
from pipeline.contents import contents
from pipeline.logs import put
from pipeline.quarrels import quarrels

pytestmark = pytest.mark.spark
BEGAN = datetime(2026, 3, 1, 22, tzinfo=UTC)
JOBS, QUARRELS, PIECES = 80, 150, 2
FIELDS = ({"name": "id", "type": "int"}, {"name": "id", "type": "string"})


class Said(NamedTuple):
    """What an event is about."""

    at: datetime
    kind: str
    run: str
    job: str
    habit: int
    """Which inputs and which schema the job has now."""
    watched: bool


def log_of_a_job(draw: random.Random, job: str, count: int) -> list[list[bytes]]:
    """Events by the piece in which they come: runs mostly alike and in order, some not."""
    pieces: list[list[bytes]] = [[] for _ in range(count)]
    watched, habit = draw.random() < 0.3, draw.randrange(2)
    at = BEGAN + timedelta(minutes=draw.randrange(90))
    for run in range(draw.randrange(1, 7)):
        at += timedelta(minutes=draw.choice([0, 5, 60]))
        habit = draw.randrange(3) if draw.random() < 0.15 else habit
        piece = min(run * count // 5, count - 1)
        for step, kind in enumerate(["START", "RUNNING", "COMPLETE"][: draw.choice([1, 2, 3, 3])]):
            here = piece if draw.random() < 0.8 else draw.randrange(piece, count)
            minute = at + timedelta(minutes=step * draw.choice([1, 1, 30]))
            said = Said(minute, kind, f"{job}{run}", job, habit, watched)
            pieces[here].append(_event(draw, said))
    return pieces


def _event(draw: random.Random, said: Said, *, always: bool = False) -> bytes:
    """An event as bytes; unless it ``always`` does, one in ten names no dataset."""
    at, kind, run, job, habit, watched = said
    facets: dict[str, Any] = {}
    if watched:
        edge = {side: {"namespace": "n", "name": f"{job}-in"} for side in ("input", "output")}
        known = draw.choice(["config", "config", "seen"])
        facets["mainstem_connector"] = {
            "edges": [{**edge, "evidence": known}], "configVersion": str(habit % 2),
        }  # fmt: skip
    inputs = [{"namespace": "n", "name": name} for name in (f"{job}-in", "shared")[: 1 + habit]]
    output: dict[str, Any] = {"namespace": "s3a://b", "name": f"{job}-out"}
    if kind == "COMPLETE":
        source = {**inputs[0], "field": "id"}
        output["facets"] = {
            "schema": {"fields": [FIELDS[habit % 2]]},
            "columnLineage": {"fields": {"id": {"inputFields": [source]}}},
        }
    silent = draw.random() < 0.1 and not always
    moved = draw.random() < 0.03 and not always
    return orjson.dumps(
        {
            "eventTime": at.isoformat(),
            "eventType": kind,
            "producer": "https://test",
            "run": {"runId": f"00000000-0000-0000-0000-{int(run, 36) % 10**12:012}",
                    "facets": facets},
            "job": {"namespace": "j", "name": "another" if moved else job},
            **({} if silent else {"inputs": inputs, "outputs": [output]}),
        }
    )  # fmt: skip


def test_piece_by_piece_is_the_whole(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    compare(spark, tmp_path_factory.mktemp("going-on"), seed=616)


# A seed that fails is not made smaller: every try is four builds.
@pytest.mark.soak
@settings(max_examples=8, deadline=None, phases=[Phase.reuse, Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_logs_of_chance(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    compare(spark, tmp_path_factory.mktemp("going-on"), seed)


def test_what_is_only_told_again_moves_nothing_but_times(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A run that goes on, new ones, and a START that comes later than all else of the last run."""
    root = tmp_path_factory.mktemp("told-again")
    pieces: list[list[str]] = [[], []]
    draw = random.Random(0)
    for job in ("goes-on", "new-ones", "came-late"):
        for run in range(6):
            for minute, kind in enumerate(("START", "COMPLETE")):
                at = BEGAN + timedelta(hours=run, minutes=minute)
                said = Said(at, kind, f"{job[0]}{run}", job, 0, watched=False)
                later = {
                    "goes-on": run == 5 and kind == "COMPLETE",
                    "new-ones": run > 3,
                    "came-late": run == 5 and kind == "START",
                }[job]
                pieces[later].append(_event(draw, said, always=True).decode())
    before = tables_of_pieces(spark, root, pieces[:1], "told_again")
    written = dict(before.ledger.tables)
    after = tables_of_pieces(spark, root, pieces, "told_again")
    compare_with_the_whole(spark, root, pieces, after)
    moved = {name for name, snapshot in after.ledger.tables.items() if snapshot != written[name]}
    assert moved == {"event", "run", "use", "job", "job_version", "freshness", "daily_job_stats"}


def test_descriptions_without_a_run(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A second piece that no run is told of, and a third whose run is the first's own."""
    root = tmp_path_factory.mktemp("described")
    draw, said = random.Random(0), Said(BEGAN, "START", "a", "a", 0, watched=False)
    rest = {"eventTime": (BEGAN + timedelta(days=1)).isoformat(), "producer": "https://test"}
    dataset = {"namespace": "n", "name": "a-in", "facets": {"schema": {"fields": [FIELDS[0]]}}}
    later = said._replace(at=BEGAN + timedelta(days=2), kind="COMPLETE")
    pieces = [
        [_event(draw, said, always=True).decode()],
        [orjson.dumps({**rest, "dataset": dataset}).decode()],
        [
            orjson.dumps(
                {**rest, "job": {"namespace": "j", "name": "a"}, "inputs": [dataset]}
            ).decode()
        ],
        [_event(draw, later, always=True).decode()],
    ]
    compare_with_the_whole(spark, root, pieces, tables_of_pieces(spark, root, pieces, "described"))


def compare(spark: SparkSession, root: Path, seed: int, count: int = PIECES) -> None:
    draw = random.Random(seed)
    logs = [log_of_a_job(draw, f"{number}job", count) for number in range(JOBS)]
    told = quarrels(draw, BEGAN, groups=QUARRELS, pieces=count)
    pieces = [
        [*(line.decode() for log in logs for line in log[piece]), *told[piece]]
        for piece in range(count)
    ]
    target = tables_of_pieces(spark, root, pieces, f"going_on_{seed}")
    compare_with_the_whole(spark, root, pieces, target)


def tables_of_pieces(
    spark: SparkSession, root: Path, pieces: list[list[str]], name: str
) -> IcebergTarget:
    """The tables after a build for each piece; one that was built before is not built again."""
    target = IcebergTarget(spark, f"mainstem.{name}", f"{root}/tables-of-pieces")
    for number, piece in enumerate(pieces):
        if number >= target.ledger.builds:
            put(piece, root / "pieces", number, 1)
            build(spark, FileSource(spark, str(root / "pieces")), target, aliases=NO_ALIASES)
    return target


def compare_with_the_whole(
    spark: SparkSession, root: Path, pieces: list[list[str]], target: IcebergTarget
) -> None:
    put([line for piece in pieces for line in piece], root / "whole", 0, 1)
    whole = ParquetTarget(spark, f"{root}/tables-of-the-whole")
    build(spark, FileSource(spark, str(root / "whole")), whole, aliases=NO_ALIASES)
    mine, same = contents(target), contents(whole)
    for name, told in same.items():
        assert mine[name] == told, name
