"""OpenLineage's own agent and our tracker in one application: said once, and nothing twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from mainstem.lab.services.library import SPARK_AGENT, Library
from spark.told import Event, events_in, types

pytestmark = pytest.mark.spark

PROGRAM = Path(__file__).with_name("agent_program.py")


def test_each_tells_what_the_other_does_not(
    library: Library, tmp_path: Path, spark_variables: dict[str, str]
) -> None:
    ran = subprocess.run(
        [sys.executable, PROGRAM, library.ensure(SPARK_AGENT), tmp_path],
        env=spark_variables, cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("the OpenLineage agent runs in this application too") == 1

    ours = events_in(tmp_path / "events")
    assert {event["job"]["name"] for event in ours} == {"both.copy"}
    assert types(ours) == ["START", "COMPLETE"]
    assert "parent" not in ours[-1]["run"]["facets"], "the agent tells the application's run"
    numbers, copies = (("file", f"{tmp_path}/{name}") for name in ("numbers", "copies"))
    assert (_places(ours, "inputs"), _places(ours, "outputs")) == ({numbers}, {copies})

    agents = [orjson.loads(line) for line in (tmp_path / "agent").read_bytes().splitlines()]
    assert {event["job"]["namespace"] for event in agents + ours} == {"both"}
    assert numbers in _places(agents, "outputs"), "the batch write, under the name that we read it"
    assert not {event["run"]["runId"] for event in agents} & {e["run"]["runId"] for e in ours}


def _places(events: list[Event], side: str) -> set[tuple[str, str]]:
    return {(one["namespace"], one["name"]) for event in events for one in event[side]}
