"""Our own cases, one folder each: a config after the connector's documentation, and its lineage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mainstem.watch.connect.redaction import AllowedKeys, redact
from mainstem.watch.resolvers import reads, resolve
from mainstem.watch.resolvers.told import as_json, connector_from

KAFKA = "kafka://broker:9092"
CASES = Path(__file__).parent / "cases"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/connector.json"))


@pytest.mark.parametrize("folder", FOLDERS, ids=[str(one.relative_to(CASES)) for one in FOLDERS])
def test_case(folder: Path) -> None:
    document = json.loads((folder / "connector.json").read_text())
    assert document["source"], "a case says which documentation it follows"
    told = as_json(document["name"], resolve(connector_from(document, KAFKA)))
    assert as_expected(told) == json.loads((folder / "expected.json").read_text())


@pytest.mark.parametrize("folder", FOLDERS, ids=[str(one.relative_to(CASES)) for one in FOLDERS])
def test_what_leaves_the_connect_room_tells_the_same(folder: Path) -> None:
    document = json.loads((folder / "connector.json").read_text())
    whole = connector_from(document, KAFKA)
    allowed = AllowedKeys(reads().names, reads().patterns)
    cut_down = replace(
        whole,
        config=redact(whole.config, allowed),
        tasks=tuple(redact(task, allowed) for task in whole.tasks),
    )
    assert as_json("c", resolve(cut_down)) == as_json("c", resolve(whole))


def _lists_topics(folder: Path) -> bool:
    document = json.loads((folder / "connector.json").read_text())
    return document.get("type") == "sink" and bool(document["config"].get("topics"))


SINKS = [folder for folder in FOLDERS if _lists_topics(folder)]


@pytest.mark.parametrize("folder", SINKS, ids=[str(one.relative_to(CASES)) for one in SINKS])
def test_seen_topics_change_nothing_that_a_sink_with_listed_ones_moves(folder: Path) -> None:
    """So that whoever does not tell how an edge is known need not ask for them."""
    document = json.loads((folder / "connector.json").read_text())
    connector = connector_from(document, KAFKA)
    listed = tuple(name.strip() for name in connector.config["topics"].split(","))
    told = [
        as_expected(as_json("c", resolve(replace(connector, topics=topics))))
        for topics in (None, listed[:1], (*listed, "of-an-earlier-config"))
    ]
    assert told[0] == told[1] == told[2]


def as_expected(told: dict[str, Any]) -> dict[str, Any]:
    """An answer of ``explain`` cut down to what a case states."""
    return {
        "inputs": [[one["namespace"], one["name"]] for one in told["inputs"]],
        "outputs": [[one["namespace"], one["name"]] for one in told["outputs"]],
        "control": [[one["name"], one["kind"]] for one in told["control"]],
        "edges": [[one["input"]["name"], one["output"]["name"]] for one in told["edges"]],
        "unresolved": bool(told["unresolved"]),
    }
