"""``track(spark)``: two lines that make a PySpark job tell its lineage."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mainstem.clock import now
from mainstem.logs import log
from mainstem.spark.driver import ClassicDriver, RemoteDriver, is_remote
from mainstem.spark.endings import Endings
from mainstem.spark.guard import kept_from_the_job
from mainstem.spark.inbox import Inbox
from mainstem.spark.job_names import JobNames
from mainstem.spark.listening import Ear
from mainstem.spark.logs import log_as_the_job_does
from mainstem.spark.settings import read_settings
from mainstem.spark.tracker import Parts, Tracker
from mainstem.spark.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mainstem.spark.desk import Desk
    from mainstem.spark.driver import Driver
    from mainstem.spark.settings import Settings

_trackers: dict[str, Tracker] = {}
"""By application: a second ``track`` of the same application is the first one again."""


def track(
    spark: Any,
    *,
    namespace: str | None = None,
    url: str | None = None,
    destination: Mapping[str, Any] | None = None,
    app: str | None = None,
    heartbeat: float | None = None,
    on_stop: str | None = None,
    reads: bool | None = None,
    outbox: Path | str | None = None,
) -> Tracker:
    """Tell, from now on, what this session's queries read and write.

    What is not given is taken from ``spark.mainstem.*`` and then from the environment. A mistake
    in the arguments is raised; whatever else goes wrong is logged, and the job runs untracked.

    Args:
        spark: the session.
        namespace: the namespace of the application's jobs.
        url: where events go over HTTP.
        destination: instead of ``url``, any transport in the official client's words.
        app: the application's name, where it is not to be the session's.
        heartbeat: seconds between two signs of life of a run.
        on_stop: what a stream's ``stop()`` is told as, ``COMPLETE`` or ``ABORT``.
        reads: whether to tell actions that read and write nothing.
        outbox: the file in which events wait for delivery.

    Raises:
        BadRecipe: with every mistake: key, value, and what is allowed.
    """
    given = {
        "namespace": namespace,
        "url": url,
        "destination": destination,
        "app": app,
        "heartbeat": heartbeat,
        "on_stop": on_stop,
        "reads": reads,
        "outbox": outbox,
    }
    log_as_the_job_does()
    read_settings(given, {}, {})
    driver = RemoteDriver(spark) if is_remote(spark) else ClassicDriver(spark)
    known = _trackers.get(driver.key)
    if known is not None and known.is_open:
        return known
    tracker = _trackers[driver.key] = Tracker(now)
    with kept_from_the_job("the start of tracking"):
        settings = read_settings(given, driver.conf(), os.environ)
        if not settings.disabled:
            _begin(tracker, driver, settings)
    return tracker


def _begin(tracker: Tracker, driver: Driver, settings: Settings) -> None:
    if settings.agent:
        log.warning(
            "the OpenLineage agent runs in this application too and tells its batch actions;"
            " Mainstem tells the streams, and nothing twice"
        )
    began = now()

    def open_desk() -> Desk:
        try:
            from mainstem.spark import desk  # noqa: PLC0415 - says why itself

            return desk.open_desk(settings, driver, began)
        except BaseException:
            tracker.abandon()
            raise

    inbox = Inbox()
    ear = Ear(inbox, now)
    worker = Worker(inbox, open_desk, JobNames(settings.app), settings, driver.jvm)
    endings = Endings(tracker.finish, settings.on_stop)
    tracker.open(Parts(inbox, ear, worker, endings))
    endings.hook()
    endings.hook_stop(driver.stopped_by)
    try:
        driver.listen(ear, worker.farewells)
    except Exception:
        # PySpark's handler fails while the JVM is being asked: the job must hear of it all the same
        if endings.interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        worker.start()
