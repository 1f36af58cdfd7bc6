"""The events of a company's runs, as lines: mostly in order, some late, some repeated, few broken.

The same seed gives the same bytes. A line is joined from parts that are written once per job, so
that a million events take seconds and what is measured is their reading.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from estate.company import AIRFLOW, FACETS, Company, Job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PERIOD = timedelta(days=90)
JOBS, DATASETS, SEED = 20_000, 50_000, 11
FIRST_CHANGE_AT = 0.6
"""How much of the period has gone by when jobs begin to change."""
RUNNING_SHARE, FAILING_SHARE, OPEN_SHARE = 0.25, 0.04, 0.01
LATE_SHARE, REPEATED_SHARE, BROKEN_SHARE = 0.02, 0.01, 0.00005
EVENTS_OF_A_RUN = 2 + RUNNING_SHARE - OPEN_SHARE + REPEATED_SHARE * 2
LATE_BY = 4096
"""How many lines after its turn a late event comes, at most."""
ERROR = b"""org.apache.spark.SparkException: Job aborted due to stage failure: Task 3 failed"""


class Fate(NamedTuple):
    """What becomes of one run."""

    started: datetime
    seconds: float
    state: bytes
    has_running: bool


def lines(count: int, *, extra: int = 0, seed: int = SEED) -> Iterator[bytes]:
    """``count`` lines, then ``extra`` that follow them in time; a longer log has the same start."""
    company = Company(JOBS, DATASETS, seed)
    draw = random.Random(seed)  # noqa: S311 - a benchmark's chances
    waiting: list[list[bytes]] = [[] for _ in range(LATE_BY)]
    step = PERIOD / (count / EVENTS_OF_A_RUN)
    told, turn, number = 0, 0, 0
    while told < count + extra:
        due = waiting[turn % LATE_BY]
        waiting[turn % LATE_BY] = []
        job = company.jobs[(number * 7919) % len(company.jobs)]
        fate = _fate(draw, BEGIN + number * step)
        for place, line in enumerate(_run(company, job, number, fate)):
            late = draw.random() < LATE_SHARE
            wait = draw.randrange(1, LATE_BY) if late else place * draw.randrange(1, 40)
            (waiting[(turn + wait) % LATE_BY] if wait else due).append(line)
            if draw.random() < REPEATED_SHARE:
                waiting[(turn + draw.randrange(1, LATE_BY)) % LATE_BY].append(line)
        if draw.random() < BROKEN_SHARE * EVENTS_OF_A_RUN:
            due.append(b'{"eventTime":"2026-01-01T00:00:00Z","eventType":')
        for line in due[: count + extra - told]:
            yield line
        told += len(due)
        turn, number = turn + 1, number + 1


def write(directory: Path, count: int, extra: int = 0, files: int | None = None) -> None:
    """``count`` events in files below ``events``, ``extra`` in one below ``more``."""
    told = lines(count, extra=extra)
    shares = files or max(8, count // 125_000)
    (directory / "events").mkdir(parents=True)
    for number in range(shares):
        here = count * (number + 1) // shares - count * number // shares
        _write_file(directory / "events" / f"part-{number:03}.ndjson", told, here)
    if extra:
        (directory / "more").mkdir()
        _write_file(directory / "more" / "part-000.ndjson", told, extra)


def _write_file(path: Path, told: Iterator[bytes], count: int) -> None:
    with path.open("wb", buffering=1 << 20) as out:
        for _, line in zip(range(count), told, strict=False):
            out.write(line)
            out.write(b"\n")


def _fate(draw: random.Random, started: datetime) -> Fate:
    chance = draw.random()
    state = b"COMPLETE"
    if chance < FAILING_SHARE:
        state = b"FAIL"
    elif chance < FAILING_SHARE + OPEN_SHARE:
        state = b""
    return Fate(started, draw.uniform(5, 3000), state, draw.random() < RUNNING_SHARE)


def _run(company: Company, job: Job, number: int, fate: Fate) -> Iterator[bytes]:
    later = fate.started - BEGIN > PERIOD * (FIRST_CHANGE_AT + 0.3 * (job.number % 10) / 10)
    words = company.words(job, later=later)
    run = b'"run":{"runId":"%b","facets":{%b' % (
        _run_id(number, fate.started),
        _parent(job, number, fate.started),
    )
    opening = b"%b}},%b,%b}" % (run, words.job, words.opening)
    yield b"%b%b" % (_head(fate.started, b"START"), opening)
    if fate.has_running:
        half = fate.started + timedelta(seconds=fate.seconds / 2)
        yield b"%b%b" % (_head(half, b"RUNNING"), opening)
    ended = fate.started + timedelta(seconds=fate.seconds)
    if fate.state == b"COMPLETE":
        rows = b"%d" % (number * 37 % 100_000)
        outcome = rows.join(words.closing)
        yield b"%b%b}},%b,%b}" % (_head(ended, fate.state), run, words.job, outcome)
    elif fate.state:
        failed = b"%b,%b" % (run, _ERROR_FACET)
        yield b"%b%b}},%b,%b}" % (_head(ended, fate.state), failed, words.job, words.opening)


def _head(at: datetime, state: bytes) -> bytes:
    told = at.isoformat(timespec="milliseconds")[:-6].encode()
    return b'{"eventTime":"%bZ","eventType":"%b",' % (told, state)


def _run_id(number: int, at: datetime) -> bytes:
    """Version 7, as agents make them: when the run began, then what no two numbers share."""
    millis = b"%012x" % int(at.timestamp() * 1000)
    mixed = b"%018x" % ((number * 0x9E3779B97F4A7C15F3) % (1 << 72))
    return b"%b-%b-7%b-8%b-%b" % (millis[:8], millis[8:], mixed[:3], mixed[3:6], mixed[6:])


def _parent(job: Job, number: int, at: datetime) -> bytes:
    return (
        b'"parent":{"_producer":"%b","_schemaURL":"%b/1-1-0/ParentRunFacet.json#/$defs/'
        b'ParentRunFacet","run":{"runId":"%b"},"job":{"namespace":"airflow","name":"team%d.'
        b'pipeline_%d"}}'
        % (
            AIRFLOW.encode(),
            FACETS.encode(),
            _run_id((1 << 60) + number // 10, at.replace(minute=0, second=0, microsecond=0)),
            job.number % 40,
            job.number // 10,
        )
    )


_ERROR_FACET = (
    b'"errorMessage":{"_producer":"%b","_schemaURL":"%b/1-0-1/ErrorMessageRunFacet.json#/$defs/'
    b'ErrorMessageRunFacet","message":"%b","programmingLanguage":"JAVA"}'
    % (AIRFLOW.encode(), FACETS.encode(), ERROR)
)
