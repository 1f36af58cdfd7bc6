"""OpenLineage's own Spark agent, unchanged, as a client of a running backend."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mainstem.lab.services.library import SPARK_AGENT, Library
from mainstem.lab.services.spark import spark_environment
from serve_running import running

pytestmark = pytest.mark.spark

PROGRAM = Path(__file__).with_name("agent_program.py")
PATIENCE_SECONDS = 60


def test_what_the_agent_tells_stands_in_the_graph(library: Library, tmp_path: Path) -> None:
    jars = library.ensure(SPARK_AGENT)
    environment = {**os.environ, **spark_environment(tmp_path / "java", os.environ)}
    with running(f"sqlite:///{tmp_path}/store.db") as backend:
        command = [sys.executable, str(PROGRAM), str(jars), backend.url, str(tmp_path)]
        subprocess.run(command, env=environment, check=True, timeout=300)
        client = httpx2.Client(base_url=backend.url)
        orders, totals = f"{tmp_path}/orders", f"{tmp_path}/totals"

        jobs = jobs_of_an_ended_application(client)
        # of the look that Spark takes at a file's schema the agent tells no end
        writers = [job for job in jobs if job["outputs"]]
        assert {job["latestRun"]["state"] for job in writers} == {"COMPLETED"}
        wrote = {("file", totals): [{("file", orders)}], ("file", orders): [set()]}
        for place, inputs in wrote.items():
            of_it = [names(job["inputs"]) for job in writers if names(job["outputs"]) == {place}]
            assert of_it == inputs

        node = f"dataset:file:{totals}"
        asked = {"node": node, "depth": 5, "direction": "upstream"}
        walked = client.get("/api/v2/lineage", params=asked).json()
        assert f"dataset:file:{orders}" in {each["id"] for each in walked["nodes"]}
        columns = client.get("/api/v1/column-lineage", params={"nodeId": node}).json()
        sources = {
            each["data"]["field"]: {one["field"] for one in each["data"]["inputFields"]}
            for each in columns["graph"]
            if each["data"] and each["data"]["dataset"] == totals
        }
        assert "amount" in sources["total"]
        assert sources["customer"] >= {"customer"}


def jobs_of_an_ended_application(client: httpx2.Client) -> list[dict[str, Any]]:
    """The agent sends from a thread of its own: its last word comes a little after the end."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        jobs = client.get("/api/v1/namespaces/spark/jobs").json()["jobs"]
        if any(job["name"] == "agent" and job["latestRun"]["endedAt"] for job in jobs):
            return jobs
        assert time.monotonic() < deadline, jobs
        time.sleep(0.2)


def names(datasets: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(each["namespace"], each["name"]) for each in datasets}
