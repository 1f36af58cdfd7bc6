"""An ingestion's lineage for a DataHub: written to a file, or sent through its own emitter."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from mainstem import clock
from mainstem.errors import BadRecipe
from mainstem.outbox import OutboxItem
from mainstem.recipe.ingestion import DataHubFileSink, DataHubRestSink, DataHubServer, IngestRecipe
from mainstem.watch.datahub.naming import Naming
from mainstem.watch.datahub.staleness import standing
from mainstem.watch.journal import LookOutcome
from mainstem.watch.journal.journal import LEFT
from mainstem.watch.loop.cluster import Tick
from mainstem.watch.loop.plan import summary_of_left_out

if TYPE_CHECKING:
    from mainstem.errors import MainstemError
    from mainstem.outbox import Destination
    from mainstem.watch.datahub.proposals import Proposal
    from mainstem.watch.datahub.staleness import Entity
    from mainstem.watch.journal import Journal
    from mainstem.watch.loop.ingest_report import Looks, Told


class _Settled(NamedTuple):
    """What one cluster's look leads to."""

    cluster: str
    told: dict[str, Sequence[Proposal]]
    remembered: Collection[Entity]
    shown: Mapping[str, bytes | None]
    """What ``status`` shows of its connectors."""

    kept: Collection[Entity] = ()
    """What stands, and is not told now."""


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

    def settle(self, journal: Journal, looks: Looks, left: Sequence[str]) -> Mapping[str, Told]:
        """Tell every cluster that was read; of one that was not, nothing is told or taken back."""
        from mainstem.watch.datahub.destination import packed

        before = {cluster: journal.reported(cluster) for cluster in (*looks, *left)}
        settled = [
            self._seen(before[cluster], cluster, look)
            for cluster, look in looks.items()
            if isinstance(look, Tick)
        ]
        there = {urn for one in settled for _, urn in one.remembered}
        settled += [self._left(before[cluster], cluster, there) for cluster in left]
        whole = [each for one in settled for own in one.told.values() for each in own]
        self.told = len(whole)
        if isinstance(self._recipe.sink, DataHubFileSink) and not self._dry_run:
            unread = [before[name] for name, each in looks.items() if not isinstance(each, Tick)]
            kept = {urn for each in (*unread, *(one.kept for one in settled)) for _, urn in each}
            # before it counts as told: what a file did not take back is taken back next time
            if settled:
                _write(self._recipe.sink.config.filename, whole, kept)
        is_sent = isinstance(self._recipe.sink, DataHubRestSink)
        for one in settled:
            items = [OutboxItem(key, packed(each)) for key, each in one.told.items() if is_sent]
            journal.report(one.cluster, one.remembered, items, one.shown)
            gone: Told = {name: () for name, _ in before[one.cluster]}
            said = {name: _said(each) for name, each in one.told.items()}
            self._told_of[one.cluster] = {**gone, **said}
        for cluster in left:
            journal.save(cluster, (), LookOutcome(clock.now(), trouble=LEFT))
        return {cluster: self._told_of[cluster] for cluster in left}

    def told_of(self, cluster: str, look: Tick | MainstemError) -> Told:  # noqa: ARG002
        """How many flows and jobs each connector has, or that they were taken back."""
        return self._told_of.get(cluster, {})

    def _seen(self, before: Collection[Entity], cluster: str, tick: Tick) -> _Settled:
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
        held = [each for each in stands.remembered if each not in now and each[0] in kept]
        shown = self._summaries(tick, stands.remembered)
        return _Settled(cluster, told, stands.remembered, shown, held)

    def _left(self, before: Collection[Entity], cluster: str, there: Collection[str]) -> _Settled:
        """Of a cluster that left the recipe, all is taken back that no other one tells."""
        from mainstem.watch.datahub.proposals import existence_of

        if not self._removes:
            return _Settled(cluster, {}, before, dict.fromkeys(name for name, _ in before))
        told: dict[str, Sequence[Proposal]] = {}
        for name, urn in sorted(before):
            if urn not in there:
                told[name] = (*told.get(name, ()), existence_of(urn, removed=True))
        return _Settled(cluster, told, (), {})

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


def _write(path: Path, proposals: Sequence[Proposal], kept: Collection[str]) -> None:
    """The whole file or none: a reader never sees half a list.

    What the file says of entities that are ``kept`` stays in it, unless they are told anew.
    """
    told = {each["entityUrn"] for each in proposals}
    whole = [*proposals, *_written(path, set(kept) - told)]
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("wb") as file:
            file.writelines(_lines(whole))
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        problem = f"{path}: cannot be written: {error.strerror}"
        raise BadRecipe("sink.config.filename", [problem]) from error


def _written(path: Path, urns: Collection[str]) -> list[Proposal]:
    """What an earlier file says of these entities; a file that is none of ours says nothing."""
    import orjson

    if not urns or not path.exists():
        return []
    try:
        before = msgspec.convert(orjson.loads(path.read_bytes()), list[dict[str, Any]])
    except (ValueError, OSError):
        return []
    return [each for each in before if each.get("entityUrn") in urns]


def _lines(proposals: Sequence[Proposal]) -> Iterator[bytes]:
    import orjson

    yield b"[\n"
    for number, each in enumerate(proposals):
        yield b",\n" * (number > 0) + orjson.dumps(each)
    yield b"\n]\n"
