"""Where an Iceberg catalog keeps a table, and what the catalog calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names import lake
from mainstem.watch.resolvers.model import Symlink

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.settings import Settings

_CATALOG = "iceberg.catalog."
CATALOG_KEYS = (
    "type",
    "catalog-impl",
    "warehouse",
    "uri",
    "client.region",
    "glue.id",
    "glue.region",
)
READS = tuple(f"{_CATALOG}{key}" for key in CATALOG_KEYS)


class Table(Struct, frozen=True):
    """A table's primary name and its other ones."""

    dataset: DatasetName
    symlinks: tuple[Symlink, ...] = ()


def table_of(config: Settings, name: str, *, catalog_keys: str = _CATALOG) -> Table:
    """The table by its location where the catalog's kind tells it, else by the catalog's name."""
    catalog = config.under(catalog_keys)
    kind = _kind(catalog)
    if kind not in _KINDS:
        raise CannotTell("the kind of Iceberg catalog is not known")
    *namespace, table = name.split(".")
    if not namespace or not all((*namespace, table)):
        raise CannotTell("the table's name has no namespace")
    return _KINDS[kind](catalog, tuple(namespace), table)


def _kind(catalog: Settings) -> str:
    implementation = catalog.first("catalog-impl")
    if implementation is not None:
        return implementation.rpartition(".")[2].removesuffix("Catalog").lower()
    return catalog.text("type", "hive").lower()


def _below_warehouse(catalog: Settings, namespace: tuple[str, ...], table: str) -> Table:
    warehouse = catalog.required("warehouse")
    dataset = lake.at_location(warehouse, *namespace, table)
    logical = lake.in_warehouse(warehouse, ".".join((*namespace, table)))
    return Table(dataset, (Symlink(logical),))


def _hive(catalog: Settings, namespace: tuple[str, ...], table: str) -> Table:
    uri = catalog.first("uri")
    name = ".".join((*namespace, table))
    warehouse = catalog.first("warehouse")
    if warehouse is None:
        return Table(lake.in_hive_metastore(catalog.required("uri"), name))
    dataset = lake.hive_location(warehouse, ".".join(namespace), table)
    symlinks = (Symlink(lake.in_hive_metastore(uri, name)),) if uri else ()
    return Table(dataset, symlinks)


def _by_uri(catalog: Settings, namespace: tuple[str, ...], table: str) -> Table:
    return Table(lake.in_catalog(catalog.required("uri"), ".".join((*namespace, table))))


def _glue(catalog: Settings, namespace: tuple[str, ...], table: str) -> Table:
    region = catalog.required("client.region")
    account = catalog.required("glue.id")
    return Table(lake.in_glue(region, account, ".".join(namespace), table))


def _s3_tables(catalog: Settings, namespace: tuple[str, ...], table: str) -> Table:
    bucket = catalog.required("warehouse")
    return Table(lake.in_table_bucket(bucket, ".".join((*namespace, table))))


_KINDS: dict[str, Callable[[Settings, tuple[str, ...], str], Table]] = {
    "glue": _glue,
    "hadoop": _below_warehouse,
    "hive": _hive,
    "jdbc": _below_warehouse,
    "nessie": _by_uri,
    "rest": _by_uri,
    "s3tables": _s3_tables,
}
