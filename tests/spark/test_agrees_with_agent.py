"""The OpenLineage agent's recorded answers to the same queries, wherever the agent is right.

It is not right about MERGE, whose columns it takes for their own, nor about the rows that a DELETE
leaves alone; and from the optimised plan it tells filters that no one wrote (a join key must not
be null) and Iceberg's own columns.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from mainstem.spark.lineage import DatasetKey, QueryLineage, Source
from mainstem.spark.plan import lineage_of
from spark_plans.stored import AGENTS_PLANS, load

EVENTS = Path(__file__).parents[1] / "samples" / "spark-events" / "batch-spark4.1.3.ndjson"
NAMES = sorted(file.stem for file in AGENTS_PLANS.glob("*.json"))
ONLY_DATASETS = {"replace_data.lake_db_cust_totals", "replace_data.lake_db_big"}


def _said_by_agent() -> dict[str, dict[str, Any]]:
    """The fullest event about each job: its last one with inputs and outputs."""
    text = EVENTS.read_text()
    text = text.replace("/data/wh-413/db/", "/data/wh/agent/").replace(
        "/data/wh-413/", "/data/agent/"
    )
    text = text.replace("file:/data/wh-413", "file:/data/wh").replace('"db.', '"agent.')
    events = [orjson.loads(line) for line in text.splitlines()]
    told = (event for event in events if event.get("inputs") and event.get("outputs"))
    said = {event["job"]["name"].split(".", 1)[1]: event for event in told}
    # About the inner write of CREATE TABLE AS SELECT it takes a group for a value.
    return {**said, "append_data.lake_db_big": said["atomic_create_table_as_select.db_big"]}


AGENT = _said_by_agent()


@pytest.mark.parametrize("name", NAMES)
def test_same_datasets_symlinks_and_schemas(name: str) -> None:
    lineage, event = _ours(name), AGENT[name]
    for ours, theirs in ((lineage.inputs, event["inputs"]), (lineage.outputs, event["outputs"])):
        assert {(each.namespace, each.name) for each in ours} == {
            (each["namespace"], each["name"]) for each in theirs
        }
        described = {(each["namespace"], each["name"]): each["facets"] for each in theirs}
        for dataset in ours:
            facets = described[dataset.key]
            links = facets.get("symlinks", {}).get("identifiers", [])
            assert [(x["namespace"], x["name"], x["type"]) for x in links] == list(dataset.symlinks)
            fields = [
                (field["name"], field["type"])
                for field in facets["schema"]["fields"]
                if not field["name"].startswith("_")
            ]
            assert [(field.name, field.type) for field in dataset.fields] == fields


@pytest.mark.parametrize("name", sorted(set(NAMES) - ONLY_DATASETS))
def test_same_columns(name: str) -> None:
    lineage, facet = _ours(name), _column_facet(AGENT[name])
    (key,) = lineage.columns
    ours = {column: list(found) for column, found in lineage.columns[key].items() if found}
    theirs = {column: _sources(said["inputFields"]) for column, said in facet["fields"].items()}
    assert ours == theirs


@pytest.mark.parametrize("name", sorted(set(NAMES) - ONLY_DATASETS))
def test_same_decisions_about_rows(name: str) -> None:
    lineage, facet = _ours(name), _column_facet(AGENT[name])
    (key,) = lineage.indirect
    joined = {
        source._replace(subtype="FILTER")
        for source in lineage.indirect[key]
        if source.subtype == "JOIN"
    }
    assert set(lineage.indirect[key]) == set(_sources(facet.get("dataset", []))) - joined


def _ours(name: str) -> QueryLineage:
    return lineage_of(load(name, AGENTS_PLANS)[0])


def _column_facet(event: dict[str, Any]) -> dict[str, Any]:
    return event["outputs"][0]["facets"]["columnLineage"]


def _sources(fields: list[dict[str, Any]]) -> list[Source]:
    return sorted(
        Source(
            DatasetKey(field["namespace"], field["name"]),
            field["field"],
            how["type"],
            how["subtype"],
            how["masking"],
        )
        for field in fields
        for how in field["transformations"]
    )
