"""What a place is called: the OpenLineage agent's names to the letter, so that graphs meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.errors import CannotTell
from mainstem.names import kafka, lake
from mainstem.names.jdbc import jdbc_dataset
from mainstem.spark.jdbc_query import query_tables
from mainstem.spark.lineage import Dataset, SchemaField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mainstem.names.dataset import DatasetName
    from mainstem.spark.captured import Catalog, Place

NO_DATASETS = frozenset(
    {
        "ConsoleTable",
        "ForeachBatchSink",
        "MemorySink",
        "MemoryStream",
        "MemoryStreamTable",
        "MetadataTable",
        "NoopDataSource",
        "NoopTable",
        "RangeTable",
        "RatePerMicroBatchTable",
        "RateStreamTable",
        "TextSocketTable",
    }
)
"""Sources that make their rows up, tables about tables, and sinks that keep nothing."""


def is_no_dataset(place: Place) -> bool:
    """Whether the place is known to be none that anyone else could read or write."""
    return place.kind in NO_DATASETS


def is_topic(place: Place) -> bool:
    """Whether the place is one or more topics of a Kafka cluster."""
    return "kafka.bootstrap.servers" in place.options


def datasets_at(place: Place, fields: tuple[SchemaField, ...] = ()) -> tuple[Dataset, ...]:
    """The datasets of a place; none where nothing tells its name for certain."""
    try:
        return tuple(
            Dataset(name.namespace, name.name, symlinks, fields)
            for name, symlinks in dict.fromkeys(_named(place))
        )
    except CannotTell:
        return ()


def schema_fields(schema: Mapping[str, Any]) -> tuple[SchemaField, ...]:
    """The fields of a Spark schema's JSON, each with Spark's word for its type."""
    return tuple(_field(each["name"], each["type"]) for each in schema["fields"])


def _field(name: str, of: Any) -> SchemaField:
    if isinstance(of, str):
        return SchemaField(name, of)
    # Spark writes the struct without fields as an empty list.
    match of.get("type") if of else None:
        case None:
            return SchemaField(name, "struct")
        case "struct":
            return SchemaField(name, "struct", schema_fields(of))
        case "array":
            return SchemaField(name, "array", (_field("_element", of["elementType"]),))
        case "map":
            inside = (_field("key", of["keyType"]), _field("value", of["valueType"]))
            return SchemaField(name, "map", inside)
        case _:
            return SchemaField(name, "udt")


_Named = tuple["DatasetName", tuple[tuple[str, str, str], ...]]


def _named(place: Place) -> Iterator[_Named]:
    if is_topic(place):
        cluster = kafka.cluster_namespace(place.options["kafka.bootstrap.servers"])
        for topic in _topics(place.options):
            yield kafka.topic(cluster, topic), ()
    elif "url" in place.options:
        url = place.options["url"]
        for table in query_tables(url, place.options):
            yield jdbc_dataset(url, table), ()
    else:
        for location in place.locations:
            yield lake.at_location(location), tuple(_symlinks(place, location))


def _topics(options: Mapping[str, str]) -> Sequence[str]:
    if "assign" in options:
        return sorted(orjson.loads(options["assign"]))
    listed = options.get("subscribe") or options.get("topic") or ""
    return [topic.strip() for topic in listed.split(",") if topic.strip()]


def _symlinks(place: Place, location: str) -> Iterator[tuple[str, str, str]]:
    catalog = place.catalog
    if catalog is None:
        return
    built_in = catalog.name == "spark_catalog" and "warehouse" in catalog.options
    table = ".".join(place.table) or (_managed(location, catalog) if built_in else "")
    find = _in_built_in if built_in else _CATALOGS.get(_catalog_type(catalog))
    if not table or find is None:
        return
    try:
        name = find(catalog.options, table, location)
    except CannotTell:
        return
    if name is not None:
        yield name.namespace, name.name, "TABLE"


def _managed(location: str, catalog: Catalog) -> str:
    """The table whose rows Spark keeps here: its first write does not know its name yet."""
    warehouse = lake.at_location(catalog.options["warehouse"])
    place = lake.at_location(location)
    below = place.name.removeprefix(f"{warehouse.name.rstrip('/')}/").split("/")
    if place.namespace != warehouse.namespace or place.name.split("/")[: -len(below)] == []:
        return ""
    match below:
        case [table] if table != place.name:
            return f"default.{table}"
        case [database, table] if database.endswith(".db"):
            return f"{database.removesuffix('.db')}.{table}"
        case _:
            return ""


def _catalog_type(catalog: Catalog) -> str:
    implementation = catalog.options.get("catalog-impl", "").rsplit(".", 1)[-1]
    by_class = implementation.removesuffix("Catalog").lower()
    return (catalog.options.get("type") or by_class or "hive").lower()


def _in_built_in(options: Mapping[str, str], table: str, location: str) -> DatasetName | None:
    if options.get("type") == "hive" and "uri" in options:
        return _in_metastore(options, table, location)
    warehouse = lake.at_location(options["warehouse"])
    place = lake.at_location(location)
    inside = place.namespace == warehouse.namespace and place.name.startswith(f"{warehouse.name}/")
    # A table elsewhere cannot be had through the warehouse, so that is no name of it.
    return lake.in_warehouse(options["warehouse"], table) if inside else None


def _in_metastore(options: Mapping[str, str], table: str, _location: str) -> DatasetName | None:
    return lake.in_hive_metastore(options["uri"], table) if "uri" in options else None


def _in_warehouse(options: Mapping[str, str], table: str, _location: str) -> DatasetName | None:
    return lake.in_warehouse(options["warehouse"], table) if "warehouse" in options else None


def _in_service(options: Mapping[str, str], table: str, _location: str) -> DatasetName | None:
    return lake.in_catalog(options["uri"], table) if "uri" in options else None


_CATALOGS: Mapping[str, Callable[[Mapping[str, str], str, str], DatasetName | None]] = {
    "hadoop": _in_warehouse,
    "hive": _in_metastore,
    "nessie": _in_service,
    "rest": _in_service,
}
