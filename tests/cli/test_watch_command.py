"""``mainstem watch`` and ``status`` as a user calls them: exit codes, messages, what is stored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from outbox.backend import Reply, running_backend
from watch.live import Buttons
from watch.loop.world import FILE_SINK

NOWHERE = "http://127.0.0.1:9"


def mainstem(
    *arguments: str | Path, home: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mainstem", *map(str, arguments)],
        cwd=home,
        env={"HOME": str(home), "PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "give either -c FILE or --connect URL"),
        (["-c", "r.yml", "--connect", NOWHERE], "give either -c FILE or --connect URL"),
        (["-c", "r.yml", "--kafka", "b:9092"], "--kafka goes with --connect"),
        (["-c", "none.yml"], "cannot be read"),
        (["--connect", "ftp://x"], "must be http://HOST:PORT"),
        (["--connect", NOWHERE, "--interval", "0.1"], "at least 1 s"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    arguments: list[str], complaint: str, tmp_path: Path
) -> None:
    ran = mainstem("watch", *arguments, home=tmp_path)
    assert ran.returncode == 2
    assert complaint in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_wrong_destination_is_named(tmp_path: Path) -> None:
    config = tmp_path / "openlineage.yml"
    config.write_text("transport: {type: pigeon}\n")
    ran = mainstem(
        "watch", "--connect", NOWHERE, "--once", home=tmp_path, OPENLINEAGE_CONFIG=str(config)
    )
    assert ran.returncode == 2
    assert "pigeon" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_cluster_that_does_not_answer_is_exit_3_and_stands_in_status(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    ran = mainstem("watch", "--connect", NOWHERE, "--once", "--journal", journal, home=tmp_path)
    assert ran.returncode == 3
    assert ran.stdout == ""
    status = mainstem("status", "--json", "--journal", journal, home=tmp_path)
    (cluster,) = json.loads(status.stdout)["clusters"]
    assert "127.0.0.1:9" in cluster["trouble"]
    assert cluster["last_success"] is None


def test_status_without_a_journal_says_where_it_looked(tmp_path: Path) -> None:
    ran = mainstem("status", home=tmp_path)
    assert ran.returncode == 1
    assert f"{tmp_path}/.local/state/mainstem/journal.db: there is no such journal" in ran.stderr
    assert "--journal FILE" in ran.stderr


@pytest.mark.slow
def test_a_dead_backend_is_exit_4_and_a_sentence_about_what_waits(tmp_path: Path) -> None:
    connect, journal = FakeConnect(), tmp_path / "journal.db"
    connect.create("a", FILE_SINK)
    connect.create("b", FILE_SINK)
    with FakeConnectServer(connect) as server:
        flags = ["--connect", server.url, "--once", "--journal", journal]
        ran = mainstem("watch", *flags, home=tmp_path, OPENLINEAGE_URL=NOWHERE)
    assert ran.returncode == 4
    assert f"mainstem: 2 events for http wait in {journal} (cannot be reached" in ran.stderr


def test_refused_events_are_exit_1_and_a_sentence(tmp_path: Path) -> None:
    connect, journal = FakeConnect(), tmp_path / "journal.db"
    connect.create("a", FILE_SINK)
    with FakeConnectServer(connect) as server, running_backend() as backend:
        backend.behaviour = lambda _request: Reply(422)
        flags = ["--connect", server.url, "--once", "--journal", journal]
        ran = mainstem("watch", *flags, home=tmp_path, OPENLINEAGE_URL=backend.url)
    assert ran.returncode == 1
    assert "mainstem: 1 event refused; see mainstem outbox list" in ran.stderr


def test_a_failed_sink_shows_its_reason_in_status_without_its_password(tmp_path: Path) -> None:
    connect, journal = FakeConnect(), tmp_path / "journal.db"
    connect.create("out", FILE_SINK)
    connect.fail_task("out", 0, "java.sql.SQLException: no login with password=hunter2\n\tat A.b()")
    with FakeConnectServer(connect) as server:
        flags = ["--connect", server.url, "--once", "--journal", journal]
        assert mainstem("watch", *flags, home=tmp_path).returncode == 0
    people = mainstem("status", "--journal", journal, home=tmp_path, COLUMNS="200").stdout
    assert "out: 1 of 1 tasks failed (0): java.sql.SQLException: no login with password=***" in (
        people
    )
    machines = mainstem("status", "--json", "--journal", journal, home=tmp_path).stdout
    (row,) = json.loads(machines)["connectors"]
    assert row["summary"]["error"] == "java.sql.SQLException: no login with password=***"


@pytest.mark.slow
def test_a_cap_of_the_recipe_drops_the_oldest_aloud_and_counted(tmp_path: Path) -> None:
    connect, recipe = FakeConnect(), tmp_path / "recipe.yml"
    for number in range(5):
        connect.create(f"out-{number}", FILE_SINK)
    journal = tmp_path / "journal.db"
    with FakeConnectServer(connect) as server:
        recipe.write_text(
            f"journal: {journal}\noutbox: {{max_bytes: 8kB}}\nclusters: [{{urls: [{server.url}]}}]"
        )
        ran = mainstem("watch", "-c", recipe, "--once", home=tmp_path, OPENLINEAGE_URL=NOWHERE)
    assert ran.returncode == 4
    assert "outbox over its cap, oldest events dropped" in ran.stderr
    machines = mainstem("status", "--json", "--journal", journal, home=tmp_path).stdout
    (destination,) = json.loads(machines)["destinations"]
    assert destination["dropped"] > 0
    assert destination["dropped"] + destination["depth"] == 5


@pytest.mark.lab
def test_once_tells_delivers_and_ends(
    connect: ConnectWorker, kafka: KafkaBroker, tmp_path: Path
) -> None:
    buttons = Buttons(connect.url)
    config = {
        "connector.class": "FileStreamSink", "topics": "once", "file": str(tmp_path / "once.txt")
    }  # fmt: skip
    buttons.put("once", config)
    journal = tmp_path / "journal.db"
    flags = ["--connect", connect.url, "--kafka", kafka.bootstrap, "--once", "--journal", journal]
    try:
        ran = mainstem("watch", *flags, home=tmp_path)
        assert ran.returncode == 0, ran.stderr
        told = [json.loads(line) for line in ran.stdout.splitlines()]
        assert ("once", "START") in [(e["job"]["name"], e["eventType"]) for e in told]
        again = mainstem("watch", *flags, home=tmp_path)
        assert again.returncode == 0
        assert not any('"START"' in line and '"once"' in line for line in again.stdout.splitlines())
        status = json.loads(
            mainstem("status", "--json", "--journal", journal, home=tmp_path).stdout
        )
        row = next(row for row in status["connectors"] if row["name"] == "once")
        assert row["run_id"] is not None
        assert row["summary"]["state"] == "RUNNING"
        assert [each["depth"] for each in status["destinations"]] == [0]
        explained = mainstem(
            "explain", "once", "--connect", connect.url, "--kafka", kafka.bootstrap, "--json",
            home=tmp_path,
        )  # fmt: skip
        (entry,) = json.loads(explained.stdout)
        assert entry["inputs"] == [{"namespace": f"kafka://{kafka.bootstrap}", "name": "once"}]
        missing = mainstem("explain", "nobody", "--connect", connect.url, home=tmp_path)
        assert missing.returncode == 2
        assert "no connector is called 'nobody'; there are: " in missing.stderr
        people = mainstem("status", "--journal", journal, home=tmp_path)
        assert "once" in people.stdout
        away = mainstem(
            "watch", *flags[:-1], tmp_path / "other.db", home=tmp_path, OPENLINEAGE_URL=NOWHERE
        )
        assert away.returncode == 4
    finally:
        buttons.delete("once")
        buttons.close()
