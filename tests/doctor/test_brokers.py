"""A real broker and a real worker, asked for their cluster's id under every name that it has."""

from __future__ import annotations

from pathlib import Path

import httpx2
import orjson
import pytest

from doctor_drawing import Doctor, Ran
from mainstem.doctor.reading.brokers import ask_brokers, brokers_in
from mainstem.lab.scenarios.connectors import Connectors
from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.ports import free_port
from serve_fixtures import run_event
from serve_running import running

pytestmark = pytest.mark.lab
FILE = "org.apache.kafka.connect.file.FileStream"


def test_every_listener_tells_the_same_id_and_nobody_else_any(kafka: KafkaBroker) -> None:
    first, second = f"kafka://{kafka.bootstrap}", f"kafka://PLAINTEXT://{kafka.second_bootstrap}"
    silent = f"kafka://127.0.0.1:{free_port()}"
    named = brokers_in([first, second, silent, "kafka://unknown:unknown", "postgres://db:5432"])
    assert set(named) == {first, second, silent}
    answers = ask_brokers(named)
    assert set(answers) == {first, second}
    assert len(set(answers.values())) == 1


def test_two_listeners_are_one_cluster_for_certain(
    kafka: KafkaBroker, doctor: Doctor, tmp_path: Path
) -> None:
    topics = [
        {"namespace": f"kafka://{address}", "name": "orders"}
        for address in (kafka.bootstrap, kafka.second_bootstrap)
    ]
    with running(str(tmp_path / "store.db")) as backend:
        for event in (
            run_event(job="w", outputs=topics[:1]),
            run_event(job="r", run="00000000-0000-4000-8000-000000000002", inputs=topics[1:]),
        ):
            assert httpx2.post(f"{backend.url}/api/v1/lineage", json=event).status_code == 201
        flags = (backend.url, "--json")
        assert told(doctor(*flags)) == [("server-loopback", "possible")]
        assert told(doctor(*flags, "--ask-brokers")) == [("kafka-cluster-id", "certain")]


def test_a_recipe_s_connectors_on_two_listeners(
    kafka: KafkaBroker, connect: ConnectWorker, doctor: Doctor, tmp_path: Path
) -> None:
    """The worker's REST tells the id of its own Kafka; a connector's other address is asked."""
    lines = tmp_path / "lines.txt"
    lines.write_text("one\n")
    configs = {
        "doctor-source": {"connector.class": f"{FILE}SourceConnector", "topic": "doctor-lines"},
        "doctor-sink": {
            "connector.class": f"{FILE}SinkConnector",
            "topics": "doctor-lines",
            "consumer.override.bootstrap.servers": kafka.second_bootstrap,
        },
    }
    recipe = tmp_path / "recipe.yml"
    cluster = {"name": "real", "urls": [connect.url], "kafka": {"bootstrap": kafka.bootstrap}}
    only = {"connectors": {"allow": ["doctor-.*"]}}
    recipe.write_bytes(orjson.dumps({"clusters": [{**cluster, **only}]}))
    connectors = Connectors(connect.url)
    for name, config in configs.items():
        file = lines if name == "doctor-source" else tmp_path / "out.txt"
        connectors.configure(name, {**config, "file": str(file)})
        connectors.wait_until_running(name)
    try:
        flags = ("-c", str(recipe), "--json")
        assert told(doctor(*flags)) == [("server-loopback", "possible")]
        assert told(doctor(*flags, "--ask-brokers")) == [("kafka-cluster-id", "certain")]
        assert doctor(*flags, "--ask-brokers", "--fix", "--yes").code == 0
        assert told(doctor(*flags, "--ask-brokers")) == []
        assert doctor("--undo", "--yes").code == 0
        assert told(doctor(*flags, "--ask-brokers")) == [("kafka-cluster-id", "certain")]
    finally:
        for name in configs:
            connectors.delete(name)


def told(ran: Ran) -> list[tuple[str, str]]:
    assert ran.code == 0, ran.stderr
    return [(one["kind"], one["confidence"]) for one in orjson.loads(ran.stdout)["findings"]]
