"""What a command of Spark Connect reads and writes, from the message that the client sends.

The client knows sources, sinks and their options; names inside the plan are resolved on the
server. So datasets can be told, and columns cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mainstem.spark.captured import READ_OPTIONS, Place
from mainstem.spark.lineage import Mode, QueryLineage
from mainstem.spark.naming import datasets_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mainstem.spark.lineage import Dataset

NO_COLUMNS = "Spark Connect: columns cannot be seen from the client"
ON_THE_SERVER = "foreachBatch runs on the server; declare what it writes"
SQL = "SQL"
"""Told among the opaque nodes: a query that the client has as text alone."""

_BATCH_MODES: Mapping[str, Mode] = {
    "SAVE_MODE_APPEND": "append",
    "SAVE_MODE_OVERWRITE": "overwrite",
    "MODE_APPEND": "append",
    "MODE_OVERWRITE": "overwrite",
    "MODE_OVERWRITE_PARTITIONS": "overwrite",
    "MODE_REPLACE": "overwrite",
    "MODE_CREATE_OR_REPLACE": "overwrite",
}


class RemoteWrite(Struct, frozen=True):
    """A command that writes, with the places that are still to be named."""

    reads: tuple[Place | str, ...]
    """A table of a catalog is its name; the server is asked where it lies."""

    write: Place | str | None
    mode: Mode | None
    opaque: tuple[str, ...]
    sink: str
    trigger: str | None = None
    notes: tuple[str, ...] = (NO_COLUMNS,)


def stream_write(start: Any) -> RemoteWrite:
    """What a ``WriteStreamOperationStart`` says."""
    sink = "foreachBatch" if start.HasField("foreach_batch") else start.format or "stream"
    target = start.table_name or _place(start.format, start.options, [start.path])
    bounded = "AvailableNowTrigger" if start.available_now or start.once else None
    notes = (NO_COLUMNS, ON_THE_SERVER) if sink == "foreachBatch" else (NO_COLUMNS,)
    reads, opaque = _read(start.input)
    mode = _stream_mode(start.output_mode)
    return RemoteWrite(reads, target, mode, opaque, sink, bounded, notes)


def batch_write(command: Any) -> RemoteWrite | None:
    """What a ``WriteOperation`` or ``WriteOperationV2`` in a command says; None for any other."""
    match command.WhichOneof("command_type"):
        case "write_operation":
            write = command.write_operation
            target = write.table.table_name or _place(write.source, write.options, [write.path])
        case "write_operation_v2":
            write = command.write_operation_v2
            target = write.table_name
        case _:
            return None
    modes = write.DESCRIPTOR.fields_by_name["mode"].enum_type.values_by_number
    mode = _BATCH_MODES.get(modes[write.mode].name, "append")
    reads, opaque = _read(write.input)
    return RemoteWrite(reads, target, mode, opaque, sink="write")


def remote_lineage(write: RemoteWrite, find_table: Callable[[str], Place | None]) -> QueryLineage:
    """The datasets of a command; a place that nothing names for certain is left out."""

    def named(place: Place | str | None) -> tuple[Dataset, ...]:
        found = find_table(place) if isinstance(place, str) else place
        return datasets_at(found) if found else ()

    reads = dict.fromkeys(dataset for place in write.reads for dataset in named(place))
    outputs = named(write.write)
    return QueryLineage(
        tuple(reads), outputs, opaque=write.opaque, mode=write.mode if outputs else None
    )


def _read(relation: Any) -> tuple[tuple[Place | str, ...], tuple[str, ...]]:
    reads: list[Place | str] = []
    opaque: list[str] = []
    for message in _messages(relation):
        match message.DESCRIPTOR.name:
            case "NamedTable":
                reads.append(message.unparsed_identifier)
            case "DataSource":
                reads.append(_place(message.format, message.options, message.paths))
            case "SQL":
                opaque.append(SQL)
            case _:
                pass
    return tuple(reads), tuple(dict.fromkeys(opaque))


def _messages(message: Any) -> Iterator[Any]:
    """A message and all inside it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        # A map gives its keys here, of which none is a message.
        for part in [value] if hasattr(value, "ListFields") else value:
            if hasattr(part, "ListFields"):
                yield from _messages(part)


def _place(kind: str, options: Mapping[str, str], paths: Iterable[str]) -> Place:
    allowed = {key.lower(): value for key, value in options.items() if key.lower() in READ_OPTIONS}
    path = allowed.pop("path", None)
    located = [one for one in (*paths, path) if one and (one.startswith("/") or ":" in one)]
    return Place(kind, locations=tuple(dict.fromkeys(located)), options=allowed)


def _stream_mode(mode: str) -> Mode:
    match mode.lower():
        case "complete":
            return "complete"
        case "update":
            return "update"
        case _:
            return "append"
