"""Our own cases, one folder each: a config after the connector's documentation, and its lineage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mainstem.watch.resolvers import resolve
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


def as_expected(told: dict[str, Any]) -> dict[str, Any]:
    """An answer of ``explain`` cut down to what a case states."""
    return {
        "inputs": [[one["namespace"], one["name"]] for one in told["inputs"]],
        "outputs": [[one["namespace"], one["name"]] for one in told["outputs"]],
        "control": [[one["name"], one["kind"]] for one in told["control"]],
        "edges": [[one["input"]["name"], one["output"]["name"]] for one in told["edges"]],
        "unresolved": bool(told["unresolved"]),
    }
