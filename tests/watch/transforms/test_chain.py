from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.schema_registry.fields import Field, NoSchema, TopicFields
from mainstem.watch.transforms.chain import Chain, chain_of
from mainstem.watch.transforms.model import Unpredictable
from mainstem.watch.transforms.record import columns, start
from mainstem.watch.transforms.settings import Settings

ROUTER = "org.apache.kafka.connect.transforms.RegexRouter"
UNWRAP = "io.debezium.transforms.ExtractNewRecordState"


def router(alias: str, regex: str, replacement: str, **more: str) -> dict[str, str]:
    start = f"transforms.{alias}."
    options = {"type": ROUTER, "regex": regex, "replacement": replacement, **more}
    return {start + name: value for name, value in options.items()}


def chain(transforms: str, *options: dict[str, str], **provided: str) -> Chain:
    config = {"transforms": transforms}
    for one in options:
        config.update(one)
    return chain_of(Settings(config, provided))


def test_transforms_apply_in_their_order() -> None:
    both = chain("b, a", router("a", "x(.*)", "$1-a"), router("b", "t", "xt"))
    assert both.route("t").after_steps == (("b", "xt"), ("a", "t-a"))


def test_a_transform_that_is_not_listed_does_nothing() -> None:
    config = {"_transforms": "a", **router("a", ".*", "gone")}
    assert chain_of(Settings(config)).route("t").end == "t"


def test_an_unknown_transform_makes_the_name_unpredictable() -> None:
    end = chain("x", {"transforms.x.type": "com.acme.Renamer"}).route("t").end
    assert end == Unpredictable("transform x (Renamer) is not known")


def test_what_stands_in_place_of_a_class_name_is_not_told() -> None:
    end = chain("x", {"transforms.x.type": "PASSW0RD"}).route("t").end
    assert isinstance(end, Unpredictable)
    assert "PASSW0RD" not in end.reason


def test_a_placeholder_in_a_pattern_makes_the_name_unpredictable() -> None:
    end = chain("a", router("a", "${env:PATTERN}", "x")).route("t").end
    assert isinstance(end, Unpredictable)


TOPIC_MATCHES = {
    "predicates": "p",
    "predicates.p.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.p.pattern": "dev-.*",
}


def test_a_predicate_on_the_topic_decides() -> None:
    only_dev = chain("a", router("a", "(.*)", "x-$1", predicate="p"), TOPIC_MATCHES)
    assert (only_dev.route("dev-1").end, only_dev.route("prod-1").end) == ("x-dev-1", "prod-1")
    others = chain("a", router("a", "(.*)", "x-$1", predicate="p", negate="true"), TOPIC_MATCHES)
    assert (others.route("dev-1").end, others.route("prod-1").end) == ("dev-1", "x-prod-1")
    assert others.undo("x-prod-1") == ("prod-1",)


@pytest.mark.parametrize(
    ("predicate", "negate", "end"),
    [
        ("RecordIsTombstone", "false", "t"),
        ("RecordIsTombstone", "true", "x-t"),
        ("HasHeaderKey", "false", None),
        ("com.acme.Own", "true", None),
    ],
)
def test_a_predicate_on_the_record(predicate: str, negate: str, end: str | None) -> None:
    condition = {"predicates.p.type": f"org.apache.kafka.connect.transforms.predicates.{predicate}"}
    some = chain("a", router("a", "(.*)", "x-$1", predicate="p", negate=negate), condition)
    told = some.route("t").end
    assert told == end or (end is None and isinstance(told, Unpredictable))


FOR_EVER = r"(a|aa)+(b|c)"


@pytest.mark.parametrize(
    "endless",
    [
        chain("a", router("a", FOR_EVER, "$2")),
        chain(
            "a",
            router("a", "(.*)", "x", predicate="p"),
            TOPIC_MATCHES | {"predicates.p.pattern": FOR_EVER},
        ),
        chain(
            "a",
            {
                "transforms.a.type": "io.debezium.transforms.ByLogicalTableRouter",
                "transforms.a.topic.regex": FOR_EVER,
                "transforms.a.topic.replacement": "x",
            },
        ),
    ],
)
def test_a_pattern_that_would_run_for_ever_becomes_a_note(endless: Chain) -> None:
    topic = "a" * 120 + "d"
    end = endless.route(topic).end
    assert isinstance(end, Unpredictable)
    assert "takes too long" in end.reason
    assert isinstance(endless.undo(topic), Unpredictable)


def test_a_router_is_undone() -> None:
    dots = chain("a", router("a", r"(.*)\.(.*)\.(.*)", "$1_$2_$3"))
    assert dots.undo("srv_db_team") == ("srv.db.team", "srv_db_team")
    prefix = chain("a", router("a", ".*", "copy_of_$0"))
    assert prefix.undo("copy_of_t") == ("t",)
    assert prefix.undo("t") == ()


def test_a_dropped_part_is_filled_with_the_words_it_can_be() -> None:
    last = chain("a", router("a", r"([^.]+)\.([^.]+)\.([^.]+)", "$3"))
    assert isinstance(last.undo("customers"), Unpredictable)
    words = ("srv", "shop")
    candidates = {f"{one}.{other}.customers" for one in words for other in words}
    undone = last.undo("customers", words)
    assert not isinstance(undone, Unpredictable)
    assert set(undone) == {*candidates, "customers"}


name = st.text(alphabet="ab._", min_size=1, max_size=6)
patterns = st.sampled_from(
    [r"(.*)\.(.*)", r"(a)(.*)", r"([^.]+)\.(?:[^.]+\.)?(.*)", r"(?<x>.*)_(.*)", "(.*)", r"a\.(b)"]
)
replacements = st.sampled_from(["$1_$2", "$2", "x.$1", "$0-$0", "${x}", "c"])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(patterns, replacements), max_size=2), name, st.sampled_from(["", "a"]))
def test_everything_undone_leads_back(steps: list[tuple[str, str]], topic: str, word: str) -> None:
    aliases = [f"t{number}" for number in range(len(steps))]
    options = [router(alias, *step) for alias, step in zip(aliases, steps, strict=True)]
    some = chain(",".join(aliases), *options)
    before = some.undo(topic, (word,) if word else ())
    if not isinstance(before, Unpredictable):
        ends = {some.route(candidate).end for candidate in before}
        assert {end for end in ends if isinstance(end, str)} <= {topic}


ENVELOPE = TopicFields(
    value=(
        Field("before", "struct", (Field("id", "long"),)),
        Field("after", "struct", (Field("id", "long"), Field("price", "double"))),
        Field("source", "struct", (Field("lsn", "long"), Field("ts_ms", "long"))),
        Field("op", "string"),
    ),
    key=(Field("id", "long"),),
)
ADDED = {
    "transforms.u.type": UNWRAP,
    "transforms.u.add.fields": "op, lsn:position, source.ts_ms",
    "transforms.u.delete.tombstone.handling.mode": "rewrite",
}


def test_unwrapped_fields_know_where_they_come_from() -> None:
    after = chain("u", ADDED).forward("t", start(ENVELOPE))
    origins = {path: [one.path for one in node.origins] for path, node in columns(after)}
    assert origins == {
        "$key.id": ["$key.id"],
        "id": ["after.id"],
        "price": ["after.price"],
        "__deleted": [],
        "__op": ["op"],
        "__position": ["source.lsn"],
        "__source_ts_ms": ["source.ts_ms"],
    }


def test_unwrapped_fields_are_led_back_into_the_envelope() -> None:
    flat = TopicFields(value=(Field("price", "double"), Field("__position", "long")))
    before = chain("u", ADDED).backward("t", start(flat))
    origins = {path: [one.path for one in node.origins] for path, node in columns(before)}
    assert origins == {"after.price": ["price"], "source.lsn": ["__position"]}


def test_an_unknown_transform_hides_the_fields() -> None:
    after = chain("x", {"transforms.x.type": "com.acme.Other"}).forward("t", start(ENVELOPE))
    assert isinstance(after.value, NoSchema)
    assert isinstance(after.key, NoSchema)


def one(kind: str, **options: str) -> Chain:
    config = {f"transforms.t.{key.replace('_', '.')}": value for key, value in options.items()}
    return chain("t", {"transforms.t.type": kind, **config})


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("org.apache.kafka.connect.transforms.TimestampRouter", {}),
        ("io.confluent.connect.transforms.ExtractTopic$Value", {"field": "f"}),
        ("io.debezium.transforms.outbox.EventRouter", {}),
        ("io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter", {}),
        ("io.debezium.transforms.ContentBasedRouter", {"topic_expression": "x"}),
        ("io.debezium.transforms.ExtractNewRecordState", {"route_by_field": "f"}),
        ("io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb", {}),
    ],
)
def test_a_topic_that_depends_on_records_is_never_kept(kind: str, options: dict[str, str]) -> None:
    assert isinstance(one(kind, **options).route("t").end, Unpredictable)


def test_the_time_in_a_topics_name_is_taken_out_again() -> None:
    kind = "org.apache.kafka.connect.transforms.TimestampRouter"
    daily = one(kind, topic_format="x-${topic}-${timestamp}", timestamp_format="yyyy-MM-dd")
    assert daily.undo("x-orders-2026-01-31") == ("orders", "x-orders-2026-01-31")
    assert one(kind, topic_format="x-${topic}").route("t").end == "x-t"


def test_content_is_asked_only_where_the_topic_matches() -> None:
    router = one("io.debezium.transforms.ContentBasedRouter", topic_regex="a.*")
    assert router.route("b").end == "b"


def test_many_tables_go_to_one_topic() -> None:
    kind = "io.debezium.transforms.ByLogicalTableRouter"
    shards = one(kind, topic_regex="(.*)_shard_.*", topic_replacement="$1")
    assert (shards.route("c_shard_1").end, shards.route("other").end) == ("c", "other")
