"""Copying a query out of the JVM: its plan's text, and for each leaf what the text leaves out.

Everything here is a call through py4j and belongs on a thread of our own; a callback needs to keep
nothing but the reference of the query execution or of the streaming query. The classes are Spark's
internal ones, so they are told apart by their simple names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mainstem.spark.captured import CapturedPlan
from mainstem.spark.places import (
    LEAVES,
    Places,
    elements,
    field_value,
    option_value,
    simple_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mainstem.spark.captured import Place


def plans_to_tell(execution: Any, *, reads: bool) -> tuple[Any, ...]:
    """The plans of a finished ``QueryExecution`` that wrote rows; on demand the one that read."""
    plan = execution.commandExecuted()
    kind = simple_name(plan)
    if kind in _TARGETS:
        return (plan,)
    # Several INSERTs that share their FROM are one action.
    inserts = tuple(elements(plan.children())) if kind == "Union" else ()
    if inserts and all(simple_name(each) in _TARGETS for each in inserts):
        return inserts
    # To look at what a command answered is an action, too; what it wrote was heard of before.
    return (plan,) if reads and kind != "CommandResult" else ()


def capture_plan(
    plan: Any, session: Any, settled: dict[str, str | None] | None = None
) -> CapturedPlan:
    """An analysed plan, and where it writes if it is a command that writes.

    ``settled`` keeps what was asked of an application's settings from one plan to the next.
    """
    places, kind = Places(session, settled), simple_name(plan)
    find = _TARGETS.get(kind)
    target, mode = find(plan, places) if find else (None, None)
    rows = plan.query() if target and kind not in _CHANGES else None
    inside = (plan.target(), plan.source()) if kind == "MergeIntoCommand" else None
    text = plan.toJSON()
    return CapturedPlan(
        plan=text,
        leaves=_leaves(text, plan, places, inside),
        target=target,
        mode=mode,
        schema=rows.schema().json() if rows is not None else None,
    )


def capture_stream(query: Any) -> CapturedPlan:
    """What a started streaming query (``StreamExecution``) reads and where its sink lies."""
    places = Places(query.sparkSession())
    plan = query.analyzedPlan()
    text = plan.toJSON()
    return CapturedPlan(
        plan=text,
        leaves=_leaves(text, plan, places),
        target=places.of_table(query.sink(), field_value(query, "extraOptions")),
        mode=query.outputMode().toString(),
        schema=plan.schema().json(),
    )


def _leaves(
    text: str, plan: Any, places: Places, inside: Iterable[Any] | None = None
) -> dict[int, Place]:
    """Where a plan's leaves lie; none is asked for where the text names none that lies anywhere."""
    if not any(f'.{kind}"' in text for kind in LEAVES):
        return {}
    return dict(_each_leaf(plan, places, inside))


def _each_leaf(
    plan: Any, places: Places, inside: Iterable[Any] | None
) -> Iterator[tuple[int, Place]]:
    for part in (plan, *(elements(plan.innerChildren()) if inside is None else inside)):
        for root in (part, *elements(part.subqueriesAll())):
            for leaf in elements(root.collectLeaves()):
                place = places.of_leaf(leaf)
                if place is not None:
                    yield leaf.output().head().exprId().id(), place


def _v2_write(mode: str) -> Callable[[Any, Places], tuple[Place | None, str]]:
    return lambda command, places: (places.of_relation_v2(command.table()), mode)


def _row_level(command: Any, places: Places) -> tuple[Place | None, str]:
    operation = command.table().table().operation()
    return places.of_relation_v2(command.table()), operation.command().toString()


def _file_write(command: Any, places: Places) -> tuple[Place | None, str]:
    table = option_value(command.catalogTable())
    path = command.outputPath().toString()
    return places.of_files("HadoopFsRelation", [path], table), command.mode().toString()


def _save(command: Any, places: Places) -> tuple[Place | None, str]:
    place = places.of_options(simple_name(command.dataSource()), command.options())
    # INSERT into a table that stands for a JDBC table runs a second write inside, which has lost
    # its plan; a table has a location of its own, which no one gives to JDBC otherwise.
    inside_an_insert = place.kind == "JdbcRelationProvider" and place.locations
    return None if inside_an_insert else place, command.mode().toString()


def _insert_into_source(command: Any, places: Places) -> tuple[Place | None, str]:
    mode = "Overwrite" if command.overwrite() else "Append"
    return places.of_leaf(command.logicalRelation()), mode


def _insert_directory(command: Any, places: Places) -> tuple[Place | None, str]:
    location = option_value(command.storage().locationUri())
    mode = "Overwrite" if command.overwrite() else "Append"
    return places.of_files("HadoopFsRelation", [location.toString()] if location else []), mode


def _insert_hive(command: Any, places: Places) -> tuple[Place | None, str]:
    mode = "Overwrite" if command.overwrite() else "Append"
    return places.of_catalog_table("HiveTableRelation", command.table()), mode


def _delete(command: Any, places: Places) -> tuple[Place | None, str]:
    """Of a whole table, or of one that deletes by itself; all others have their rows replaced."""
    return places.of_leaf(command.table().collectLeaves().head()), "DELETE"


def _delta(mode: str) -> Callable[[Any, Places], tuple[Place | None, str]]:
    def target(command: Any, places: Places) -> tuple[Place | None, str]:
        return places.of_leaf(command.target().collectLeaves().head()), mode

    return target


_TARGETS: Mapping[str, Callable[[Any, Places], tuple[Place | None, str]]] = {
    "AppendData": _v2_write("Append"),
    "OverwriteByExpression": _v2_write("Overwrite"),
    "OverwritePartitionsDynamic": _v2_write("Overwrite"),
    "ReplaceData": _row_level,
    "WriteDelta": _row_level,
    "InsertIntoHadoopFsRelationCommand": _file_write,
    "InsertIntoDataSourceCommand": _insert_into_source,
    "InsertIntoHiveDirCommand": _insert_directory,
    "InsertIntoHiveTable": _insert_hive,
    "SaveIntoDataSourceCommand": _save,
    "MergeIntoCommand": _delta("MERGE"),
    "UpdateCommand": _delta("UPDATE"),
    "DeleteCommand": _delta("DELETE"),
    "DeleteFromTable": _delete,
}
"""Commands that write rows. One that wraps another (``CREATE TABLE AS SELECT``, ``saveAsTable``,
``INSERT OVERWRITE DIRECTORY``) is not here: the inner one is seen on its own."""


_CHANGES = frozenset(
    {
        "DeleteCommand",
        "DeleteFromTable",
        "MergeIntoCommand",
        "ReplaceData",
        "UpdateCommand",
        "WriteDelta",
    }
)
"""Commands whose target keeps the columns that it has."""
