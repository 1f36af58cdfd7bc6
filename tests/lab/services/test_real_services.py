"""The services on this machine: they answer, come back after a crash, and leave nothing behind."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import httpx2
import psycopg
import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from mainstem.errors import ServiceFailed
from mainstem.lab.services.backend import Backend
from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import KAFKA, Library
from mainstem.lab.services.objects import ObjectStore
from mainstem.lab.services.ports import is_listening
from mainstem.lab.services.postgres import PostgresServer


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()


@pytest.mark.postgres
def test_postgres_keeps_its_data_through_a_crash(postgres_server: PostgresServer) -> None:
    postgres_server.execute("CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
    postgres_server.kill()
    assert not is_listening(postgres_server.port)
    postgres_server.start()
    with psycopg.connect(postgres_server.dsn()) as session:
        assert session.execute("SELECT n FROM kept").fetchall() == [(7,)]
        assert session.execute("SHOW wal_level").fetchone() == ("logical",)


@pytest.mark.postgres
def test_a_service_that_cannot_start_tells_the_end_of_its_log(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    second = PostgresServer(tmp_path)
    second.port = postgres_server.port
    with pytest.raises(ServiceFailed, match="Address already in use") as told:
        second.start()
    assert told.value.log == str(tmp_path / "postgres.log")
    second.discard()


@pytest.mark.lab
def test_worker_has_the_connectors_and_comes_back_after_a_crash(connect: ConnectWorker) -> None:
    def plugins() -> set[str]:
        answer = httpx2.get(f"{connect.url}/connector-plugins").json()
        return {plugin["class"].rpartition(".")[2] for plugin in answer}

    wanted = {"PostgresConnector", "FileStreamSinkConnector", "FileStreamSourceConnector"}
    assert wanted <= plugins()
    connect.kill()
    connect.start()
    assert wanted <= plugins()


@pytest.mark.lab
def test_two_workers_are_one_cluster(connect: ConnectWorker) -> None:
    second = connect.sibling("connect-2")
    second.start()
    try:
        first_cluster, second_cluster = (
            httpx2.get(worker.url).json()["kafka_cluster_id"] for worker in (connect, second)
        )
        assert first_cluster == second_cluster
        assert second.log != connect.log
    finally:
        second.stop()


OWNER = """
    import os, signal, sys
    from pathlib import Path
    from mainstem.lab.services.kafka import KafkaBroker
    from mainstem.lab.services.postgres import PostgresServer

    broker = KafkaBroker(Path(sys.argv[1]) / "kafka", Path(sys.argv[2]))
    server = PostgresServer(Path(sys.argv[1]) / "postgres")
    for service in (broker, server):
        service.launch()
    server.wait_until_ready()
    print(broker.pid, server.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.lab
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its owner's end")
def test_services_end_when_their_owner_is_killed(library: Library, tmp_path: Path) -> None:
    owner = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(OWNER), tmp_path, library.directory(KAFKA)],
        check=False,
        capture_output=True,
        text=True,
    )
    pids = [int(pid) for pid in owner.stdout.split()]
    assert len(pids) == 2, owner.stderr
    deadline = time.monotonic() + 30
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [pid for pid in pids if is_running(pid)] == []
    PostgresServer(tmp_path / "postgres").discard()


@pytest.mark.lab
def test_topics_survive_a_crash_of_the_broker(library: Library, tmp_path: Path) -> None:
    # A broker of its own: Connect needs long to calm down after its broker came back.
    broker = KafkaBroker(tmp_path, library.directory(KAFKA))
    broker.start()
    try:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap})
        for created in admin.create_topics([NewTopic("kept", 1, 1)]).values():
            created.result(30)
        broker.kill()
        broker.start()
        fresh = AdminClient({"bootstrap.servers": broker.bootstrap})
        assert "kept" in fresh.list_topics(timeout=30).topics
    finally:
        broker.stop()


@pytest.mark.lab
def test_a_cluster_may_be_called_by_an_id_that_begins_with_a_dash(
    library: Library, tmp_path: Path
) -> None:
    places = (tmp_path / str(number) for number in itertools.count())
    brokers = (KafkaBroker(place, library.directory(KAFKA)) for place in places)
    broker = next(one for one in brokers if one._cluster.startswith("-"))
    broker.start()
    broker.stop()


@pytest.mark.lab
def test_an_outage_of_s3_refuses_everybody_and_loses_nothing(tmp_path: Path) -> None:
    store = ObjectStore(tmp_path, ["orders"], "hush")
    store.start()
    try:
        httpx2.put(f"{store.url}/orders/raw/1", content=b"a lamp").raise_for_status()
        store.close()
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(f"{store.url}/orders/raw/1")
        assert store.is_alive()
        store.open()
        assert store.keys("orders", "raw/") == ["raw/1"]
        assert list(store.newest("orders", 5)) == [b"a lamp"]
        assert store.keys("orders", "elsewhere/") == []
    finally:
        store.stop()


@pytest.mark.lab
def test_the_backend_keeps_what_it_was_told_through_a_crash(tmp_path: Path) -> None:
    event = {
        "eventType": "START",
        "eventTime": "2026-01-02T03:04:05Z",
        "producer": "https://example.com",
        "run": {"runId": "0193348a-0000-7000-8000-000000000001"},
        "job": {"namespace": "lab", "name": "ingestion"},
    }
    backend = Backend(tmp_path)
    backend.start()
    try:
        httpx2.post(f"{backend.url}/api/v1/lineage", json=event).raise_for_status()
        backend.kill()
        backend.start()
        assert httpx2.get(f"{backend.url}/api/v1/jobs").json()["totalCount"] == 1
    finally:
        backend.stop()
