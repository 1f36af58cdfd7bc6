"""A watcher of one fake cluster with a clock that stands still until it is moved."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import orjson

from mainstem.outbox.connection import connect_to_read
from mainstem.recipe.loading import from_flags
from mainstem.recipe.model import Cluster, Recipe
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.journal import Journal
from mainstem.watch.loop.cluster import Prepare, Surroundings, Tick, WatchedCluster
from mainstem.watch.loop.cluster_thread import allowed_keys
from mainstem.watch.loop.settings import settings_of
from mainstem.watch.loop.tick import run_tick

FILE_SOURCE = {
    "connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
    "file": "/data/in.txt",
    "topic": "lines",
}
FILE_SINK = {"connector.class": "FileStreamSink", "file": "/data/out.txt", "topics": "lines"}


class World:
    """Looks at a fake cluster; ``events`` is everything that was ever stored for delivery."""

    prepare: Prepare = staticmethod(lambda body: body)

    def __init__(self, journal: Path, connect: FakeConnect | None = None, **cluster: Any) -> None:
        self.connect = connect or FakeConnect()
        self.now = datetime(2026, 11, 16, 12, tzinfo=UTC)
        self._path = journal
        self.cluster = cluster
        self._pool = ThreadPoolExecutor(2)
        self.open()

    def open(self) -> None:
        """Start the watcher on its journal."""
        self.journal = Journal.open(self._path)
        recipe = _recipe(self.cluster)
        settings = settings_of(recipe, recipe.clusters[0], {})
        client = ConnectClient(settings.access, allowed_keys(), http=self.connect.http())
        around = Surroundings(self.journal, lambda: self.now, self.prepare)
        self.watched = WatchedCluster(settings, client, around, self._pool)

    def restart(self) -> None:
        """End the watcher and start it again, as after a deployment."""
        self.journal.close()
        self.open()

    def look(self, after: timedelta = timedelta(seconds=10)) -> list[tuple[str, str]]:
        """One look; what was said in it, as job name and event type."""
        self.now += after
        before = len(self.events())
        self.last: Tick = run_tick(self.watched)
        return [
            (event["job"]["name"], event.get("eventType", "JOB"))
            for event in self.events()[before:]
        ]

    def read_offsets(self, after: timedelta = timedelta(seconds=1)) -> None:
        """Let every running connector be asked once how far it is."""
        self.now += after
        for _ in self.connect.connectors:
            self.watched.offsets.ask_next()

    def events(self) -> list[dict[str, Any]]:
        """Every event in the outbox, oldest first."""
        connection = connect_to_read(self._path)
        rows = connection.execute("SELECT body FROM outbox_event ORDER BY id").fetchall()
        connection.close()
        return [orjson.loads(body) for (body,) in rows]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.watched.schemas.close()
        self.journal.close()
        self._pool.shutdown()


def _recipe(cluster: dict[str, Any]) -> Recipe:
    if not cluster:
        return from_flags("http://fake:8083", kafka="b1:9092")
    whole = {"urls": ["http://fake:8083"], "kafka": {"bootstrap": "b1:9092"}, **cluster}
    return Recipe(clusters=(Cluster.model_validate(whole),))
