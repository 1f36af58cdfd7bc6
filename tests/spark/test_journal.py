"""What outlives a driver: events that wait, and runs that nobody ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from msgspec.structs import replace

from mainstem.errors import JournalUnwritable
from mainstem.spark.events import Application
from mainstem.spark.inbox import Outcome
from mainstem.spark.journal import SparkJournal, journal_path, open_journals
from mainstem.spark.lineage import Dataset, QueryLineage
from mainstem.spark.progress import Activity
from mainstem.spark.runs import Identity, Kind, OpenRun, Telling
from mainstem.spark.teller import Teller

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
LINEAGE = QueryLineage((Dataset("kafka://b:9092", "in"),), (Dataset("file", "/out"),))


def clock() -> datetime:
    return NOON


def as_is(body: bytes) -> bytes | None:
    return body


def teller(journal: SparkJournal) -> Teller:
    return Teller(Application("n", "app", timedelta(seconds=60)), journal, as_is, clock)


def waiting(journal: SparkJournal) -> list[str]:
    events = [journal.outbox.event(number) for number in range(1, 100)]
    return [orjson.loads(event.body)["eventType"] for event in events if event is not None]


def identity(number: int) -> Identity:
    return Identity(f"01931a00-0000-7000-8000-{number:012}", "app.q", Kind.STREAM)


def test_a_run_that_is_told_whole_is_stored_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, _ = open_journals(tmp_path / "box.db", clock, as_is)
    told = teller(journal)
    batch = OpenRun(identity(1), told=NOON, parts=(LINEAGE,))
    full = [True]
    monkeypatch.setattr(journal.outbox.reserve, "is_kept", lambda: not full[0])
    told.tell_whole(batch, Telling.COMPLETE, NOON, None, Activity(output_rows=3))
    assert waiting(journal) == []
    full[0] = False
    told.tell_whole(replace(batch, identity=identity(2)), Telling.FAIL, NOON, None, Activity())
    assert waiting(journal) == ["START", "COMPLETE", "START", "FAIL"]
    last = journal.outbox.event(2)
    assert last is not None
    (output,) = orjson.loads(last.body)["outputs"]
    assert output["outputFacets"]["outputStatistics"]["rowCount"] == 3
    assert journal.end_left_open(as_is) == 0
    journal.close()


def test_a_run_left_open_is_ended_once_with_all_its_datasets(tmp_path: Path) -> None:
    path = tmp_path / "box.db"
    first, _ = open_journals(path, clock, as_is)
    teller(first).begin(identity(1), NOON, LINEAGE)
    ended = teller(first)
    ended.begin(identity(2), NOON, LINEAGE)
    ended.end(identity(2).run_id, Telling.COMPLETE, NOON)
    first.close()
    second, _ = open_journals(path, clock, as_is)
    assert waiting(second) == ["START", "START", "COMPLETE", "ABORT"]
    last = second.outbox.event(4)
    assert last is not None
    event = orjson.loads(last.body)
    assert event["run"]["runId"] == identity(1).run_id
    assert [one["name"] for one in event["outputs"]] == ["/out"]
    second.close()
    third, _ = open_journals(path, clock, as_is)
    assert len(waiting(third)) == 4
    third.close()


def test_two_drivers_at_once_have_two_files_and_leave_each_other_alone(tmp_path: Path) -> None:
    path = tmp_path / "box.db"
    first, _ = open_journals(path, clock, as_is)
    teller(first).begin(identity(1), NOON, LINEAGE)
    second, left = open_journals(path, clock, as_is)
    assert left == ()
    assert second.outbox.path.name == "box.2.db"
    assert waiting(first) == ["START"], "its process lives"
    teller(second).begin(identity(2), NOON, LINEAGE)
    first.close()
    second.close()
    third, left = open_journals(path, clock, as_is)
    assert waiting(third) == ["START", "ABORT"]
    (other,) = left
    assert waiting(other) == ["START", "ABORT"]
    third.close()
    other.close()


def test_a_filtered_event_is_not_sent_but_its_run_is_remembered(tmp_path: Path) -> None:
    journal, _ = open_journals(tmp_path / "box.db", clock, as_is)
    silent = Teller(
        Application("n", "app", timedelta(seconds=60)), journal, lambda _body: None, clock
    )
    silent.begin(identity(1), NOON, LINEAGE)
    assert waiting(journal) == []
    assert journal.end_left_open(as_is) == 1
    journal.close()


def test_what_the_disk_refused_is_stored_later_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, _ = open_journals(tmp_path / "box.db", clock, as_is)
    kept = journal.outbox.reserve
    full = [True]
    monkeypatch.setattr(kept, "is_kept", lambda: not full[0])
    told = teller(journal)
    told.begin(identity(1), NOON, LINEAGE)
    told.end_all(Outcome(Telling.ABORT, Telling.ABORT))
    assert waiting(journal) == []
    with pytest.raises(JournalUnwritable):
        told.beat()
    full[0] = False
    told.beat()
    assert waiting(journal) == ["START", "ABORT"]
    journal.close()


def test_a_name_of_any_kind_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("MAINSTEM_JOURNAL", raising=False)
    paths = {journal_path("n", name) for name in ("orders", "../../etc", "a/b", "", "ü" * 300)}
    assert len(paths) == 5
    assert {path.parent for path in paths} == {tmp_path / "mainstem" / "spark"}
    assert journal_path("n", "orders") != journal_path("m", "orders")
