"""A real broker, asked for its cluster's id under every name that it has."""

from __future__ import annotations

from pathlib import Path

import httpx2
import orjson
import pytest

from doctor_drawing import Doctor
from mainstem.doctor.reading.brokers import ask_brokers, brokers_in
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.ports import free_port
from serve_fixtures import run_event
from serve_running import running

pytestmark = pytest.mark.lab


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
        told = [
            [(one["kind"], one["confidence"]) for one in orjson.loads(ran.stdout)["findings"]]
            for ran in (doctor(backend.url, "--json", *more) for more in ((), ("--ask-brokers",)))
        ]
    assert told == [[("server-loopback", "possible")], [("kafka-cluster-id", "certain")]]
