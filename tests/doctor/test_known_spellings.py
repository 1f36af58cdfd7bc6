"""A healthy lab's recorded events, its topic called as real producers are known to call it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from doctor_drawing import are_one
from mainstem.doctor.finding import Confidence, Finding
from mainstem.doctor.reading.events import read_events
from mainstem.doctor.thinking import findings_in

LAB = Path(__file__).resolve().parents[1] / "samples" / "lab" / "healthy.ndjson"
EVENTS = [orjson.loads(line) for line in LAB.read_bytes().splitlines()]
TOPIC = "shop.public.orders"
(KAFKA,) = {
    one["namespace"]
    for event in EVENTS
    for one in event["outputs"]
    if one["name"] == TOPIC and one["namespace"].startswith("kafka://")
}
SERVER = KAFKA.removeprefix("kafka://")
PORT = SERVER.rpartition(":")[2]

SPARK = {
    "the listener's protocol in the option": "kafka://null:-1",
    "another name of this machine": f"kafka://localhost:{PORT}",
    "the machine's name": f"kafka://machine-7:{PORT}",
}
"""Spark's agent takes the first broker of the option; ``SASL_SSL://h:p`` it cannot read."""

DEBEZIUM = {
    "no schema history": "kafka://unknown:unknown",
    "a port that is not told": f"kafka://{SERVER.rpartition(':')[0]}:null",
    "a whole list": f"kafka://other:9092,{SERVER}",
    "a listener's protocol": f"kafka://SASL_SSL://{SERVER}",
}
"""What Debezium's own integration says of the topics it writes."""


def said_by(integration: str, namespace: str) -> Iterator[dict[str, Any]]:
    """The lab's events, in which one integration calls the Kafka cluster otherwise.

    Debezium's own integration stands in the place of the watcher's word on the source, and knows
    nothing of cluster ids.
    """
    for event in EVENTS:
        kind = event["job"]["facets"]["jobType"]
        is_debezium = kind["jobType"] == "SOURCE_CONNECTOR"
        if integration != ("DEBEZIUM" if is_debezium else kind["integration"]):
            yield event
            continue
        text = orjson.dumps(event).replace(KAFKA.encode(), namespace.encode())
        told: dict[str, Any] = orjson.loads(text)
        if is_debezium:
            told["job"]["facets"]["jobType"]["integration"] = "DEBEZIUM"
            for one in told["outputs"]:
                one.get("facets", {}).pop("symlinks", None)
        yield told


def found_in(events: Iterator[dict[str, Any]], folder: Path) -> list[Finding]:
    file = folder / "events.ndjson"
    file.write_bytes(b"\n".join(map(orjson.dumps, events)))
    return findings_in(read_events(file, lambda _: None)[0])


CASES = [
    *(("SPARK", how, namespace) for how, namespace in SPARK.items()),
    *(("DEBEZIUM", how, namespace) for how, namespace in DEBEZIUM.items()),
]


@pytest.mark.parametrize(
    ("integration", "namespace"),
    [(integration, namespace) for integration, _, namespace in CASES],
    ids=[f"{integration}: {how}" for integration, how, _ in CASES],
)
def test_a_known_spelling_is_found_and_healed_without_a_doubt_that_would_stop_a_fix(
    integration: str, namespace: str, tmp_path: Path
) -> None:
    found = found_in(said_by(integration, namespace), tmp_path)
    joining = [one for one in found if one.remedies and one.remedies[0].links]
    assert [one.confidence for one in joining if one.confidence is Confidence.POSSIBLE] == []
    assert are_one(joining, (KAFKA, TOPIC), (namespace, TOPIC)), [one.title for one in found]
    assert {one.kind for one in found} - {one.kind for one in joining} <= {"topic-unread"}
    assert len(joining) == 1


def test_the_healthy_lab_itself_has_nothing_to_heal(tmp_path: Path) -> None:
    assert {one.kind for one in found_in(iter(EVENTS), tmp_path)} == {"topic-unread"}
