"""How a value's origins change on their way, whatever the value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mainstem.spark import values
from mainstem.spark.lineage import DatasetKey
from mainstem.spark.values import Flow, Value

TABLE = DatasetKey("file", "/t")
flows = st.builds(
    Flow,
    st.sampled_from([TABLE, DatasetKey("kafka://b:9092", "t")]),
    st.sampled_from([("a",), ("b", "c"), ("$value",), ("$key", "id")]),
    st.just("DIRECT"),
    st.sampled_from(["IDENTITY", "TRANSFORMATION", "AGGREGATION"]),
    st.booleans(),
    st.booleans(),
)
plain_values = st.builds(
    lambda origins, unknown: Value(origins, unknown=unknown),
    st.frozensets(flows, max_size=4),
    st.booleans(),
)
some_values = st.one_of(
    plain_values, st.builds(values.struct, st.dictionaries(st.sampled_from("xyz"), plain_values))
)


def _origins(value: Value) -> set[tuple[DatasetKey, tuple[str, ...]]]:
    return {(flow.dataset, flow.path) for flow in value.flows}


@given(some_values, some_values)
def test_a_merged_value_has_the_origins_of_both(one: Value, other: Value) -> None:
    both = values.merged([one, other])
    assert both.flows == one.flows | other.flows
    assert both.unknown == (one.unknown or other.unknown)
    assert values.merged([other, one]).flows == both.flows
    assert values.merged([both, both]).flows == both.flows


@given(some_values, st.booleans())
def test_a_function_forgets_no_origin_and_no_mask(value: Value, masking: bool) -> None:
    after = values.changed(value, "TRANSFORMATION", masking=masking)
    assert _origins(after) == _origins(value)
    assert after.unknown == value.unknown
    assert all(flow.masking for flow in after.flows) or not masking
    assert "IDENTITY" not in {flow.subtype for flow in after.flows}


@given(some_values)
def test_what_decides_never_flows(value: Value) -> None:
    decides = values.deciding(value, "FILTER")
    assert {(flow.dataset, flow.path) for flow in decides} == _origins(value)
    assert {flow.kind for flow in decides} <= {"INDIRECT"}
    later = values.changed(Value(decides), "AGGREGATION", masking=True)
    assert later.flows == decides


@given(st.dictionaries(st.sampled_from("xyz"), plain_values, min_size=1))
def test_fields_of_a_struct_come_out_as_they_went_in(fields: dict[str, Value]) -> None:
    whole = values.struct(fields)
    decoded = values.decoded(values.encoded(whole), None)
    for name, part in fields.items():
        assert values.part_of(whole, name) == part
        assert values.part_of(decoded, name) == part


def test_a_topics_payload_has_fields_and_a_tables_text_has_none() -> None:
    payload = values.read_column([TABLE], ("$value",), "binary")
    text = values.read_column([TABLE], ("note",), "string")
    of_topic, of_table = (
        values.part_of(values.decoded(each, None), "id").flows for each in (payload, text)
    )
    assert [flow.source()[1:4] for flow in of_topic] == [("id", "DIRECT", "IDENTITY")]
    assert [flow.source()[1:4] for flow in of_table] == [("note", "DIRECT", "TRANSFORMATION")]


def test_a_topics_columns_are_spelt_as_connectors_spell_them() -> None:
    spelt = {
        ("$value", "after", "id"): "after.id",
        ("$value",): "$value",
        ("$key", "id"): "$key.id",
        ("$offset",): "$offset",
    }
    assert {path: Flow(TABLE, path).source().field for path in spelt} == spelt
