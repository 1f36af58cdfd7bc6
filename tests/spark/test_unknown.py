"""What is not known is said, and never told as complete."""

from __future__ import annotations

from typing import Any

import orjson

from mainstem.spark.captured import CapturedPlan, Place
from mainstem.spark.plan import lineage_of
from mainstem.spark.worker import thought_out

LEAF = Place("HadoopFsRelation", locations=("file:/in",))
OUT = Place("HadoopFsRelation", locations=("file:/out",))


def _node(kind: str, children: int, **fields: Any) -> dict[str, Any]:
    return {"class": f"org.apache.spark.sql.{kind}", "num-children": children, **fields}


def _attribute(number: int, called: str) -> list[dict[str, Any]]:
    identity = {"exprId": {"id": number}, "dataType": "long", "name": called}
    return [_node("AttributeReference", 0, **identity)]


def _plan(*above: dict[str, Any]) -> str:
    leaf = _node("LogicalRelation", 0, output=[_attribute(0, "a"), _attribute(1, "b")])
    return orjson.dumps([*above, leaf]).decode()


def test_a_node_of_a_later_spark() -> None:
    new = _node("Entangle", 1, output=[_attribute(7, "x")], child=0)
    lineage = lineage_of(CapturedPlan(_plan(new), {0: LEAF}, OUT, "Append"))
    assert lineage.opaque == ("Entangle",)
    assert [each.name for each in lineage.inputs] == ["/in"]
    assert lineage.columns == {("file", "/out"): {}}


def test_a_step_of_a_pipe_changes_nothing() -> None:
    step = _node("PipeOperator", 1, child=0)
    lineage = lineage_of(CapturedPlan(_plan(step), {0: LEAF}, OUT, "Append"))
    assert lineage.opaque == ()
    assert list(lineage.columns["file", "/out"]) == ["a", "b"]  # type: ignore[index]


def test_rows_that_an_unpivot_makes() -> None:
    rows = _node("Expand", 1, projections=None, output=[_attribute(0, "a"), _attribute(9, "value")])
    lineage = lineage_of(CapturedPlan(_plan(rows), {0: LEAF}, OUT, "Append"))
    assert lineage.opaque == ("Expand",)
    assert list(lineage.columns["file", "/out"]) == ["a"]  # type: ignore[index]


def test_a_column_that_no_child_gave() -> None:
    project = _node("Project", 1, projectList=[_attribute(0, "a"), _attribute(9, "x")], child=0)
    lineage = lineage_of(CapturedPlan(_plan(project), {0: LEAF}, OUT, "Append"))
    assert lineage.opaque == ("AttributeReference",)
    assert list(lineage.columns["file", "/out"]) == ["a"]  # type: ignore[index]


def test_a_leaf_whose_place_has_no_name() -> None:
    nameless = Place("SecretRelation")
    lineage = lineage_of(CapturedPlan(_plan(), {0: nameless}, OUT, "Append"))
    assert lineage.opaque == ("SecretRelation",)
    assert lineage.inputs == ()


def test_a_target_whose_place_has_no_name() -> None:
    lineage = lineage_of(CapturedPlan(_plan(), {0: LEAF}, Place("SecretSink"), "Append"))
    assert lineage.opaque == ("SecretSink",)
    assert lineage.outputs == ()


def test_a_target_that_keeps_nothing_is_no_secret() -> None:
    lineage = lineage_of(CapturedPlan(_plan(), {0: LEAF}, Place("NoopTable"), "Append"))
    assert lineage.opaque == ()
    assert lineage.outputs == ()


def test_a_function_for_each_row_may_write_anywhere() -> None:
    lineage = lineage_of(CapturedPlan(_plan(), {0: LEAF}, Place("ForeachWriterTable"), "Append"))
    assert lineage.opaque == ("ForeachWriterTable",)


def test_a_plan_that_cannot_be_thought_out_keeps_its_datasets() -> None:
    places = {0: LEAF, 1: Place("RateStreamTable"), 2: Place("SecretRelation")}
    lineage, why = thought_out(CapturedPlan('[{"class": "New"}]', places, OUT, "Append"), {})
    assert [each.name for each in lineage.inputs] == ["/in"]
    assert [each.name for each in lineage.outputs] == ["/out"]
    assert lineage.mode == "append"
    assert why is not None
    assert why.startswith("KeyError")
