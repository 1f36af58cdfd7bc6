"""Where the events of an application wait, and where they go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.outbox import Drainer, destinations_from_configuration, read_configuration
from mainstem.outbox.prepared_bytes import prepare_by
from mainstem.spark.journal import journal_path, open_journals

if TYPE_CHECKING:
    from mainstem.clock import Clock
    from mainstem.spark.settings import Settings

DELIVERY_SECONDS = 10.0
"""How long the end of the job waits for destinations; the rest stays for the next start."""


class Delivery:
    """The journal of this process, and a drainer for each file that has something to deliver."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        given = {"transport": dict(settings.transport)} if settings.transport else None
        configuration = read_configuration(given)
        destinations_from_configuration(configuration)  # every mistake before a file is opened
        self.prepare = prepare_by(configuration)
        path = settings.outbox or journal_path(settings.namespace, settings.app)
        self.journal, left = open_journals(path, clock, self.prepare)
        self._journals = (self.journal, *left)
        self._drainers = [
            Drainer(journal.outbox, destinations_from_configuration(configuration), clock)
            for journal in self._journals
        ]

    def start(self) -> None:
        """Begin to deliver."""
        for drainer in self._drainers:
            drainer.start()

    def stop(self) -> None:
        """Deliver for a while, then leave the rest in the files."""
        for drainer in self._drainers:
            drainer.stop(DELIVERY_SECONDS)
        for journal in self._journals:
            journal.close()
