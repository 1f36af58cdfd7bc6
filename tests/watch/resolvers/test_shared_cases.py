"""Real configs with the lineage they should give, read where they stand beside the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.told import as_json, connector_from

KAFKA = "kafka://broker-1:9092"
SHARED = next(
    (
        parent / "shared" / "cases"
        for parent in Path(__file__).resolve().parents
        if (parent / "shared" / "cases").is_dir()
    ),
    None,
)
if SHARED is None:
    pytest.skip("the shared cases are not beside this checkout", allow_module_level=True)
CASES: list[dict[str, Any]] = json.loads((SHARED / "connectors.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    document = {
        **case["connector"],
        "topics": case["topics"],
        "tasks": case.get("tasks"),
        "provided": case.get("provided"),
    }
    told = as_json(case["id"], resolve(connector_from(document, KAFKA)))
    tags = frozenset(case.get("tags", ()))
    for side in ("inputs", "outputs"):
        wrong = mistakes(case["expected"][side], told[side], tags, side)
        assert not wrong, (wrong, told)


def mistakes(
    expected: list[dict[str, Any]], told: list[dict[str, str]], tags: frozenset[str], side: str
) -> list[str]:
    """What a scorer that follows the tags would count against the answer."""
    if f"loose-{side[:-1]}" in tags:
        kinds = {kind(one) for one in expected}
        return [] if {kind(one) for one in told} == kinds else [f"{side}: another kind"]
    wanted = [spellings(one, tags) for one in expected]
    given = [spelling(one, tags) for one in told]
    missing = [f"missing {min(names)}" for names in wanted if not names & set(given)]
    invented = [f"invented {one}" for one in given if not any(one in names for names in wanted)]
    return missing + invented


def spellings(dataset: dict[str, Any], tags: frozenset[str]) -> set[tuple[str, str]]:
    return {spelling(one, tags) for one in (dataset, *dataset.get("accept", ()))}


def spelling(dataset: dict[str, str], tags: frozenset[str]) -> tuple[str, str]:
    namespace = dataset["namespace"].replace("kafka://BOOTSTRAP", KAFKA)
    name = dataset["name"]
    if tags & {"loose-namespace", "ns-not-in-spec"} and not namespace.startswith("kafka:"):
        namespace = ""
    if "case-insensitive" in tags:
        name = name.lower()
    return namespace, name


def kind(dataset: dict[str, str]) -> str:
    return dataset["namespace"].partition(":")[0]
