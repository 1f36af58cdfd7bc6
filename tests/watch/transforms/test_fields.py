"""What each transform does to the fields, forward for sinks and backward for sources."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.schema_registry.fields import Field, NoSchema, TopicFields
from mainstem.watch.transforms import TRANSFORMS
from mainstem.watch.transforms.chain import Chain, chain_of
from mainstem.watch.transforms.record import Nesting, Record, columns, start
from mainstem.watch.transforms.settings import Settings

APACHE = "org.apache.kafka.connect.transforms"
RECORD = TopicFields(
    value=(
        Field("id", "long"),
        Field("price", "double"),
        Field("buyer", "struct", (Field("name", "string"), Field("city", "string"))),
        Field("tags", "array", (Field("element", "string"),)),
    ),
    key=(Field("id", "long"),),
)
WHOLE_KEY = {"$key.id": "$key.id"}
VALUE = {
    "id": "id",
    "price": "price",
    "buyer.name": "buyer.name",
    "buyer.city": "buyer.city",
    "tags": "tags",
}


def without(*names: str, **more: str) -> dict[str, str]:
    return {key: value for key, value in VALUE.items() if key not in names} | WHOLE_KEY | more


def chain(kind: str, **options: str) -> Chain:
    config = {"transforms": "t", "transforms.t.type": kind}
    config |= {f"transforms.t.{key.replace('_', '.')}": value for key, value in options.items()}
    return chain_of(Settings(config))


def told(record: Record) -> dict[str, str]:
    """Each field with its origins; a mark behind where it is more than a copy."""
    return {
        path: ",".join(
            one.path
            + ("~" if one.transformation != "IDENTITY" else "")
            + ("*" if one.masking else "")
            for one in node.origins
        )
        for path, node in columns(record)
    }


FORWARD: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("ReplaceField$Value", {"exclude": "id,tags"}, without("id", "tags")),
    ("ReplaceField$Value", {"blacklist": "id"}, without("id")),
    ("ReplaceField$Value", {"whitelist": "id"}, {"id": "id"} | WHOLE_KEY),
    (
        "ReplaceField$Value",
        {"include": "id,price", "renames": "price:amount"},
        {"id": "id", "amount": "price"} | WHOLE_KEY,
    ),
    ("ReplaceField$Key", {"renames": "id:pk"}, VALUE | {"$key.pk": "$key.id"}),
    ("MaskField$Value", {"fields": "price"}, without(price="price~*")),
    (
        "Flatten$Value",
        {"delimiter": "_"},
        without("buyer.name", "buyer.city", buyer_name="buyer.name", buyer_city="buyer.city"),
    ),
    ("HoistField$Key", {"field": "row"}, VALUE | {"$key.row.id": "$key.id"}),
    ("ExtractField$Key", {"field": "id"}, VALUE | {"$key": "$key.id"}),
    (
        "ExtractField$Value",
        {"field": "buyer.name", "field_syntax_version": "V2"},
        {"$value": "buyer.name"} | WHOLE_KEY,
    ),
    (
        "InsertField$Value",
        {"static_field": "site", "static_value": "x", "offset_field": "at!"},
        without(at="$offset", site=""),
    ),
    ("ValueToKey", {"fields": "price"}, VALUE | {"$key.price": "price"}),
    ("Cast$Value", {"spec": "price:string,id:int32"}, without(price="price~", id="id~")),
    ("TimestampConverter$Value", {"field": "id", "target_type": "Date"}, without(id="id~")),
    ("HeaderFrom$Value", {"fields": "id", "headers": "h", "operation": "move"}, without("id")),
    ("HeaderFrom$Value", {"fields": "id", "headers": "h", "operation": "copy"}, without()),
    ("SetSchemaMetadata$Value", {"schema_name": "x"}, without()),
    ("Filter", {}, {}),
]


@pytest.mark.parametrize(("kind", "options", "expected"), FORWARD)
def test_forward(kind: str, options: dict[str, str], expected: dict[str, str]) -> None:
    after = chain(f"{APACHE}.{kind}", **options).forward("t", start(RECORD))
    assert told(after) == expected


CHANGE = TopicFields(
    value=(
        Field("before", "record", (Field("id", "long"), Field("price", "double")), optional=True),
        Field("after", "record", (Field("id", "long"), Field("price", "double"))),
        Field("source", "record", (Field("table", "string"), Field("ts_ms", "long"))),
        Field("op", "string"),
    ),
    key=(Field("id", "long"),),
)
ROW = {"id": "after.id", "price": "after.price"} | WHOLE_KEY
DEBEZIUM = "io.debezium.transforms"
ALL_OF_A_CHANGE = {
    "before.id": "before.id",
    "before.price": "before.price",
    "after.id": "after.id",
    "after.price": "after.price",
    "source.table": "source.table",
    "source.ts_ms": "source.ts_ms",
    "op": "op",
} | WHOLE_KEY
OF_CHANGES: list[tuple[str, dict[str, str], dict[str, str]]] = [
    (f"{DEBEZIUM}.ExtractNewRecordState", {}, ROW),
    (
        f"{DEBEZIUM}.ExtractNewRecordState",
        {"add_fields": "op,source.ts_ms:changed", "delete_handling_mode": "rewrite"},
        ROW | {"__op": "op", "__changed": "source.ts_ms", "__deleted": ""},
    ),
    (
        f"{DEBEZIUM}.ByLogicalTableRouter",
        {"topic_regex": "t", "topic_replacement": "all"},
        ALL_OF_A_CHANGE | {"$key.__dbz__physicalTableIdentifier": "$topic"},
    ),
    (
        f"{DEBEZIUM}.ByLogicalTableRouter",
        {"topic_regex": "other", "topic_replacement": "all"},
        ALL_OF_A_CHANGE,
    ),
    (f"{DEBEZIUM}.outbox.EventRouter", {}, {}),
    (f"{DEBEZIUM}.HeaderToValue", {"fields": "h"}, ALL_OF_A_CHANGE | {"h": "$headers"}),
    (f"{DEBEZIUM}.ContentBasedRouter", {}, ALL_OF_A_CHANGE),
    (f"{DEBEZIUM}.TimezoneConverter", {}, {}),
    ("io.confluent.connect.transforms.ExtractTopic$Value", {}, ALL_OF_A_CHANGE),
    (
        "io.confluent.connect.transforms.ReplaceField$Value",
        {"include": "op"},
        {"op": "op"} | WHOLE_KEY,
    ),
    ("io.factorhouse.smt.OpenLineageLifecycleSmt", {}, ALL_OF_A_CHANGE),
    (f"{APACHE}.TimestampRouter", {}, ALL_OF_A_CHANGE),
    (f"{APACHE}.RegexRouter", {"regex": "t", "replacement": "u"}, ALL_OF_A_CHANGE),
    (
        "io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb",
        {},
        ALL_OF_A_CHANGE,
    ),
    ("com.acme.Own", {}, {}),
]


@pytest.mark.parametrize(("kind", "options", "expected"), OF_CHANGES)
def test_forward_of_a_change_event(
    kind: str, options: dict[str, str], expected: dict[str, str]
) -> None:
    assert told(chain(kind, **options).forward("t", start(CHANGE))) == expected


FILTERS: list[tuple[str, dict[str, str], set[str]]] = [
    ("io.confluent.connect.transforms.Filter$Value", {}, {"$value"}),
    ("io.confluent.connect.transforms.Filter$Key", {}, {"$key"}),
    ("io.confluent.connect.transforms.TombstoneHandler", {}, {"$value"}),
    (
        f"{DEBEZIUM}.Filter",
        {"condition": "value.op == 'key' && topic != 'x'"},
        {"$value", "$topic"},
    ),
    (f"{DEBEZIUM}.Filter", {"condition": "headers.kind.value == 1"}, {"$headers"}),
    (f"{DEBEZIUM}.Filter", {}, {"$value"}),
]


@pytest.mark.parametrize(("kind", "options", "expected"), FILTERS)
def test_a_filter_says_what_it_looks_at_and_changes_nothing(
    kind: str, options: dict[str, str], expected: set[str]
) -> None:
    after = chain(kind, **options).forward("t", start(RECORD))
    assert told(after) == without()
    assert {one.path for one in after.filters} == expected
    assert not any(one.direct for one in after.filters)


def predicated(kind: str, predicate: str, **options: str) -> Chain:
    step = {f"transforms.t.{key.replace('_', '.')}": value for key, value in options.items()}
    return chain_of(
        Settings(
            {
                "transforms": "t",
                "transforms.t.type": f"{APACHE}.{kind}",
                "transforms.t.predicate": "p",
                "predicates.p.type": f"{APACHE}.predicates.{predicate}",
                "predicates.p.pattern": "t",
                **step,
            }
        )
    )


@pytest.mark.parametrize(
    ("predicate", "negate", "filters"),
    [
        ("RecordIsTombstone", "false", {"$value"}),
        ("HasHeaderKey", "false", {"$headers"}),
        ("HasHeaderKey", "true", {"$headers"}),
        ("TopicNameMatches", "true", set[str]()),
        ("OneOfTheirOwn", "false", set[str]()),
    ],
)
def test_apaches_filter_drops_by_its_predicate(
    predicate: str, negate: str, filters: set[str]
) -> None:
    after = predicated("Filter", predicate, negate=negate).forward("t", start(RECORD))
    assert told(after) == without()
    assert {one.path for one in after.filters} == filters


@pytest.mark.parametrize(
    ("predicate", "negate"), [("TopicNameMatches", "false"), ("RecordIsTombstone", "true")]
)
def test_of_a_topic_whose_records_are_all_dropped_nothing_arrives(
    predicate: str, negate: str
) -> None:
    after = predicated("Filter", predicate, negate=negate).forward("t", start(RECORD))
    assert isinstance(after.value, NoSchema)
    assert "drops every record" in after.value.reason


ON_SOME: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("MaskField$Value", {"fields": "price"}, without(price="price~,$headers~")),
    ("ReplaceField$Value", {"exclude": "price"}, without(price="price,$headers~")),
    (
        "ReplaceField$Value",
        {"renames": "price:amount"},
        without(price="price,$headers~", amount="price,$headers~"),
    ),
    ("InsertField$Value", {"static_field": "site"}, without(site="$headers~")),
    ("ValueToKey", {"fields": "id"}, VALUE | {"$key.id": "$key.id,id,$headers~"}),
    ("Cast$Key", {"spec": "id:string"}, VALUE | {"$key.id": "$key.id~,$headers~"}),
    ("ExtractField$Value", {"field": "id"}, {}),
    ("SetSchemaMetadata$Value", {}, without()),
]


@pytest.mark.parametrize(("kind", "options", "expected"), ON_SOME)
def test_a_transform_on_some_records_leaves_both_forms_possible(
    kind: str, options: dict[str, str], expected: dict[str, str]
) -> None:
    after = predicated(kind, "HasHeaderKey", **options).forward("t", start(RECORD))
    assert told(after) == expected


def test_what_is_masked_in_some_records_only_is_not_masked() -> None:
    twice = {
        "transforms": "always,sometimes",
        "transforms.always.type": f"{APACHE}.MaskField$Value",
        "transforms.always.fields": "id",
        "transforms.sometimes.type": f"{APACHE}.MaskField$Value",
        "transforms.sometimes.fields": "id,price",
        "transforms.sometimes.predicate": "p",
        "predicates.p.type": f"{APACHE}.predicates.HasHeaderKey",
    }
    after = told(chain_of(Settings(twice)).forward("t", start(RECORD)))
    assert after["id"] == "id~*"
    assert after["price"] == "price~,$headers~"


def test_every_transform_has_an_answer_here() -> None:
    asked = {kind.partition("$")[0] for kind, _, _ in (*OF_CHANGES, *FILTERS)}
    asked |= {f"{APACHE}.{kind.partition('$')[0]}" for kind, _, _ in FORWARD}
    for transform in TRANSFORMS:
        assert asked & set(transform.classes), transform.name


def test_confluents_replace_field_reaches_nested_fields() -> None:
    nested = chain(
        "io.confluent.connect.transforms.ReplaceField$Value",
        include="buyer,id",
        exclude="buyer.city",
        renames="buyer:customer,buyer.name:called",
    )
    after = nested.forward("t", start(RECORD))
    assert told(after) == {"id": "id", "customer.called": "buyer.name"} | WHOLE_KEY
    assert "buyer.name" in told(nested.backward("t", after))


def test_header_to_value_inserts_below_too() -> None:
    inserted = chain("io.debezium.transforms.HeaderToValue", fields="buyer.trace", headers="h")
    after = inserted.forward("t", start(RECORD))
    assert told(after)["buyer.trace"] == "$headers"
    assert told(inserted.backward("t", after)).keys() == told(start(RECORD)).keys()


BACKWARD: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("ReplaceField$Value", {"renames": "amount:price"}, without("price", amount="price")),
    ("MaskField$Value", {"fields": "price"}, without(price="price~*")),
    ("InsertField$Value", {"static_field": "price", "static_value": "x"}, without("price")),
    ("Cast$Value", {"spec": "price:string"}, without(price="price~")),
    ("ValueToKey", {"fields": "id"}, VALUE | {"id": "id,$key.id"}),
    ("HoistField$Key", {"field": "id"}, VALUE | {"$key": "$key.id"}),
    ("ExtractField$Key", {"field": "pk"}, VALUE | {"$key.pk.id": "$key.id"}),
]


@pytest.mark.parametrize(("kind", "options", "expected"), BACKWARD)
def test_backward(kind: str, options: dict[str, str], expected: dict[str, str]) -> None:
    before = chain(f"{APACHE}.{kind}", **options).backward("t", start(RECORD))
    assert told(before) == expected


def test_a_flattened_name_is_not_led_back_by_a_guess() -> None:
    flat = TopicFields(value=(Field("id", "long"), Field("buyer_name", "string")))
    before = chain(f"{APACHE}.Flatten$Value", delimiter="_").backward("t", start(flat))
    assert told(before) == {"id": "id"}


FLAT_CHANGE = TopicFields(
    value=tuple(
        Field(name, "string")
        for name in ("op", "after_id", "after_unit_price", "source_ts_ms", "after_at_wkb", "x_y")
    )
)
CHANGES = Nesting(frozenset({"after", "source"}), frozenset({"wkb", "scale"}))


def test_where_the_source_is_known_a_flattened_name_has_one_way_back() -> None:
    flatten = chain(f"{APACHE}.Flatten$Value", delimiter="_")
    before = flatten.backward("t", start(FLAT_CHANGE), CHANGES)
    assert told(before) == {
        "op": "op",
        "after.id": "after_id",
        "after.unit_price": "after_unit_price",
        "source.ts_ms": "source_ts_ms",
        "x_y": "x_y",
    }
    assert told(flatten.backward("t", start(FLAT_CHANGE))) == {"op": "op"}


@pytest.mark.parametrize(
    ("kind", "options", "kept"),
    [
        (f"{DEBEZIUM}.ExtractNewRecordState", {}, True),
        (f"{APACHE}.MaskField$Value", {"fields": "op"}, True),
        (f"{APACHE}.ReplaceField$Value", {"renames": "a:b"}, True),
        (f"{APACHE}.ReplaceField$Value", {"renames": "after:b"}, False),
        (f"{APACHE}.HoistField$Value", {"field": "row"}, False),
        ("io.debezium.connector.mongodb.transforms.ExtractNewDocumentState", {}, False),
        ("com.acme.Own", {}, False),
    ],
)
def test_what_holds_fields_is_known_until_a_transform_hides_it(
    kind: str, options: dict[str, str], kept: bool
) -> None:
    before = {"transforms": "t,flat", "transforms.t.type": kind}
    before |= {f"transforms.t.{key}": value for key, value in options.items()}
    before |= {
        "transforms.flat.type": f"{APACHE}.Flatten$Value",
        "transforms.flat.delimiter": "_",
    }
    fields = TopicFields((Field("unit_price", "long"), Field("op", "string")))
    led_back = told(chain_of(Settings(before)).backward("t", start(fields), CHANGES))
    assert any("unit_price" in origin for origin in led_back.values()) is kept


def test_an_outbox_message_comes_out_of_its_payload() -> None:
    before = chain("io.debezium.transforms.outbox.EventRouter").backward("t", start(RECORD))
    assert told(before)["after.payload"] == "id~,price~,buyer.name~,buyer.city~,tags~"
    assert told(before)["after.aggregateid"] == "$key.id~"


def test_the_type_after_a_conversion_is_told() -> None:
    converted = chain(f"{APACHE}.TimestampConverter$Value", field="id", target_type="unix")
    types = {path: node.type for path, node in columns(converted.forward("t", start(RECORD)))}
    assert types["id"] == "int64"


names = st.sampled_from(["id", "price", "buyer", "x"])
field = st.builds(Field, names, st.sampled_from(["long", "string", "array"]))
record = st.builds(
    Field, names, st.just("struct"), st.lists(field, min_size=1, max_size=3).map(tuple)
)
fields = st.lists(field | record, max_size=4, unique_by=lambda one: one.name).map(tuple)
options = st.dictionaries(
    st.sampled_from(sorted({name for one in TRANSFORMS for name in one.reads})),
    st.sampled_from(["id", "id:x,buyer:y", "buyer.id", "price:string", "move", "_", "true", "$1"]),
    max_size=6,
)
kinds = st.sampled_from([name for one in TRANSFORMS for name in one.classes])
steps = st.lists(st.tuples(kinds, st.sampled_from(["", "$Key", "$Value"]), options), max_size=3)


@settings(max_examples=200, deadline=None)
@given(st.builds(TopicFields, fields, fields), steps)
def test_any_chain_leads_to_fields_that_exist(
    known: TopicFields, chained: list[tuple[str, str, dict[str, str]]]
) -> None:
    config: dict[str, Any] = {"transforms": ",".join(f"t{at}" for at in range(len(chained)))}
    for at, (kind, side, more) in enumerate(chained):
        config[f"transforms.t{at}.type"] = kind + side
        config |= {f"transforms.t{at}.{key}": value for key, value in more.items()}
    some = chain_of(Settings(config))
    metadata = {"$topic", "$partition", "$offset", "$timestamp", "$headers", "$key", "$value"}
    existing = {path for path, _ in columns(start(known))} | metadata
    for end in (some.forward("t", start(known)), some.backward("t", start(known))):
        for _, node in columns(end):
            assert {one.path for one in node.origins} <= existing | _records(known)


def _records(known: TopicFields) -> set[str]:
    value = {one.name for one in known.value if one.fields}
    return value | {f"$key.{one.name}" for one in known.key if one.fields}
