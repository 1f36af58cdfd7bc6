"""Spark's callbacks, through py4j: each copies references into the inbox and returns.

PySpark's own listener class turns each progress into Python objects before user code runs, which
costs a hundred times what a raw proxy of the same Java interface does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mainstem.spark.guard import kept_from_the_job
from mainstem.spark.inbox import (
    ActionEnded,
    Inbox,
    Item,
    StreamEnded,
    StreamProgressed,
    StreamStarted,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.clock import Clock


class Ear:
    """Where callbacks put what they heard, as long as somebody listens.

    The session of a stream that still runs keeps our listeners when tracking ends: they fall deaf.
    """

    def __init__(self, inbox: Inbox, clock: Clock) -> None:
        self._inbox = inbox
        self._clock = clock
        self.open = True

    def hear(self, what: str, copy: Callable[[], Item]) -> None:
        """Put what ``copy`` answers; a mistake in it stays here."""
        if self.open:
            with kept_from_the_job(what):
                self._inbox.put(copy())

    @property
    def now(self) -> Any:
        """The present instant."""
        return self._clock()


class StreamListener:
    """Hears of one session's streaming queries."""

    class Java:
        """What py4j makes a Java object of this class implement."""

        implements = ("org.apache.spark.sql.streaming.PythonStreamingQueryListener",)

    def __init__(self, ear: Ear, manager: Any, actions: Any) -> None:
        self._ear = ear
        self._manager = manager
        self._actions = actions

    def onQueryStarted(self, event: Any) -> None:  # noqa: N802 - Java's name
        """Called on the thread that starts the query, which waits for us."""
        self._ear.hear("the start of a query", lambda: self._started(self._manager.get(event.id())))

    def hear_running(self) -> None:
        """The queries that started before somebody listened; their batches are heard from now."""
        for query in self._manager.active():
            query.streamingQuery().sparkSessionForStream().listenerManager().register(self._actions)
            self._ear.hear("a query that runs", lambda query=query: self._started(query, late=True))

    def _started(self, query: Any, *, late: bool = False) -> StreamStarted:
        return StreamStarted(
            run_id=query.runId().toString(),
            query_id=query.id().toString(),
            name=query.name(),
            at=self._ear.now,
            query=query.streamingQuery(),
            actions=self._actions,
            late=late,
        )

    def onQueryProgress(self, event: Any) -> None:  # noqa: N802 - Java's name
        """Called on the listener bus after each batch."""
        self._ear.hear("the progress of a query", lambda: StreamProgressed(event.json()))

    def onQueryIdle(self, event: Any) -> None:  # noqa: N802 - Java's name
        """Nothing to tell: the heartbeat goes on by itself."""

    def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 - Java's name
        """Called on the listener bus once the query is over."""

        def copy() -> StreamEnded:
            exception = event.exception()
            error_class = event.errorClassOnException()
            return StreamEnded(
                run_id=event.runId().toString(),
                at=self._ear.now,
                exception=exception.get() if exception.isDefined() else None,
                error_class=error_class.get() if error_class.isDefined() else None,
            )

        self._ear.hear("the end of a query", copy)


class ActionListener:
    """Hears of one session's batch actions, and of those inside its streams' batches."""

    class Java:
        """What py4j makes a Java object of this class implement."""

        implements = ("org.apache.spark.sql.util.QueryExecutionListener",)

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def onSuccess(self, _function: str, execution: Any, nanoseconds: int) -> None:  # noqa: N802
        """Called on the listener bus once an action is over."""
        self._ear.hear(
            "the end of an action",
            lambda: ActionEnded(execution, self._ear.now, nanoseconds=nanoseconds),
        )

    def onFailure(self, _function: str, execution: Any, exception: Any) -> None:  # noqa: N802
        """Called on the listener bus once an action has failed."""
        self._ear.hear(
            "the failure of an action",
            lambda: ActionEnded(execution, self._ear.now, exception=exception),
        )


def listen(session: Any, ear: Ear) -> Callable[[], None]:
    """Register with one classic session; the answer takes back what can be taken back."""
    from pyspark.java_gateway import ensure_callback_server_started  # noqa: PLC0415

    gateway = session.sparkContext._gateway  # noqa: SLF001
    ensure_callback_server_started(gateway)
    java = session._jsparkSession  # noqa: SLF001
    manager, executions = java.streams(), java.listenerManager()
    actions = _java_object(gateway, ActionListener(ear))
    listener = StreamListener(ear, manager, actions)
    streams = gateway.jvm.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper(
        listener
    )
    manager.addListener(streams)
    executions.register(actions)
    listener.hear_running()

    def leave() -> None:
        manager.removeListener(streams)
        executions.unregister(actions)

    return leave


def _java_object(gateway: Any, listener: ActionListener) -> Any:
    """The one Java object that stands for a listener of ours.

    Each time that py4j is given the Python object, it makes another Java object, and Spark forgets
    only the very one that it was given.
    """
    kept = gateway.jvm.java.util.ArrayList()
    kept.add(listener)
    return kept.get(0)
