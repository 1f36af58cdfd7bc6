"""A dataset as the fold of the events that name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from mainstem.said.registers import Facets

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.said.event import Mention
    from mainstem.serve.model.event import Event


class Dataset(Struct):
    """One dataset under one name; aliases are applied when it is read."""

    id: int
    name: DatasetName
    created: int
    updated: int
    first_key: str
    last_key: str
    written: int | None = None
    """When a job last wrote it."""

    written_key: str = ""
    """The order keys of the events that these three times come from."""

    schema_key: str = ""
    """How strong the schema's word is: registry id, writer, then order key."""

    version: str | None = None
    fields: bytes = b"[]"
    """The current schema's fields, ready to be served."""

    facets: Facets = field(default_factory=Facets)
    told_anew: bool = True
    """Whether more than its last times and keys differ from what is stored."""

    @property
    def size(self) -> int:
        """About how many bytes it takes in memory."""
        return 1000 + len(self.fields) + self.facets.size


class SchemaVersion(NamedTuple):
    """One schema of one dataset, as one producer first said it."""

    first_key: str
    writer_key: str | None
    """The order key of the first event that wrote with this schema; its run made the version."""

    run_id: str | None
    facets: bytes
    """All facets of the first event; empty where they need not be written again."""


def fold_mention(dataset: Dataset, mention: Mention, event: Event) -> None:
    """Add what one event says of a dataset."""
    if mention.written and event.key > dataset.written_key:
        dataset.written_key, dataset.written = event.key, event.time
    said = mention.said
    stands = dataset.facets.stands(said.spelled)
    if said.schema is None:
        if stands:
            dataset.facets.repeat(said.names, event.key)
        else:
            dataset.told_anew |= dataset.facets.say(said.facets, event.key)
        return
    strength = f"{said.registered:d}{bool(mention.written):d}{event.key}"
    stronger = strength > dataset.schema_key
    if stronger:
        dataset.schema_key, dataset.fields = strength, said.schema.fields
        dataset.version = said.schema.version
    if stands:
        dataset.facets.repeat(said.names, event.key)
        if stronger:
            dataset.facets.keys["schema"] = strength
        return
    dataset.told_anew = True
    if stronger and not said.deletes:
        keys = {**dict.fromkeys(said.names, event.key), "schema": strength}
        if dataset.facets.adopt(said.spelled, keys):
            return
    others = said.facets
    schema = others.pop("schema")
    if stronger:
        dataset.facets.say({"schema": schema}, strength)
    dataset.facets.say(others, event.key)


def fold_naming(dataset: Dataset, event: Event) -> None:
    """Add that an event names a dataset, be it as a source of columns only."""
    # A key begins with its event's time.
    if event.key > dataset.last_key:
        dataset.last_key, dataset.updated = event.key, event.time
    if event.key < dataset.first_key:
        dataset.told_anew |= event.time != dataset.created
        dataset.first_key, dataset.created = event.key, event.time


def is_older(known: SchemaVersion, key: str, *, wrote: bool) -> bool:
    """Whether a version's first word and first writer came before an event, which adds nothing."""
    writer = known.writer_key
    return known.first_key <= key and (not wrote or (writer is not None and writer <= key))


def merge_version(known: SchemaVersion | None, said: SchemaVersion) -> SchemaVersion:
    """The first word on a schema, and the first run that wrote with it."""
    if known is None:
        return said
    if said.writer_key is not None and (
        known.writer_key is None or said.writer_key < known.writer_key
    ):
        known = known._replace(writer_key=said.writer_key, run_id=said.run_id)
    if said.first_key < known.first_key:
        known = known._replace(first_key=said.first_key, facets=said.facets)
    return known
