"""Spark Connect: what the client can see, without a JVM on this side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql.connect import proto
from pyspark.sql.streaming.listener import StreamingQueryListener

from mainstem.spark.captured import CATALOG_OPTIONS, Catalog, Place
from mainstem.spark.guard import kept_from_the_job
from mainstem.spark.inbox import (
    RemoteStarted,
    RemoteWritten,
    StreamEnded,
    StreamProgressed,
)
from mainstem.spark.remote_plan import batch_write, remote_lineage, stream_write

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.spark.lineage import QueryLineage
    from mainstem.spark.listening import Ear
    from mainstem.spark.remote_plan import RemoteWrite

STARTED = "write_stream_operation_start_result"
LAST_EVENTS_SECONDS = 10


class RemoteListener(StreamingQueryListener):
    """Hears of streams on the server; of their start the command itself tells more."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def onQueryStarted(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """Nothing: see ``_watch_commands``."""

    def onQueryProgress(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """One batch is over."""
        self._ear.hear("the progress of a query", lambda: StreamProgressed(event.progress.json))

    def onQueryIdle(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """Nothing to tell: the heartbeat goes on by itself."""

    def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """A stream has ended."""
        self._ear.hear(
            "the end of a query",
            lambda: StreamEnded(
                str(event.runId), self._ear.now, event.exception, event.errorClassOnException
            ),
        )


def listen_remotely(session: Any, ear: Ear) -> list[Callable[[], None]]:
    """Register with a session of Spark Connect; the answer takes it back."""
    listener = RemoteListener(ear)
    session.streams.addListener(listener)
    return [lambda: _stop_hearing(session, listener), _watch_commands(session, ear)]


def _stop_hearing(session: Any, listener: RemoteListener) -> None:
    """Take a listener back as PySpark does, but wait for its thread without holding its lock.

    PySpark's own way holds the lock that the thread needs to hand out an event: one that comes in
    that moment lets both wait for ever, and the job with them.
    """
    bus = getattr(session.streams, "_sqlb", None)
    if bus is None:
        session.streams.removeListener(listener)
        return
    with bus._lock:  # noqa: SLF001 - PySpark has no other door
        heard = bus._listener_bus  # noqa: SLF001
        if listener in heard:
            heard.remove(listener)
        if heard:
            return
        thread, bus._execution_thread = bus._execution_thread, None  # noqa: SLF001
    command = proto.Command()
    command.streaming_query_listener_bus_command.remove_listener_bus_listener = True
    session.client.execute_command(command)
    if thread is not None:
        thread.join(LAST_EVENTS_SECONDS)


def _watch_commands(session: Any, ear: Ear) -> Callable[[], None]:
    """Every command passes here, with its whole plan."""
    client = session.client
    execute = client.execute_command

    def execute_and_tell(command: Any, *arguments: Any, **named: Any) -> Any:
        began = ear.now
        try:
            answer = execute(command, *arguments, **named)
        except Exception as error:
            _hear_write(session, ear, command, began, error)
            raise
        with kept_from_the_job("the start of a query"):
            _hear_stream(session, ear, command, answer[1])
        _hear_write(session, ear, command, began, None)
        return answer

    client.execute_command = execute_and_tell
    return lambda: client.__dict__.pop("execute_command", None)


def _hear_stream(session: Any, ear: Ear, command: Any, properties: dict[str, Any]) -> None:
    started = properties.get(STARTED)
    if started is None:
        return
    write = stream_write(command.write_stream_operation_start)
    ear.hear(
        "the start of a query",
        lambda: RemoteStarted(
            started.query_id.run_id,
            started.query_id.id,
            started.name or None,
            ear.now,
            write,
            _reader(session, write),
        ),
    )


def _hear_write(session: Any, ear: Ear, command: Any, began: Any, error: Exception | None) -> None:
    with kept_from_the_job("the end of an action"):
        write = batch_write(command)
        if write is not None:
            item = RemoteWritten(began, ear.now, write, _reader(session, write), error)
            ear.hear("the end of an action", lambda: item)


def _reader(session: Any, write: RemoteWrite) -> Callable[[], QueryLineage]:
    return lambda: remote_lineage(write, lambda name: _find_table(session, name))


def _find_table(session: Any, name: str) -> Place | None:
    """Where the server says that a table lies; asked on the worker's thread."""
    rows = session.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    told = {row[0]: row[1] for row in rows}
    location = told.get("Location")
    if not location:
        return None
    catalog, *inside = (told.get("Name") or name).replace("`", "").split(".")
    known = {
        key: value
        for key in CATALOG_OPTIONS
        if (value := session.conf.get(f"spark.sql.catalog.{catalog}.{key}", None))
    }
    if not known:
        return Place("table", locations=(location,))
    return Place("table", tuple(inside), (location,), Catalog(catalog, known))
