"""What a dataset's facets say, read once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.said.columns import ColumnsSaid, read_columns, said_columns
from mainstem.said.json_values import Json, as_object, as_objects, as_text
from mainstem.said.registers import NOTHING_SAID, spell_facets
from mainstem.said.schema import SchemaSaid, read_schema, said_fields

if TYPE_CHECKING:
    from collections.abc import Iterator


SMALL_PARTS = 1000


class DatasetSaid(NamedTuple):
    """The facets of a dataset, understood."""

    spelled: bytes
    """Their one spelling."""

    names: tuple[str, ...] = ()
    """What each of them is called; without a schema, whose word has a strength of its own."""

    schema: SchemaSaid | None = None
    columns: ColumnsSaid | None = None
    registered: bool = False
    """Whether a schema registry vouches for the schema."""

    source: tuple[str, str] | None = None
    """The data source's name and its URL."""

    symlinks: tuple[DatasetName, ...] = ()
    deletes: bool = False
    """Whether some facet says that it is gone."""

    finds: bool = False
    """Whether they tell tags or owners, by which a dataset is found."""

    @property
    def facets(self) -> Json:
        """The facets themselves, read again: few events change what stands."""
        return orjson.loads(self.spelled)

    @property
    def size(self) -> int:
        """About how many bytes it takes in memory."""
        schema = 0 if self.schema is None else len(self.schema.fields)
        columns = 0 if self.columns is None else len(self.columns.facet)
        return SMALL_PARTS + len(self.spelled) + schema + columns


NOTHING = DatasetSaid(NOTHING_SAID)


def understand(name: DatasetName, facets: Json) -> DatasetSaid:
    """What facets say of a dataset."""
    if not facets:
        return NOTHING
    fields = said_fields(facets)
    columns = said_columns(facets)
    source = as_object(facets.get("dataSource"))
    called = as_text(source.get("name"))
    return DatasetSaid(
        spelled=spell_facets(facets),
        names=tuple(name for name in facets if name != "schema" or not fields),
        schema=read_schema(name, fields) if fields else None,
        columns=None if columns is None else read_columns(columns),
        registered=is_registered(facets),
        source=(called, as_text(source.get("uri")) or "") if called else None,
        symlinks=tuple(symlinks(facets)),
        deletes=any(one is None or one.get("_deleted") is True for one in facets.values()),
        finds=not facets.keys().isdisjoint(("ownership", "tags")),
    )


def source_name(facets: Json) -> str:
    """The source that a ``dataSource`` facet names; Marquez files the rest under "default"."""
    return as_text(as_object(facets.get("dataSource")).get("name")) or "default"


def lifecycle_state(facets: Json) -> str | None:
    """The last thing that happened to the dataset as a whole, such as CREATE or DROP."""
    return as_text(as_object(facets.get("lifecycleStateChange")).get("lifecycleStateChange"))


def is_registered(facets: Json) -> bool:
    """Whether a schema registry vouches for the schema, if there is one."""
    holders = (facets.get("schema"), facets.get("mainstem_schema"))
    return any(as_object(one).get("registryId") is not None for one in holders)


def symlinks(facets: Json) -> Iterator[DatasetName]:
    """Other names that the dataset is said to have."""
    for one in as_objects(as_object(facets.get("symlinks")).get("identifiers")):
        namespace, other = as_text(one.get("namespace")), as_text(one.get("name"))
        if namespace and other:
            yield DatasetName(namespace, other)
