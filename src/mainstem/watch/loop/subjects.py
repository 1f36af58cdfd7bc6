"""What is known of each connector, thought through again only where something changed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.events import Subject
from mainstem.watch.loop.plan import sighting_of, summary_of
from mainstem.watch.loop.resolving import ResolutionBook

if TYPE_CHECKING:
    from collections.abc import Collection

    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.loop.basis import Basis
    from mainstem.watch.loop.settings import ClusterSettings
    from mainstem.watch.resolvers.model import Resolution
    from mainstem.watch.runs import Sighting


class Known(Struct, frozen=True, dict=True):
    """One connector, thought through."""

    subject: Subject
    summary: bytes
    unasked: str | None = None
    """Why its topics could not be asked, if so."""

    holds: bool = False
    """Whether what was told before may still be so: nothing is taken back."""

    @cached_property
    def sighting(self) -> Sighting:
        """What it means for the connector's run; nobody asks where runs are not told."""
        return sighting_of(self.subject.observed, self.subject.resolution)


class SubjectBook:
    """Remembers each connector's thoughts while neither it nor their basis changes.

    A connector that did not change is the very same object in the next look, which makes ten
    thousand quiet connectors cheap.
    """

    def __init__(self, settings: ClusterSettings) -> None:
        self._settings = settings
        self._resolutions = ResolutionBook(settings)
        self._held: dict[str, tuple[Basis, Known]] = {}

    def last_seen(self, connector: str) -> ObservedConnector | None:
        """The connector as it was when it was last thought of."""
        held = self._held.get(connector)
        return None if held is None else held[1].subject.observed

    def known(self, observed: ObservedConnector, basis: Basis) -> Known:
        """What is known of a connector now."""
        held = self._held.get(observed.name)
        if held is not None and held[1].subject.observed is observed and held[0] == basis:
            return held[1]
        resolution = self._resolutions.resolution(observed, basis)
        subject = self._subject(observed, resolution, basis.worker_version)
        known = Known(
            subject,
            summary_of(subject, basis),
            unasked=basis.unasked,
            holds=basis.holds,
        )
        self._held[observed.name] = (basis, known)
        return known

    def topics(self, observed: ObservedConnector, basis: Basis) -> tuple[str, ...]:
        """The topics that a connector reads or writes."""
        return self._resolutions.topics(observed, basis)

    def keep_only(self, connectors: Collection[str]) -> None:
        """Forget the connectors that are gone."""
        for name in self._held.keys() - connectors:
            del self._held[name]
        self._resolutions.keep_only(connectors)

    def _subject(
        self, observed: ObservedConnector, resolution: Resolution, worker_version: str
    ) -> Subject:
        return Subject(
            job_namespace=self._settings.job_namespace,
            job_name=observed.name,
            observed=observed,
            resolution=resolution,
            worker_version=worker_version,
            heartbeat=self._settings.cluster.heartbeat,
            whole_traces=self._settings.cluster.traces == "whole",
        )
