"""Questions about change events: Debezium's transforms over envelopes and other records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from field_cases import record
from topic_cases import pattern_for, replacement_for, some_topic

if TYPE_CHECKING:
    from random import Random

    from oracle import Question

UNWRAP = "io.debezium.transforms.ExtractNewRecordState"
ADDED = (
    "op", "table", "lsn", "ts_ms", "source.ts_ms", "source.table", "op:kind", "lsn:position",
    "transaction.id", "id", "total_order", "source.nope", "nope", "source.lsn:at", "before.id",
    "ts_us", "after.id", "schema",
)  # fmt: skip
MODES = ("drop", "tombstone", "rewrite", "rewrite-with-tombstone", "delete-to-tombstone", "nope")


def questions(random: Random) -> dict[str, list[Question]]:
    """By the name of the file that keeps the answers."""
    return {
        "extract_new_record_state": [unwrapped(random) for _ in range(150)],
        "by_logical_table_router": [logical_table(random) for _ in range(70)],
    }


def envelope(random: Random) -> dict[str, Any]:
    row = record(random, 1, 2)
    made: dict[str, Any] = {"before": row, "after": row}
    made["source"] = {"table": "string", "lsn": "int64", "ts_ms": "int64"}
    if random.random() < 0.3:
        made["source"]["schema"] = "string?"
    made["op"] = "string"
    made["ts_ms"] = "int64?"
    if random.random() < 0.5:
        made["ts_us"] = "int64?"
    if random.random() < 0.5:
        made["transaction"] = {"id": "string", "total_order": "int64"}
    return made


def change(random: Random, step: dict[str, Any], topic: str) -> Question:
    key = {"id": "int64"} if random.random() < 0.8 else {"id": "int64", "name": "string"}
    if random.random() < 0.92:
        value = envelope(random)
        return {"steps": [step], "topic": topic, "envelope": True, "value": value, "key": key}
    return {"steps": [step], "topic": topic, "value": record(random), "key": key}


def unwrapped(random: Random) -> Question:
    step: dict[str, Any] = {"type": UNWRAP}
    if random.random() < 0.6:
        between = random.choice([",", ", "])
        step["add.fields"] = between.join(random.sample(ADDED, random.randint(1, 4)))
    if random.random() < 0.25:
        step["add.fields.prefix"] = random.choice(["", "_", "cdc.", "__"])
    if random.random() < 0.4:
        step["delete.tombstone.handling.mode"] = random.choice(MODES)
    if random.random() < 0.1:
        step["delete.handling.mode"] = random.choice(["rewrite", "drop", "none"])
    if random.random() < 0.1:
        step["route.by.field"] = random.choice(["name", "id", "nope"])
    if random.random() < 0.15:
        step["add.headers"] = "op"
    question = change(random, step, some_topic(random))
    return with_dropped(random, question) if random.random() < 0.2 else question


def with_dropped(random: Random, question: Question) -> Question:
    step = question["steps"][0]
    step["drop.fields.header.name"] = "unwanted"
    if random.random() < 0.5:
        step["drop.fields.from.key"] = random.choice(["true", "false"])
    if random.random() < 0.6:
        step["drop.fields.keep.schema.compatible"] = random.choice(["true", "false"])
    return question | {"headers": {"unwanted": random.sample(["id", "name", "price", "ts"], 2)}}


def logical_table(random: Random) -> Question:
    topic = some_topic(random)
    step: dict[str, Any] = {
        "type": "io.debezium.transforms.ByLogicalTableRouter",
        "topic.regex": pattern_for(random, topic),
    }
    step["topic.replacement"] = replacement_for(random, step["topic.regex"])
    if random.random() < 0.3:
        step["key.enforce.uniqueness"] = random.choice(["true", "false"])
    if random.random() < 0.3:
        step["key.field.name"] = random.choice(["shard", "id"])
    if random.random() < 0.3:
        step["key.field.regex"] = pattern_for(random, topic)
        step["key.field.replacement"] = replacement_for(random, step["key.field.regex"])
    return change(random, step, topic)
