"""What real producers call one topic and one table, as ``scripts/record_spellings.py`` heard it.

Debezium's own integration, OpenLineage's Spark agent, the watcher and ``mainstem.spark`` told of
the same objects on one broker, each with its address written in several ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec.structs import replace

from doctor_drawing import are_one, kinds, links
from mainstem.doctor.finding import Confidence, Finding, Where
from mainstem.doctor.picture import Picture
from mainstem.doctor.reading.events import read_events
from mainstem.doctor.thinking import findings_in

RECORDED = Path(__file__).with_name("recorded")
LAB = Path(__file__).resolve().parents[1] / "samples" / "lab" / "healthy.ndjson"
TOPIC = "shop.public.orders"
Events = list[dict[str, Any]]

LESSER = {"columns-missing", "topic-unread"}
"""That Debezium tells no columns, and that nobody reads what Spark copies, is so."""


def told(*names: str) -> Events:
    """The events of some recordings."""
    files = [RECORDED / f"{name}.ndjson" for name in names]
    return [orjson.loads(line) for file in files for line in file.read_bytes().splitlines()]


def servers(events: Events) -> set[str]:
    """What events call the cluster of the topic."""
    return {
        one["namespace"]
        for event in events
        for one in (*event["inputs"], *event["outputs"])
        if one["name"] == TOPIC and "kafka" in one["namespace"]
    }


WATCHED = told("watcher")
SINK = [event for event in WATCHED if servers([{**event, "outputs": []}])]
(KAFKA,) = servers(WATCHED)
EVERY_WAY = sorted(file.stem for file in RECORDED.glob("*.ndjson"))


def picture_of(events: Iterable[dict[str, Any]], folder: Path) -> Picture:
    file = folder / "events.ndjson"
    file.write_bytes(b"\n".join(map(orjson.dumps, events)))
    return read_events(file, lambda _: None)[0]


def joining(found: list[Finding]) -> list[Finding]:
    """Findings that two names are one; all others must be among the lesser."""
    joined = [one for one in found if links([one])]
    assert {one.kind for one in found if one not in joined} <= LESSER
    return joined


DEBEZIUM = {
    "untold": "kafka-unknown",
    "list": "kafka-address",
    "listener": "kafka-address",
    "no-port": "kafka-address",
    "localhost": "server-loopback",
}
DEBEZIUM_ALIGNED = ("plain", "history", "no-database-port")


@pytest.mark.parametrize("others", [SINK, WATCHED], ids=["the sink alone is watched", "all is"])
@pytest.mark.parametrize("way", DEBEZIUM)
def test_debezium_s_own_integration(way: str, others: Events, tmp_path: Path) -> None:
    events = told(f"debezium-{way}")
    (said,) = servers(events)
    (found,) = joining(findings_in(picture_of([*events, *others], tmp_path)))
    assert found.kind == DEBEZIUM[way]
    assert found.confidence is not Confidence.POSSIBLE
    assert are_one([found], (KAFKA, TOPIC), (said, TOPIC))
    assert {link.namespace for link in links([found])} == {KAFKA}
    lines = {one.where: one.text for one in found.remedies}
    key = "openlineage.integration.dataset.kafka.bootstrap.servers"
    assert lines[Where.DEBEZIUM] == f"{key}={KAFKA.removeprefix('kafka://')}"


@pytest.mark.parametrize("way", DEBEZIUM_ALIGNED)
def test_debezium_s_own_integration_told_as_it_should(way: str, tmp_path: Path) -> None:
    """With the lines of the remedy, with a schema history, and with the database's own port."""
    found = findings_in(picture_of([*told(f"debezium-{way}"), *WATCHED], tmp_path))
    assert joining(found) == []


SPARK = {
    "localhost": "server-loopback",
    "lost-first": "server-loopback",
    "underscore": "kafka-unknown",
}
SPARK_ALIGNED = ("plain", "list", "listener", "sasl-listener", "no-port", "no-host")


@pytest.mark.parametrize("writer", ["watcher", "debezium-plain"])
@pytest.mark.parametrize("way", SPARK)
def test_the_spark_agent(way: str, writer: str, tmp_path: Path) -> None:
    events = told(f"spark-agent-{way}")
    (said,) = servers(events)
    (found,) = joining(findings_in(picture_of([*events, *told(writer)], tmp_path)))
    assert (found.kind, found.confidence) == (SPARK[way], Confidence.LIKELY)
    assert are_one([found], (KAFKA, TOPIC), (said, TOPIC))


@pytest.mark.parametrize("writer", ["watcher", "debezium-plain"])
@pytest.mark.parametrize("way", SPARK_ALIGNED)
def test_the_spark_agent_where_nothing_is_wrong(way: str, writer: str, tmp_path: Path) -> None:
    """It names the first broker, without its protocol; of ``SASL_SSL://`` it tells no topic at all.

    An address without a port or with an unknown host Spark itself refuses.
    """
    found = findings_in(picture_of([*told(f"spark-agent-{way}"), *told(writer)], tmp_path))
    assert joining(found) == []


def test_a_second_listener_is_certain_once_brokers_were_asked(tmp_path: Path) -> None:
    events = told("spark-agent-second")
    (said,) = servers(events)
    picture = picture_of([*events, *told("debezium-plain")], tmp_path)
    (found,) = joining(findings_in(picture))
    assert (found.kind, found.confidence) == ("server-loopback", Confidence.POSSIBLE)
    asked = replace(picture, cluster_ids=dict.fromkeys((KAFKA, said), "MkU3OEVBNTcwNTJENDM2Qk"))
    (found,) = joining(findings_in(asked))
    assert (found.kind, found.confidence) == ("kafka-cluster-id", Confidence.CERTAIN)
    others = replace(picture, cluster_ids={KAFKA: "MkU3OEVBNTcwNTJENDM2Qk", said: "M" * 22})
    assert "server-loopback" not in kinds(findings_in(others))


def test_the_resolver_for_spark_does_what_the_doctor_says_of_it(tmp_path: Path) -> None:
    """The agent was given these very lines.

    That a host is called broker-1 is put into Debezium's word: the machine had no such name.
    """
    port = KAFKA.rpartition(":")[2]
    text = orjson.dumps(told("debezium-plain")).replace(
        KAFKA.encode(), f"kafka://broker-1:{port}".encode()
    )
    written: Events = orjson.loads(text)
    (found,) = joining(
        findings_in(picture_of([*told("spark-agent-localhost"), *written], tmp_path))
    )
    key = "spark.openlineage.dataset.namespaceResolvers.broker-1"
    lines = {one.where: one.text for one in found.remedies}[Where.SPARK]
    assert lines == f"{key}.type=hostList\n{key}.hosts=[localhost]\n{key}.schema=kafka"
    healed = picture_of([*told("spark-agent-resolved"), *written], tmp_path)
    assert joining(findings_in(healed)) == []


@pytest.mark.parametrize(
    ("way", "kind"), [("plain", None), ("sasl-listener", None), ("localhost", "server-loopback")]
)
def test_mainstem_spark(way: str, kind: str | None, tmp_path: Path) -> None:
    events = [
        *told(f"spark-mainstem-{way}"),
        *told("spark-agent-plain", "debezium-plain"),
        *WATCHED,
    ]
    found = joining(findings_in(picture_of(events, tmp_path)))
    assert kinds(found) == ([] if kind is None else [kind])


TABLES = [
    ("spark-agent-table-filled", "spark-agent-table-by-path", "spark-agent-table-by-catalog"),
    ("spark-agent-table-filled", "spark-mainstem-table-by-path", "spark-mainstem-table-by-catalog"),
    ("spark-mainstem-table-filled", "spark-agent-table-by-path", "spark-agent-table-by-catalog"),
    ("spark-mainstem-s3a-filled", "spark-mainstem-s3-by-catalog"),
]


@pytest.mark.parametrize("tellers", TABLES, ids=" ".join)
def test_a_table_by_path_and_by_catalog(tellers: tuple[str, ...], tmp_path: Path) -> None:
    """Whoever tells it, it is one: the path is its name, and the catalog's a symlink."""
    picture = picture_of(told(*tellers), tmp_path)
    assert findings_in(picture) == []
    written = {at for job in picture.jobs for at in job.outputs} & {
        at for job in picture.jobs for at in job.inputs
    }
    assert len(written) == 1
    readers = [job for job in picture.jobs if written & {*job.inputs}]
    assert len(readers) == len(tellers) - 1


@pytest.mark.parametrize("teller", ["spark-agent", "spark-mainstem"])
def test_a_table_by_its_catalog_s_name_alone(teller: str, tmp_path: Path) -> None:
    """A reader that says nothing but the name which the recorded symlink tells."""
    reading = told(f"{teller}-table-by-catalog")
    inputs = [one for event in reading for one in event["inputs"]]
    (path,) = {(one["namespace"], one["name"]) for one in inputs}
    (link,) = inputs[0]["facets"]["symlinks"]["identifiers"]
    for one in inputs:
        one |= {"namespace": link["namespace"], "name": link["name"], "facets": {}}
    filling = told(f"{teller}-table-filled")
    for event in filling:
        for one in event["outputs"]:
            one["facets"].pop("symlinks", None)
    (found,) = joining(findings_in(picture_of([*filling, *reading], tmp_path)))
    assert (found.kind, found.confidence) == ("iceberg-name", Confidence.CERTAIN)
    assert are_one([found], path, (link["namespace"], link["name"]))


def test_all_at_once_one_fix_makes_one_topic_of_every_name(tmp_path: Path) -> None:
    events = told(*(way for way in EVERY_WAY if "resolved" not in way))
    found = findings_in(picture_of(events, tmp_path))
    sure = [one for one in found if one.confidence is not Confidence.POSSIBLE]
    for said in servers(events):
        assert are_one(sure, (KAFKA, TOPIC), (said, TOPIC)), said


def test_a_healthy_lab_has_nothing_to_heal(tmp_path: Path) -> None:
    events = [orjson.loads(line) for line in LAB.read_bytes().splitlines()]
    assert kinds(findings_in(picture_of(events, tmp_path))) == ["topic-unread"]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_recordings_tell_nothing_of_the_machine(way: str) -> None:
    text = (RECORDED / f"{way}.ndjson").read_text()
    for word in ("spellings-", "/home/", "/root/", "/work/", "password", "secret"):
        assert word not in text
