"""What each column of an output is made from, as a table that people can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Resolution
from mainstem.watch.schema_registry.fields import DatasetSchema, Field

ALL_ROWS = "(every row)"


def column_map(answer: Resolution, why_none: str | None = None) -> Iterator[str]:
    """One table per output; without columns, a line that says so, and why where that is known."""
    by_output: dict[DatasetName, list[ColumnEdge]] = {}
    for column in answer.columns:
        by_output.setdefault(column.output, []).append(column)
    if not by_output:
        yield f"  columns     none can be told{f': {why_none}' if why_none else ''}"
    for output, columns in by_output.items():
        inputs = dict.fromkeys(one.dataset for column in columns for one in column.sources)
        origin = f"  from {next(iter(inputs)).name}" if len(inputs) == 1 else ""
        yield f"  columns     {output.name}{origin}"
        yield from _table(columns, _types(answer.schemas.get(output)), several=len(inputs) > 1)


def _table(columns: list[ColumnEdge], types: dict[str, str], *, several: bool) -> Iterator[str]:
    rows = [(one.field, types.get(one.field, ""), _of_fields(one)) for one in columns]
    deciding = dict.fromkeys(one for column in columns for one in _deciders(column))
    told = [(name, type_, _sources(made_from, several=several)) for name, type_, made_from in rows]
    if deciding:
        told.append((ALL_ROWS, "", _sources(deciding, several=several)))
    names = max(len(name) for name, _, _ in told)
    words = max(len(type_) for _, type_, _ in told)
    for name, type_, made_from in told:
        yield f"    {name:{names}}  {type_:{words}}  ← {made_from}"


def _of_fields(column: ColumnEdge) -> list[ColumnSource]:
    return [source for source in column.sources if not source.of_rows]


def _deciders(column: ColumnEdge) -> list[ColumnSource]:
    return [source for source in column.sources if source.of_rows]


def _sources(sources: Iterable[ColumnSource], *, several: bool) -> str:
    return ", ".join(_source(one, several=several) for one in sources) or "made here"


def _source(source: ColumnSource, *, several: bool) -> str:
    name = f"{source.dataset.name}: {source.field}" if several else source.field
    words = [] if source.transformation == "IDENTITY" else [source.transformation.lower()]
    words += ["masked"] if source.masking else []
    return f"{name} ({', '.join(words)})" if words else name


def _types(schema: DatasetSchema | None) -> dict[str, str]:
    return dict(_paths(schema.fields, "")) if schema else {}


def _paths(fields: Iterable[Field], above: str) -> Iterator[tuple[str, str]]:
    for field in fields:
        path = f"{above}{field.name}"
        yield path, field.type
        yield from _paths(field.fields, f"{path}.")
