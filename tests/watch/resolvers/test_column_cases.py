"""Whole connectors with their topics' schemas, and what each column must be made from.

In an expectation ``"after.price ~*"`` is a field that is changed (``~``) and masked (``*``); ``+``
aggregates, ``|`` decides which rows arrive, ``?`` how a field does; ``"topic: field"`` where an
output has several inputs; nothing where connector or chain make the column up.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import ColumnSource, Resolution
from mainstem.watch.resolvers.told import connector_from

CASES = sorted((Path(__file__).parent / "column_cases").glob("*.json"))
MARKS = {"IDENTITY": "", "TRANSFORMATION": "~", "AGGREGATION": "+", "FILTER": "|"}
MARKS["CONDITIONAL"] = "?"


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 20


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_columns_are_made_from_what_the_case_says(file: Path) -> None:
    case = json.loads(file.read_text())
    told = resolve(connector_from(case["connector"], "kafka://b:9092"))
    assert isinstance(told, Resolution)
    assert columns_of(told) == case["expected"]
    assert list(told.notes) == case.get("notes", [])
    assert indirect_ones(told) == {
        one
        for column in told.columns
        for one in column.sources
        if one.transformation in {"FILTER", "CONDITIONAL"}
    }


def columns_of(told: Resolution) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    inputs: dict[str, set[str]] = {}
    for column in told.columns:
        names = {source.dataset.name for source in column.sources}
        inputs.setdefault(column.output.name, set()).update(names)
    for column in told.columns:
        several = len(inputs[column.output.name]) > 1
        sources = [source_of(one, several=several) for one in column.sources]
        found.setdefault(column.output.name, {})[column.field] = ", ".join(sources)
    return found


def source_of(source: ColumnSource, *, several: bool) -> str:
    mark = MARKS[source.transformation] + ("*" if source.masking else "")
    name = f"{source.dataset.name}: {source.field}" if several else source.field
    return f"{name} {mark}".rstrip()


def indirect_ones(told: Resolution) -> set[Any]:
    return {one for column in told.columns for one in column.sources if not one.direct}
