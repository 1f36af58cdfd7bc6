"""Writes ``docs/patterns.md``: what each way to tell a Spark job's lineage tells, and misses.

Run as ``python scripts/patterns_page.py`` after ``scripts/record_patterns.py``; everything in the
tables is counted from the events that real runs of the lab told.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "tests" / "samples" / "patterns"
PAGE = ROOT / "docs" / "patterns.md"
TERMINAL = ("COMPLETE", "ABORT", "FAIL")
Event = dict[str, Any]

JOBS = (
    ("Live analytics: a stream from a topic to a topic", "live", ("mainstem", "listener")),
    ("Streaming ingestion: a stream from a topic to Iceberg", "ingestion", ("mainstem", "manual")),
    ("Batch summary: Iceberg to Iceberg", "summary", ("mainstem", "listener")),
)
TITLES = {
    "mainstem": "`mainstem.spark`",
    "listener": "listener (OpenLineage's agent)",
    "manual": "manual (OpenLineage's Python client)",
}
BEFORE = """# Three ways to tell the lineage of a Spark job

The lab runs the same Spark jobs in three ways, so that you can see what each tells and misses:

- **`mainstem.spark`** (`make lab`): two lines in each job.
- **Listener** (`make lab PATTERN=listener`): OpenLineage's agent for Spark in the JVM, which is a
  jar and a few settings, and nothing in the job; here for live analytics and the summary.
- **Manual orchestration** (`make lab PATTERN=manual`): OpenLineage's client for Python, called by
  hand: START, RUNNING with datasets and columns, and the end, whatever it is; here for ingestion
  (`src/mainstem/lab/jobs/ingestion_manual.py`).

With `mainstem lab up` the switch is `--pattern`. In all three the connectors are told by
`mainstem watch`, and the lab compares the graph on disk and in the API with the one that is
expected of the pattern. Every dataset has the same namespace and name, to the letter, whoever
tells it: that is why the graph stays in one piece.

The tables are made by `scripts/patterns_page.py` from the events of real runs, one per pattern
(`scripts/record_patterns.py`): the lab starts, the job that counts is killed with `kill -9` and
started again, and the lab is ended, which terminates both streams with SIGTERM.
"""
AFTER = """
## What follows from it

- A **listener** costs nothing to add. Of a stream it tells every
  micro-batch as a run of its own, under one job name for all streams of the application, without
  columns; what it was telling when the process was killed stays open, and an application that was
  terminated is told to be complete. Of tables whose Iceberg catalog is a database, as the lab's,
  it tells nothing: it takes every catalog that it does not know for Hive's, and gives up over an
  address without a host (`jdbc:…`). Helped past the address it gives the tables the names that
  `mainstem.spark` gives them, to the letter (`tests/lab/test_names.py`).
- **Manual orchestration** tells exactly what its author wrote, with the true end of everything
  that Python can see. It is more code than the job, every name and column in it is typed by hand
  and stays as it is when the query changes, and a `kill -9` is told by nobody.
- **`mainstem.spark`** reads the plan of each query, so that datasets and columns are those of the
  query that runs; it tells one run for as long as the stream lives, its true end, and after a
  `kill -9` the end of the old run when the job starts again.
"""


def events_of(pattern: str, job: str) -> list[Event]:
    """What was told of one application of a pattern."""
    lines = (SAMPLES / f"{pattern}.ndjson").read_text().splitlines()
    events = (json.loads(line) for line in lines)
    return [event for event in events if event["job"]["name"].startswith(job)]


def page() -> str:
    """The whole page."""
    return BEFORE + "".join(_section(*job) for job in JOBS) + AFTER


def _section(title: str, job: str, patterns: tuple[str, ...]) -> str:
    told = [events_of(pattern, job) for pattern in patterns]
    heads = " | ".join(TITLES[pattern] for pattern in patterns)
    rows = [
        ("jobs", *(_listed(event["job"]["name"] for event in one) for one in told)),
        ("runs", *(_runs(one) for one in told)),
        ("reads", *(_datasets(one, "inputs") for one in told)),
        ("writes", *(_datasets(one, "outputs") for one in told)),
        ("datasets are known", *(_first_with_datasets(one) for one in told)),
        ("columns", *(_columns(one) for one in told)),
        ("rows are counted", *(_counted(one) for one in told)),
        ("ends", *(_ends(one) for one in told)),
    ]
    text = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"\n## {title}\n\n| | {heads} |\n|{' --- |' * (len(patterns) + 1)}\n{text}\n"


def _by_job(events: list[Event]) -> Iterator[tuple[str, list[Event]]]:
    for name in dict.fromkeys(event["job"]["name"] for event in events):
        yield name, [event for event in events if event["job"]["name"] == name]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in dict.fromkeys(words)) or "nothing"


def _runs(events: list[Event]) -> str:
    counts = [
        f"{len({one['run']['runId'] for one in told})} of `{name}`"
        for name, told in _by_job(events)
    ]
    return ", ".join(counts)


def _datasets(events: list[Event], side: str) -> str:
    return _listed(sorted({without_port(one) for event in events for one in event[side]}))


def without_port(dataset: dict[str, Any]) -> str:
    """A dataset's name; the ports of a lab are others every time."""
    scheme, _, server = dataset["namespace"].partition("://")
    host = server.partition(":")[0] if scheme == "kafka" else server
    return f"{scheme}://{host} {dataset['name']}"


def _first_with_datasets(events: list[Event]) -> str:
    first = next((one for one in events if one["inputs"] and one["outputs"]), None)
    return f"with {first['eventType']}" if first else "never"


def _columns(events: list[Event]) -> str:
    pairs = {
        (source["field"], field)
        for event in events
        for output in event["outputs"]
        for field, made in output["facets"].get("columnLineage", {}).get("fields", {}).items()
        for source in made["inputFields"]
        if any(step["type"] == "DIRECT" for step in source.get("transformations", ()))
    }
    return ", ".join(f"{one} → {other}" for one, other in sorted(pairs)) or "none"


def _counted(events: list[Event]) -> str:
    facets = (
        dataset.get(facet, {})
        for event in events
        for side, facet in (("inputs", "inputFacets"), ("outputs", "outputFacets"))
        for dataset in event[side]
    )
    counted = any(one.get("rowCount") is not None for each in facets for one in each.values())
    return "yes" if counted else "no"


def _ends(events: list[Event]) -> str:
    """How the runs of each job ended by what was told of them."""
    told: list[str] = []
    for name, of_job in _by_job(events):
        last = {event["run"]["runId"]: event["eventType"] for event in of_job}
        counts = {kind: list(last.values()).count(kind) for kind in TERMINAL}
        open_runs = len(last) - sum(counts.values())
        words = [f"{count} {kind}" for kind, count in counts.items() if count]
        words += [f"{open_runs} never"] if open_runs else []
        told.append(f"`{name}`: {', '.join(words)}")
    return "; ".join(told)


if __name__ == "__main__":
    PAGE.write_text(page())
