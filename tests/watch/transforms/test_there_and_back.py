"""What a chain makes of a change event is led back to the very fields that it was made from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.schema_registry.fields import Field, NoSchema, TopicFields
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.record import Nesting, Node, columns, start
from mainstem.watch.transforms.settings import Settings

APACHE = "org.apache.kafka.connect.transforms"
DEBEZIUM = "io.debezium.transforms"
ROW = (Field("id", "int"), Field("price", "double"), Field("email", "string", (), True))
SOURCE = (Field("ts_ms", "long"), Field("table", "string"), Field("lsn", "long"))
EVENT = TopicFields(
    (
        Field("before", "record", ROW, True),
        Field("after", "record", ROW, True),
        Field("source", "record", SOURCE),
        Field("op", "string"),
    ),
    (Field("id", "int"),),
)
NESTING = Nesting(frozenset({"before", "after", "source"}))
UNWRAPS: list[tuple[str, str]] = [
    (f"{DEBEZIUM}.ExtractNewRecordState", options)
    for options in ("", "add.fields=op,table,lsn", "add.fields=source.ts_ms,source.table:tbl",
                    "delete.handling.mode=rewrite")
]  # fmt: skip
STEPS: list[tuple[str, str]] = [
    (f"{APACHE}.ReplaceField$Value", "renames=price:cost"),
    (f"{APACHE}.ReplaceField$Value", "renames=id:price,price:id"),
    (f"{APACHE}.ReplaceField$Value", "exclude=email"),
    (f"{APACHE}.ReplaceField$Key", "renames=id:kid"),
    (f"{APACHE}.InsertField$Value", "static.field=email;static.value=x"),
    (f"{APACHE}.InsertField$Value", "topic.field=tp"),
    (f"{APACHE}.MaskField$Value", "fields=email"),
    (f"{APACHE}.Cast$Value", "spec=price:string"),
    (f"{APACHE}.Flatten$Value", "delimiter=_"),
    (f"{APACHE}.ValueToKey", "fields=id,email"),
    (f"{APACHE}.ExtractField$Key", "field=id"),
    (f"{APACHE}.HoistField$Value", "field=w"),
    (f"{APACHE}.HoistField$Key", "field=k"),
    (f"{APACHE}.HeaderFrom$Value", "fields=email;headers=e;operation=move"),
    (f"{DEBEZIUM}.HeaderToValue", "headers=e;fields=mail;operation=copy"),
]
chains = st.builds(
    lambda unwrap, others: [*unwrap, *others],
    st.lists(st.sampled_from(UNWRAPS), max_size=1),
    st.lists(st.sampled_from(STEPS), max_size=3),
)


@settings(max_examples=120, deadline=None)
@given(chains)
def test_the_way_back_is_the_way_there(steps: list[tuple[str, str]]) -> None:
    config = {"transforms": ",".join(f"t{at}" for at in range(len(steps)))}
    for at, (kind, options) in enumerate(steps):
        config[f"transforms.t{at}.type"] = kind
        pairs = (option.partition("=") for option in options.split(";") if option)
        config |= {f"transforms.t{at}.{name}": value for name, _, value in pairs}
    chain = chain_of(Settings(config))
    there = chain.forward("t", start(EVENT))
    made_from = {
        path: {one.path for one in node.origins if one.direct} for path, node in columns(there)
    }
    behind = TopicFields(_fields(there.value), _fields(there.key))
    for path, node in columns(chain.backward("t", start(behind), NESTING)):
        for origin in node.origins:
            assert path in made_from[origin.path], f"{origin.path} is not made from {path}"


def test_an_unwrapped_event_is_led_back_whole() -> None:
    """The property holds of a chain that is led back nowhere too; this one must be."""
    for _, options in UNWRAPS:
        unwrap = {"transforms": "u", "transforms.u.type": f"{DEBEZIUM}.ExtractNewRecordState"}
        name, _, value = options.partition("=")
        chain = chain_of(Settings(unwrap | ({f"transforms.u.{name}": value} if name else {})))
        there = chain.forward("t", start(EVENT))
        behind = TopicFields(_fields(there.value), _fields(there.key))
        back = chain.backward("t", start(behind), NESTING)
        led = {origin.path for _, node in columns(back) for origin in node.origins}
        made_here = {"__deleted"}
        assert {path for path, _ in columns(there)} - made_here == led


def _fields(half: Node | NoSchema) -> tuple[Field, ...]:
    if isinstance(half, NoSchema):
        return ()
    return tuple(map(_field, half.fields)) if half.is_record else (_field(half),)


def _field(node: Node) -> Field:
    return Field(node.name, node.type, tuple(map(_field, node.fields)), node.optional)
