"""Whole connectors with their topics' schemas, and what each column must be made from.

In an expectation ``"after.price ~*"`` is a field that is changed (``~``) and masked (``*``); ``+``
aggregates, ``?`` decides how a field arrives; what decides over rows stands under ``(every row)``,
with its subtype as a word; ``"topic: field"`` where an output has several inputs; nothing where
connector or chain make the column up.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import ColumnSource, Resolution
from mainstem.watch.resolvers.told import connector_from

CASES = sorted((Path(__file__).parent / "column_cases").glob("*.json"))
DIRECT = {"IDENTITY": "", "TRANSFORMATION": "~", "AGGREGATION": "+"}
MARKS = {**DIRECT, "CONDITIONAL": "?"}
ROWS = "(every row)"


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 20


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_columns_are_made_from_what_the_case_says(file: Path) -> None:
    case = json.loads(file.read_text())
    told = resolve(connector_from(case["connector"], "kafka://b:9092"))
    assert isinstance(told, Resolution)
    assert columns_of(told) == case["expected"]
    assert list(told.notes) == case.get("notes", [])
    sources = [one for column in told.columns for one in column.sources]
    assert all(one.direct == (one.transformation in DIRECT) for one in sources)


def columns_of(told: Resolution) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    inputs: dict[str, set[str]] = {}
    for column in told.columns:
        names = {source.dataset.name for source in column.sources}
        inputs.setdefault(column.output.name, set()).update(names)
    for column in told.columns:
        several = len(inputs[column.output.name]) > 1
        fields = found.setdefault(column.output.name, {})
        made_from, deciding = (
            [source_of(one, several=several) for one in column.sources if one.of_rows is of_rows]
            for of_rows in (False, True)
        )
        fields[column.field] = ", ".join(made_from)
        if deciding:
            assert fields.setdefault(ROWS, ", ".join(deciding)) == ", ".join(deciding)
    return found


def source_of(source: ColumnSource, *, several: bool) -> str:
    word = source.transformation.lower().replace("_", " ")
    mark = MARKS.get(source.transformation, word) + ("*" if source.masking else "")
    name = f"{source.dataset.name}: {source.field}" if several else source.field
    return f"{name} {mark}".rstrip()
