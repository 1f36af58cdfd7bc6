"""Records what each pattern tells of the lab's Spark jobs, for ``docs/patterns.md``.

Run as ``python scripts/record_patterns.py [PATTERN…]``: starts the lab once per pattern, kills the
job that counts with ``kill -9``, heals it, ends the lab, and keeps the events of the Spark jobs in
``tests/samples/patterns``, without the facets that the comparison does not ask for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from mainstem.lab.place import Place
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.services.home import mainstem_home

SAMPLES = Path(__file__).parents[1] / "tests" / "samples" / "patterns"
NAMESPACE = "lab"
KEPT = {"columnLineage", "errorMessage", "outputStatistics", "inputStatistics"}


def lab(*words: str) -> None:
    """One command of the lab, its story on our standard error."""
    command = [sys.executable, "-m", "mainstem", "lab", *words]
    subprocess.run(command, check=True, stdout=sys.stderr, stderr=sys.stderr)


def without_the_rest(event: dict[str, Any]) -> dict[str, Any]:
    """The event with the facets that are compared alone, and the datasets by their names."""
    run, job = event["run"], event["job"]
    return {
        "eventTime": event["eventTime"],
        "eventType": event["eventType"],
        "run": {"runId": run["runId"], "facets": _kept(run)},
        "job": {"namespace": job["namespace"], "name": job["name"]},
        **{side: [_dataset(one) for one in event.get(side, ())] for side in ("inputs", "outputs")},
    }


def _dataset(dataset: dict[str, Any]) -> dict[str, Any]:
    found = {"namespace": dataset["namespace"], "name": dataset["name"], "facets": _kept(dataset)}
    for facets in ("inputFacets", "outputFacets"):
        if kept := {key: one for key, one in dataset.get(facets, {}).items() if key in KEPT}:
            found[facets] = kept
    return found


def _kept(holder: dict[str, Any]) -> dict[str, Any]:
    return {key: facet for key, facet in holder.get("facets", {}).items() if key in KEPT}


def record(pattern: Pattern) -> None:
    """Start the lab with a pattern, kill a job, heal it, end the lab, keep what was told."""
    lab("up", "--json", "--pattern", pattern)
    try:
        lab("break", "job")
        lab("heal", "job")
    finally:
        lab("down")
    place = Place(mainstem_home(os.environ) / "lab")
    lines = (line for file in place.every_events_file() for line in file.open())
    events = [event for line in lines if (event := json.loads(line)) and "run" in event]
    told = [one for one in events if one["job"]["namespace"] == NAMESPACE]
    told.sort(key=lambda event: event["eventTime"])
    texts = (json.dumps(without_the_rest(event), sort_keys=True) + "\n" for event in told)
    SAMPLES.mkdir(exist_ok=True)
    (SAMPLES / f"{pattern}.ndjson").write_text("".join(texts))


if __name__ == "__main__":
    for chosen in sys.argv[1:] or list(Pattern):
        record(Pattern(chosen))
