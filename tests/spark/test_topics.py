"""The topic of each row: told where the query says it, and never put together from its parts."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from mainstem.spark.captured import CapturedPlan, Place
from mainstem.spark.plan import lineage_of

LEAF = Place("HadoopFsRelation", locations=("file:/in",))
KAFKA = Place("KafkaTable", options={"kafka.bootstrap.servers": "b:9092"})

Nodes = list[dict[str, Any]]


def _node(kind: str, *children: Nodes, **fields: Any) -> Nodes:
    top = {"class": f"org.apache.spark.sql.{kind}", "num-children": len(children), **fields}
    return [top, *(node for child in children for node in child)]


def _column(number: int, called: str) -> Nodes:
    identity = {"exprId": {"id": number}, "dataType": "string", "name": called}
    return _node("AttributeReference", **identity)


def _text(value: str) -> Nodes:
    return _node("Literal", value=value, dataType="string")


REGION = _column(1, "region")
IS_NORTH = _node("EqualTo", REGION, _text("north"))


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        (_text("orders"), ["orders"]),
        (_node("Cast", _text("orders"), dataType="string"), ["orders"]),
        (_node("If", IS_NORTH, _text("a"), _text("b")), ["a", "b"]),
        (_node("CaseWhen", IS_NORTH, _text("a"), IS_NORTH, _text("b"), _text("c")), list("abc")),
        (_node("CaseWhen", IS_NORTH, _text("a"), IS_NORTH, _text("b")), ["a", "b"]),
        (_node("Concat", _text("orders-"), REGION), []),
        (_node("If", IS_NORTH, _text("a"), REGION), []),
        (_node("Coalesce", REGION, _text("rest")), []),
    ],
)
def test_a_topic_in_a_column(topic: Nodes, told: list[str]) -> None:
    named = _node("Alias", topic, exprId={"id": 7}, name="topic")
    leaf = _node("LogicalRelation", output=[_column(0, "value"), REGION])
    plan = _node("Project", leaf, projectList=[_column(0, "value"), named], child=0)
    captured = CapturedPlan(orjson.dumps(plan).decode(), {0: LEAF}, KAFKA, "Append")
    lineage = lineage_of(captured)
    assert [output.name for output in lineage.outputs] == told
    assert lineage.opaque == (() if told else ("KafkaTable",))
