"""Plans as loops make them: thousands of levels, expressions of thousands of terms."""

from __future__ import annotations

from typing import Any

import orjson

from mainstem.spark.captured import CapturedPlan, Place
from mainstem.spark.lineage import DatasetKey, Source
from mainstem.spark.plan import lineage_of

READ, WRITTEN = (Place("HadoopFsRelation", locations=(f"file:/{name}",)) for name in ("in", "out"))
KEY = DatasetKey("file", "/out")


def _attribute(number: int) -> dict[str, Any]:
    return _node("AttributeReference", 0, name="a", dataType="long", exprId={"id": number})


def _node(kind: str, children: int, **fields: Any) -> dict[str, Any]:
    return {"class": f"org.apache.spark.sql.{kind}", "num-children": children, **fields}


def _alias(number: int, *child: dict[str, Any]) -> list[dict[str, Any]]:
    return [_node("Alias", 1, child=0, name="a", exprId={"id": number}), *child]


def _captured(*nodes: dict[str, Any]) -> CapturedPlan:
    leaf = _node("LogicalRelation", 0, output=[[_attribute(0)]])
    plan = orjson.dumps([*nodes, leaf]).decode()
    return CapturedPlan(plan, {0: READ}, WRITTEN, "Append")


def test_a_plan_of_thousands_of_levels() -> None:
    levels = [
        _node("Project", 1, projectList=[_alias(number, _attribute(number - 1))], child=0)
        for number in range(3000, 0, -1)
    ]
    lineage = lineage_of(_captured(*levels))
    copied = Source(DatasetKey("file", "/in"), "a", "DIRECT", "IDENTITY")
    assert lineage.columns[KEY] == {"a": (copied,)}


def test_a_sum_of_thousands_of_terms() -> None:
    terms = [_node("Add", 2, left=0, right=1)] * 3000
    attributes = [_attribute(0)] * 3001
    column = _alias(1, *terms, *attributes)
    lineage = lineage_of(_captured(_node("Project", 1, projectList=[column], child=0)))
    summed = Source(DatasetKey("file", "/in"), "a", "DIRECT", "TRANSFORMATION")
    assert lineage.columns[KEY] == {"a": (summed,)}
