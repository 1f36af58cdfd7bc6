"""OpenLineage's agent calls the tables of the lake what everybody else in the lab calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lab.conftest import RunningLab
from mainstem.lab.checks.graph import Node
from mainstem.lab.scenarios.expected import SUMMARY, expected_edges
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.scenarios.pipeline import JOBS
from mainstem.lab.services.spark import write_spark_defaults
from mainstem.lab.services.spark_job import SparkJob

TRANSPORT = "spark.openlineage.transport"


def readable_by_the_agent(settings: dict[str, str], events: Path) -> dict[str, str]:
    """The settings, with the catalog's address where the agent does not stumble over it.

    It takes every catalog that it does not know for Hive's, and gives up over an address without a
    host. Iceberg reads its settings whatever their case, the agent does not; the metastore that it
    finds instead is asked by nobody and only makes it go on, to the place of the table's files.
    Since it also makes a name of that metastore's, the backend is not told.
    """
    kept = {key: one for key, one in settings.items() if not key.startswith(TRANSPORT)}
    address = kept.pop("spark.sql.catalog.lake.uri")
    return {
        **kept,
        "spark.sql.catalog.lake.URI": address,
        "spark.hadoop.hive.metastore.uris": "thrift://nobody:9083",
        f"{TRANSPORT}.type": "file",
        f"{TRANSPORT}.location": str(events),
    }


def nodes(events: list[dict[str, Any]], side: str) -> set[Node]:
    return {Node(one["namespace"], one["name"]) for event in events for one in event[side]}


@pytest.mark.lab
@pytest.mark.soak
@pytest.mark.parametrize("running_lab", [Pattern.LISTENER], indirect=True)
def test_the_agent_names_tables_as_mainstem_does(running_lab: RunningLab, tmp_path: Path) -> None:
    environment = dict(running_lab.pipeline.summary.environment())
    lines = (Path(environment["SPARK_CONF_DIR"]) / "spark-defaults.conf").read_text().splitlines()
    settings = dict(line.split(" ", 1) for line in lines)
    told = tmp_path / "told.ndjson"
    defaults = write_spark_defaults(tmp_path / "conf", readable_by_the_agent(settings, told))
    script = JOBS / f"{Pattern.LISTENER.script('summary')}.py"
    job = SparkJob(
        tmp_path / "job", script, (), {**environment, **defaults}, events=told, told_as="summary"
    )
    job.run()
    events = [json.loads(line) for line in told.read_text().splitlines()]
    edges = [edge for edge in expected_edges(running_lab.pipeline.addresses) if edge.job == SUMMARY]
    assert nodes(events, "inputs") == {edge.source for edge in edges}
    assert nodes(events, "outputs") == {edge.target for edge in edges}
