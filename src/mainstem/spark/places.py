"""Where relations and sinks lie, asked of the JVM through py4j, one answer per table class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mainstem.spark.captured import CATALOG_OPTIONS, READ_OPTIONS, Catalog, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MANY_PATHS = 1000
"""A read of more paths than this is not asked path by path whether each is a single file."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def simple_name(java: Any) -> str:
    """The class of a Java object without its package and outer class."""
    of = java.getClass()
    while "$anon$" in (name := of.getName()):
        of = of.getSuperclass()
    return name.rstrip("$").rsplit(".", 1)[-1].rsplit("$", 1)[-1]


def elements(sequence: Any) -> Iterator[Any]:
    """The elements of a Scala sequence."""
    return (sequence.apply(at) for at in range(sequence.size()))


def _pairs(options: Any) -> Iterator[tuple[str, str]]:
    """What a Scala map holds."""
    iterator = options.iterator()
    while iterator.hasNext():
        pair = iterator.next()
        yield pair._1(), pair._2()  # noqa: SLF001 - Scala's names


def option_value(option: Any) -> Any | None:
    """What a Scala ``Option`` holds."""
    return option.get() if option.isDefined() else None


def field_value(java: Any, name: str) -> Any | None:
    """A private field, by reflection; nothing where no class of the object has such a field."""
    declaring = java.getClass()
    while declaring is not None:
        for field in declaring.getDeclaredFields():
            # Scala puts the class's name before a private field that a closure uses.
            if field.getName().rsplit("$", 1)[-1] == name:
                field.setAccessible(True)
                return field.get(java)
        declaring = declaring.getSuperclass()
    return None


def allow_listed(options: Any) -> dict[str, str]:
    """The options of a Scala or Java map that are known to name a place, and no other."""
    if options is None:
        return {}
    pairs = options.items() if isinstance(options, Mapping) else _pairs(options)
    lower = ((str(key).lower(), value) for key, value in pairs)
    return {key: value for key, value in lower if key in READ_OPTIONS}


class Places:
    """Answers where things lie, for one session."""

    def __init__(self, session: Any, settled: dict[str, str | None] | None = None) -> None:
        self._session = session
        self._settled = {} if settled is None else settled
        """Settings that do not change as long as the application runs, where they are known."""
        self._catalogs: dict[str, Catalog | None] = {}

    def of_leaf(self, leaf: Any) -> Place | None:
        """Where a leaf of a plan is read from; ``None`` for rows that lie nowhere."""
        find = LEAVES.get(simple_name(leaf))
        if find is None or leaf.output().isEmpty():
            return None
        return find(self, leaf)

    def of_relation_v2(self, relation: Any) -> Place:
        """A table of a data source of the second version, batch or streaming."""
        table = relation.table()
        if simple_name(table) == "RowLevelOperationTable":
            table = table.table()
        streaming = simple_name(relation) == "StreamingRelationV2"
        options = relation.extraOptions() if streaming else relation.options()
        place = self.of_table(table, options)
        return self._catalogued(place, relation) if place.kind == "StagedSparkTable" else place

    def _catalogued(self, place: Place, relation: Any) -> Place:
        """A table that is being created: not it, but the command knows its catalog's name."""
        plugin, name = option_value(relation.catalog()), option_value(relation.identifier())
        if plugin is None or name is None:
            return place
        parts = (*name.namespace(), name.name())
        return replace(place, table=parts, catalog=self._catalog(plugin.name()))

    def of_table(self, table: Any, options: Any) -> Place:
        """A table or sink by what its own class knows, else by its options."""
        kind = simple_name(table)
        find = _TABLES.get(kind)
        return find(self, table) if find else self.of_options(kind, options)

    def of_options(self, kind: str, options: Any) -> Place:
        """A place that nothing but the options names."""
        allowed = allow_listed(options)
        path = allowed.pop("path", None)
        return Place(kind, locations=(self._qualified(path),) if path else (), options=allowed)

    def of_files(self, kind: str, paths: Sequence[str], table: Any | None = None) -> Place:
        """Files below some paths; under the built-in catalog's name where they have one."""
        parts = _table_parts(table) if table is not None else ()
        lies = tuple(dict.fromkeys(map(self._qualified, paths)))
        return Place(kind, parts, lies, self._built_in)

    def of_catalog_table(self, kind: str, table: Any) -> Place:
        """A table of the built-in catalog, which says its location."""
        location = option_value(table.storage().locationUri())
        return self.of_files(kind, [location.toString()] if location else [], table)

    def of_logical_relation(self, leaf: Any) -> Place:
        """A relation of a data source of the first version."""
        relation = leaf.relation()
        kind = simple_name(relation)
        if kind == "HadoopFsRelation":
            paths = list(_directories(relation.location()))
            return self.of_files(kind, paths, option_value(leaf.catalogTable()))
        if kind == "JDBCRelation":
            return _jdbc(kind, relation.jdbcOptions())
        return Place(kind, options=allow_listed(field_value(relation, "sourceOptions")))

    def of_streaming_relation(self, leaf: Any) -> Place:
        """A stream of a data source of the first version, such as new files in a directory."""
        source = leaf.dataSource()
        table = option_value(source.catalogTable())
        if table is not None:
            return self.of_catalog_table(source.className(), table)
        return self.of_options(source.className(), source.options())

    def of_iceberg(self, table: Any) -> Place:
        """An Iceberg table, by its location and by its catalog's name for it."""
        if _is_metadata(table.table()):
            return Place("MetadataTable")
        name, *inside = table.name().split(".")
        catalog = self._catalog(name) if inside else None
        location = table.table().location()
        return Place(simple_name(table), tuple(inside) if catalog else (), (location,), catalog)

    def of_delta(self, table: Any) -> Place:
        """A Delta table, by its path and, where it is registered, by its name."""
        registered = option_value(table.catalogTable())
        return self.of_files(simple_name(table), [table.path().toString()], registered)

    def of_staged(self, table: Any) -> Place:
        """A table that the running command creates in the built-in catalog."""
        known = self._session.sessionState().catalog()
        *databases, name = table.name().replace("`", "").split(".")
        database = databases[-1] if databases else known.getCurrentDatabase()
        location = table.properties().get("location")
        if location is None:
            home = known.getDatabaseMetadata(database).locationUri().toString()
            location = f"{home.rstrip('/')}/{name}"
        lies = (self._qualified(location),)
        return Place(simple_name(table), (database, name), lies, self._built_in)

    def of_file_table(self, table: Any) -> Place:
        """Files read by a data source of the second version."""
        return self.of_files(simple_name(table), list(_directories(table.fileIndex())))

    def of_file_sink(self, sink: Any) -> Place:
        """The directory that a stream writes files to."""
        return self.of_files(simple_name(sink), [str(field_value(sink, "path"))])

    def of_jdbc_table(self, table: Any) -> Place:
        """A table of a JDBC catalog."""
        return _jdbc(simple_name(table), table.jdbcOptions())

    def _catalog(self, name: str) -> Catalog | None:
        if name not in self._catalogs:
            prefix = f"spark.sql.catalog.{name}"
            known = bool(self._setting(prefix))
            settings = {key: self._setting(f"{prefix}.{key}") for key in CATALOG_OPTIONS if known}
            self._catalogs[name] = Catalog(name, _present(settings)) if known else None
        return self._catalogs[name]

    @cached_property
    def _built_in(self) -> Catalog:
        settings = {
            "type": self._static("spark.sql.catalogImplementation"),
            "warehouse": self._static("spark.sql.warehouse.dir"),
            "uri": self._static("spark.hadoop.hive.metastore.uris"),
        }
        return Catalog("spark_catalog", _present(settings))

    @cached_property
    def _default_store(self) -> str:
        return self._session.sessionState().newHadoopConf().get("fs.defaultFS", "file:///")

    @cached_property
    def _conf(self) -> Any:
        return self._session.conf()

    def _setting(self, key: str) -> str:
        return self._conf.get(key, "")

    def _static(self, key: str) -> str | None:
        if key not in self._settled:
            # A default of ours would be held against what Spark allows.
            self._settled[key] = option_value(self._conf.getOption(key))
        return self._settled[key]

    def _qualified(self, path: str) -> str:
        if _SCHEME.match(path):
            return path
        store = self._default_store
        if store.startswith("file:"):
            return f"file:{Path.cwd() / path}"
        return store.rstrip("/") + path if path.startswith("/") else path


def _is_metadata(table: Any) -> bool:
    """Whether an Iceberg table is a view of another one's snapshots, files and the like."""
    of = table.getClass()
    while of is not None and not of.getName().endswith(".BaseMetadataTable"):
        of = of.getSuperclass()
    return of is not None


def _jdbc(kind: str, options: Any) -> Place:
    return Place(kind, options={"url": options.url(), "dbtable": options.tableOrQuery()})


def _table_parts(table: Any) -> tuple[str, ...]:
    identifier = table.identifier()
    database = option_value(identifier.database())
    return (database, identifier.table()) if database else (identifier.table(),)


def _present(settings: Mapping[str, str | None]) -> dict[str, str]:
    return {key: value for key, value in settings.items() if value}


def _directories(index: Any) -> Iterator[str]:
    """The paths that were read; of several single files their directories, as the agent says."""
    roots = index.rootPaths()
    listed = simple_name(index) == "InMemoryFileIndex" and 1 < roots.size() <= MANY_PATHS
    single_files = index.leafFiles() if listed else None
    for root in elements(roots):
        is_file = single_files is not None and single_files.contains(root)
        yield (root.getParent() if is_file else root).toString()


LEAVES: Mapping[str, Callable[[Places, Any], Place]] = {
    "DataSourceV2Relation": Places.of_relation_v2,
    "StreamingRelationV2": Places.of_relation_v2,
    "LogicalRelation": Places.of_logical_relation,
    "StreamingRelation": Places.of_streaming_relation,
    "HiveTableRelation": lambda places, leaf: places.of_catalog_table(
        "HiveTableRelation", leaf.tableMeta()
    ),
}
"""Leaves whose rows lie somewhere."""

_TABLES: Mapping[str, Callable[[Places, Any], Place]] = {
    "SparkTable": Places.of_iceberg,
    "StagedSparkTable": Places.of_iceberg,
    "DeltaTableV2": Places.of_delta,
    "StagedDeltaTableV2": Places.of_staged,
    "AvroTable": Places.of_file_table,
    "CSVTable": Places.of_file_table,
    "JsonTable": Places.of_file_table,
    "OrcTable": Places.of_file_table,
    "ParquetTable": Places.of_file_table,
    "TextTable": Places.of_file_table,
    "FileStreamSink": Places.of_file_sink,
    "JDBCTable": Places.of_jdbc_table,
}
"""Classes that say where they lie themselves; of all others the options are asked."""
