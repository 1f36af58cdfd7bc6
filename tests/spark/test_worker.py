"""The thread that tells: it opens its file itself, and what came before then is not lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mainstem.clock import now
from mainstem.errors import JournalUnusable
from mainstem.spark.delivery import Delivery
from mainstem.spark.desk import Desk
from mainstem.spark.events import Application
from mainstem.spark.inbox import (
    ActionEnded,
    Inbox,
    Outcome,
    StepEnded,
    StepStarted,
    StreamProgressed,
)
from mainstem.spark.job_names import JobNames
from mainstem.spark.jvm import NoJvm
from mainstem.spark.lineage import QueryLineage
from mainstem.spark.runs import Telling
from mainstem.spark.settings import Settings, read_settings
from mainstem.spark.teller import Teller
from mainstem.spark.worker import Worker
from spark.told import events_in, types

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
RUN = "01931a00-0000-7000-8000-000000000001"
COMPLETE = Outcome(Telling.COMPLETE, Telling.COMPLETE)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    destination = {"type": "file", "log_file_path": str(tmp_path / "events"), "append": True}
    given = {"destination": destination, "outbox": tmp_path / "box.db", "app": "app"}
    return read_settings(given, {}, {})


def desk(settings: Settings) -> Desk:
    delivery = Delivery(settings, now)
    application = Application(settings.namespace, "app", timedelta(seconds=60))
    delivery.start()
    return Desk(Teller(application, delivery.journal, delivery.prepare, now), delivery)


def test_what_came_before_the_file_was_open_is_told(settings: Settings, tmp_path: Path) -> None:
    inbox = Inbox()

    def open_desk() -> Desk:
        inbox.put(StepEnded(RUN, NOON, Telling.COMPLETE, None))
        return desk(settings)

    worker = Worker(inbox, open_desk, JobNames("app"), settings, NoJvm())
    inbox.put(StepStarted(RUN, "step", NOON, QueryLineage((), ())))
    worker.start()
    worker.finish(COMPLETE, 60)
    assert worker.desk is not None
    worker.desk.delivery.stop()
    assert types(events_in(tmp_path / "events")) == ["START", "COMPLETE"]


def test_what_cannot_be_handled_stands_in_nothing_elses_way(
    settings: Settings, tmp_path: Path
) -> None:
    inbox = Inbox()
    worker = Worker(inbox, lambda: desk(settings), JobNames("app"), settings, NoJvm())
    inbox.put(StepStarted(RUN, "step", NOON, QueryLineage((), ())))
    inbox.put(ActionEnded("no query at all", NOON))
    inbox.put(StreamProgressed("no JSON at all"))
    inbox.put(StepEnded(RUN, NOON, Telling.COMPLETE, None))
    worker.start()
    worker.finish(COMPLETE, 60)
    assert worker.desk is not None
    worker.desk.delivery.stop()
    assert types(events_in(tmp_path / "events")) == ["START", "COMPLETE"]


def test_without_a_file_everything_is_taken_back(settings: Settings) -> None:
    def open_desk() -> Desk:
        raise JournalUnusable("box.db", "it is a folder")

    taken_back: list[str] = []
    worker = Worker(Inbox(), open_desk, JobNames("app"), settings, NoJvm())
    worker.farewells.append(lambda: taken_back.append("listener"))
    worker.start()
    worker.finish(COMPLETE, 60)
    assert worker.desk is None
    assert taken_back == ["listener"]
