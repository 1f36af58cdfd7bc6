"""An ingestion's lineage for a DataHub: written to a file, or sent through its own emitter."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mainstem.errors import BadRecipe
from mainstem.outbox import OutboxItem
from mainstem.recipe.ingestion import DataHubFileSink, DataHubRestSink, DataHubServer, IngestRecipe
from mainstem.watch.datahub.naming import Naming
from mainstem.watch.datahub.staleness import standing
from mainstem.watch.loop.cluster import Tick
from mainstem.watch.loop.plan import summary_of_left_out

if TYPE_CHECKING:
    from mainstem.errors import MainstemError
    from mainstem.outbox import Destination
    from mainstem.watch.datahub.proposals import Proposal
    from mainstem.watch.datahub.staleness import Entity
    from mainstem.watch.journal import Journal
    from mainstem.watch.loop.ingest_report import Told


class _Settled(NamedTuple):
    """What one cluster's look leads to."""

    cluster: str
    look: Tick
    told: dict[str, Sequence[Proposal]]
    remembered: Collection[Entity]


class DataHubOutlet:
    """Tells the whole of what was seen, each time, and takes back what is gone."""

    tells_runs = False

    def __init__(self, recipe: IngestRecipe, *, dry_run: bool, preview: bool) -> None:
        import datahub  # noqa: F401  # pyright: ignore[reportUnusedImport] - missing: said now

        self.destinations: Sequence[Destination] = () if dry_run else _destinations(recipe)
        self.told = 0
        self._told_of: dict[str, Told] = {}
        self._recipe = recipe
        self._dry_run = dry_run
        self._preview = preview
        stateful = recipe.source.config.stateful_ingestion
        self._removes = stateful.enabled and stateful.remove_stale_metadata and not preview

    def prepare(self, body: bytes) -> bytes | None:  # noqa: ARG002 - the outlet's shape
        """No OpenLineage is sent."""
        return None

    def settle(self, journal: Journal, looks: Mapping[str, Tick | MainstemError]) -> None:
        """Tell every cluster that was read; of one that was not, nothing is told or taken back."""
        from mainstem.watch.datahub.destination import packed

        settled: list[_Settled] = []
        for cluster, look in looks.items():
            if isinstance(look, Tick):
                before = journal.reported(cluster)
                told, remembered = self._proposals(before, cluster, look)
                gone: Told = {name: () for name, _ in before}
                said = {name: _said(each) for name, each in told.items()}
                self._told_of[cluster] = {**gone, **said}
                settled.append(_Settled(cluster, look, told, remembered))
        whole = [each for one in settled for own in one.told.values() for each in own]
        self.told = len(whole)
        if isinstance(self._recipe.sink, DataHubFileSink) and not self._dry_run:
            # before it counts as told: what a file did not take back is taken back next time
            _write(self._recipe.sink.config.filename, whole)
        is_sent = isinstance(self._recipe.sink, DataHubRestSink)
        for cluster, look, told, remembered in settled:
            items = [OutboxItem(key, packed(each)) for key, each in told.items() if is_sent]
            journal.report(cluster, remembered, items, self._summaries(look, remembered))

    def told_of(self, cluster: str, look: Tick | MainstemError) -> Told:  # noqa: ARG002
        """How many flows and jobs each connector has, or that they were taken back."""
        return self._told_of.get(cluster, {})

    def _proposals(
        self, before: Collection[Entity], cluster: str, tick: Tick
    ) -> tuple[dict[str, Sequence[Proposal]], Collection[Entity]]:
        """By connector, what is told of it; what was told before and is gone is taken back."""
        from mainstem.watch.datahub.proposals import existence_of, proposals_of

        naming = self._naming(cluster)
        told: dict[str, Sequence[Proposal]] = {
            name: proposals_of(known.subject.observed, known.subject.resolution, naming)
            for name, known in tick.known.items()
        }
        now = {(name, each["entityUrn"]) for name, own in told.items() for each in own}
        kept = _kept(tick)
        stands = standing(before, now, unreadable=kept, removes=self._removes)
        for name, urn in sorted(stands.stale):
            told[name] = (*told.get(name, ()), existence_of(urn, removed=True))
        return told, stands.remembered

    def _summaries(self, tick: Tick, remembered: Collection[Entity]) -> dict[str, bytes | None]:
        """What ``status`` shows of the connectors that are there and in DataHub."""
        names = {name for name, _ in remembered}
        shown: dict[str, bytes | None] = dict.fromkeys(tick.snapshot.unreadable)
        for name, observed in tick.snapshot.connectors.items():
            if name in tick.known:
                shown[name] = tick.known[name].summary
            elif name in names:
                shown[name] = None if self._preview else summary_of_left_out(observed)
        return shown

    def _naming(self, cluster: str) -> Naming:
        config = self._recipe.source.config
        (place,) = (each for each in config.places if each.cluster_name == cluster)
        return Naming(
            env=config.env,
            platform_instance=place.platform_instance,
            platform_instance_map=config.platform_instance_map,
            connect_to_platform_map=config.connect_to_platform_map,
            lower_case=config.convert_lineage_urns_to_lowercase or _lower_case_everywhere(),
        )


def _kept(tick: Tick) -> set[str]:
    """The connectors of which nothing is taken back: not all that is true of them was seen."""
    held = (name for name, known in tick.known.items() if known.holds)
    return {*tick.snapshot.unreadable, *tick.unsure, *held}


def _destinations(recipe: IngestRecipe) -> Sequence[Destination]:
    if not isinstance(recipe.sink, DataHubRestSink):
        return ()
    from mainstem.watch.datahub.destination import DataHubDestination, ServerAccess

    server: DataHubServer = recipe.sink.config
    access = ServerAccess(
        server=server.server,
        token=server.token.get_secret_value() if server.token else None,
        timeout_seconds=server.timeout_sec,
        headers={key: value.get_secret_value() for key, value in server.extra_headers.items()},
        ca_certificate=_text(server.ca_certificate_path),
        client_certificate=_text(server.client_certificate_path),
        verify=not server.disable_ssl_verification,
    )
    return (DataHubDestination(access),)


def _lower_case_everywhere() -> bool:
    """A switch of the SDK's own builders, for everything that they name."""
    return os.environ.get("DATAHUB_DATASET_URN_TO_LOWER") == "true"


def _said(proposals: Sequence[Proposal]) -> tuple[str, ...]:
    """Which entities were told, and how many of each kind, for people."""
    kinds = Counter(
        f"{each['entityType']}{' removed' * each['aspect']['json']['removed']}"
        for each in proposals
        if each["aspectName"] == "status"
    )
    return tuple(f"{number} {kind}" for kind, number in kinds.items())


def _text(path: Path | None) -> str | None:
    return str(path) if path else None


def _write(path: Path, proposals: Sequence[Proposal]) -> None:
    """The whole file or none: a reader never sees half a list."""
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("wb") as file:
            file.writelines(_lines(proposals))
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        problem = f"{path}: cannot be written: {error.strerror}"
        raise BadRecipe("sink.config.filename", [problem]) from error


def _lines(proposals: Sequence[Proposal]) -> Iterator[bytes]:
    import orjson

    yield b"[\n"
    for number, each in enumerate(proposals):
        yield b",\n" * (number > 0) + orjson.dumps(each)
    yield b"\n]\n"
