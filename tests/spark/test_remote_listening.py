"""A listener of Spark Connect is taken back although an event comes in that moment."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from pyspark.sql.connect import proto
from pyspark.sql.connect.streaming.query import StreamingQueryManager

from mainstem.clock import now
from mainstem.spark.inbox import Inbox
from mainstem.spark.listening import Ear
from mainstem.spark.remote import listen_remotely

QUERY = "01a1e4ae-bb94-7266-a8dd-a0122f25b540"
IDLE = proto.StreamingQueryEventType.QUERY_IDLE_EVENT


class Server:
    """Answers the listener's commands; its last event comes while the listener is taken back."""

    def __init__(self) -> None:
        self._results: queue.Queue[Any] = queue.Queue()

    def execute_command_as_iterator(self, _command: Any) -> Iterator[Any]:
        added = proto.StreamingQueryListenerEventsResult(listener_bus_listener_added=True)
        yield {"streaming_query_listener_events_result": added}
        while (result := self._results.get()) is not None:
            yield {"streaming_query_listener_events_result": result}

    def execute_command(self, command: Any, *_: Any) -> tuple[None, dict[str, Any], None]:
        if command.streaming_query_listener_bus_command.remove_listener_bus_listener:
            said = {"id": QUERY, "runId": QUERY, "timestamp": "2026-11-16T10:00:00Z"}
            event = proto.StreamingQueryListenerEvent(event_json=json.dumps(said), event_type=IDLE)
            self._results.put(proto.StreamingQueryListenerEventsResult(events=[event]))
            self._results.put(None)
        return None, {}, None


def test_an_event_that_comes_while_a_listener_is_taken_back_lets_nobody_wait() -> None:
    session: Any = SimpleNamespace(client=Server())
    session.streams = StreamingQueryManager(session)
    farewells = listen_remotely(session, Ear(Inbox(), now))
    (handing_out,) = (
        thread for thread in threading.enumerate() if "_query_event_handler" in thread.name
    )
    leaving = threading.Thread(target=lambda: [each() for each in farewells], daemon=True)
    leaving.start()
    leaving.join(5)
    assert not leaving.is_alive()
    assert not handing_out.is_alive()
