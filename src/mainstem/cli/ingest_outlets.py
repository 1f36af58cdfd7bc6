"""Where an ingestion's lineage goes: what each kind of sink does with a look."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from mainstem import clock
from mainstem.errors import BadRecipe
from mainstem.recipe.ingestion import (
    ConsoleSink,
    DataHubFileSink,
    DataHubRestSink,
    FileSink,
    IngestRecipe,
    OpenLineageSink,
)
from mainstem.watch.loop.cluster import Tick
from mainstem.watch.loop.ingest_report import told_of_runs
from mainstem.watch.loop.leaving import leave_cluster
from mainstem.watch.loop.telling import Teller

if TYPE_CHECKING:
    from pathlib import Path

    from mainstem.errors import MainstemError
    from mainstem.outbox import Destination
    from mainstem.outbox.configuration import Configuration
    from mainstem.watch.journal import Journal
    from mainstem.watch.loop.ingest_report import Looks, Told


class Outlet(Protocol):
    """One sink."""

    @property
    def destinations(self) -> Sequence[Destination]:
        """Who is brought what the journal holds."""
        ...

    @property
    def told(self) -> int:
        """How many events or proposals this ingestion made."""
        ...

    @property
    def tells_runs(self) -> bool:
        """Whether it wants to know when runs begin and end."""
        ...

    def prepare(self, body: bytes) -> bytes | None:
        """What is queued of an OpenLineage event; None: nothing."""
        ...

    def settle(self, journal: Journal, looks: Looks, left: Sequence[str]) -> Mapping[str, Told]:
        """What remains to be done once every cluster was looked at.

        What was said of the clusters that ``left`` the recipe is the answer.
        """
        ...

    def told_of(self, cluster: str, look: Tick | MainstemError) -> Told:
        """What was said of each connector, once settled."""
        ...


def outlet_of(recipe: IngestRecipe, *, dry_run: bool, preview: bool) -> Outlet:
    """The recipe's sink; one that is only tried out sends nothing.

    Raises:
        BadRecipe: it is a file that cannot be written; said before anybody waits.
    """
    if isinstance(recipe.sink, FileSink | DataHubFileSink):
        _check_file(recipe.sink.config.filename)
    if isinstance(recipe.sink, DataHubFileSink | DataHubRestSink):
        from mainstem.cli.ingest_datahub import DataHubOutlet

        return DataHubOutlet(recipe, dry_run=dry_run, preview=preview)
    return OpenLineageOutlet(_configuration(recipe), dry_run=dry_run)


class OpenLineageOutlet:
    """Sends events as they are told."""

    tells_runs = True

    def __init__(self, configuration: Configuration, *, dry_run: bool) -> None:
        from mainstem.outbox import destinations_from_configuration
        from mainstem.outbox.prepared_bytes import prepare_by

        destinations = destinations_from_configuration(configuration)
        self.destinations: Sequence[Destination] = () if dry_run else destinations
        self._goes_somewhere = any(each.kind != "noop" for each in destinations)
        self.told = 0
        self._prepare = prepare_by(configuration)
        self._dry_run = dry_run

    def prepare(self, body: bytes) -> bytes | None:
        """The event with the configuration's tags, unless it is filtered out."""
        prepared = self._prepare(body)
        self.told += prepared is not None and self._goes_somewhere
        return None if self._dry_run else prepared

    def settle(self, journal: Journal, looks: Looks, left: Sequence[str]) -> Mapping[str, Told]:  # noqa: ARG002
        """Everything was told during the looks, but for the ends of what left the recipe."""
        return {
            cluster: leave_cluster(Teller(journal, cluster, self.prepare, True), clock.now())
            for cluster in left
        }

    def told_of(self, cluster: str, look: Tick | MainstemError) -> Told:  # noqa: ARG002
        """What was said of each connector's run."""
        return told_of_runs(look) if isinstance(look, Tick) else {}


def _check_file(path: Path) -> None:
    """That it can be written, as far as that shows without writing."""
    folder = path.parent
    if path.is_dir():
        trouble = "is a directory"
    elif not folder.is_dir():
        trouble = f"there is no directory {folder}"
    elif not os.access(path if path.exists() else folder, os.W_OK):
        trouble = "permission denied"
    else:
        return
    raise BadRecipe("sink.config.filename", [f"{path}: cannot be written: {trouble}"])


def _configuration(recipe: IngestRecipe) -> Configuration:
    """The official client's configuration, with the sink's word before it and env as a tag."""
    from mainstem.outbox import read_configuration

    given = _given(recipe)
    configuration = read_configuration(given)
    tags = {"env": recipe.source.config.env, **configuration.job_tags}
    where = "sink.config" if "transport" in given else configuration.where
    return replace(configuration, where=where, job_tags=tags)


def _given(recipe: IngestRecipe) -> dict[str, Any]:
    match recipe.sink:
        case FileSink(config=file):
            path = str(file.filename)
            return {"transport": {"type": "file", "log_file_path": path, "append": True}}
        case ConsoleSink():
            return {"transport": {"type": "console"}}
        case OpenLineageSink(config=given):
            return given
        case _:
            return {}
