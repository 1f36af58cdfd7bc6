"""Raw bytes to typed rows, in Python workers: the one spelling's hash has no built-in.

One pass gives rows of several tables, told apart by ``part``: events, the contents that they share,
and what could not be read.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from mainstem.errors import EventRefused
from mainstem.pipeline.states import CONTENT, NAME, SAID, SHAPE, SPELLING
from mainstem.pipeline.steps.reading import Reader
from mainstem.pipeline.tables import EVENT, QUARANTINE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

    from mainstem.pipeline.table import Table

PARTS: tuple[Table, ...] = (EVENT, QUARANTINE, CONTENT, SHAPE, SAID, NAME, SPELLING)
NESTED = PARTS[2:]
"""What has a column of its own: the first two become tables as they lie, and so lie flat."""
MOST_IN_ONE = 32
"""So many of Spark's splits (128 MB each) make one task at most."""
LITTLE = 128 * 1024 * 1024
"""So many bytes make one task: a second worker would cost more than it shares out."""
MOST_REMEMBERED = 500_000
"""So many keys a task remembers, to drop repetitions that come soon; so many spellings, too."""


def parse(raw: DataFrame, spellings: DataFrame | None = None) -> DataFrame:
    """Rows of ``value`` (binary) and ``origin`` (string) as typed rows.

    ``spellings`` are those that earlier builds understood: what is told in the same letters is not
    told again.
    """
    schema = _schema()
    rows = _in_few(raw.select("value", "origin"), spellings)
    return rows.mapInArrow(_Parsing(schema), schema)


def _in_few(raw: DataFrame, spellings: DataFrame | None) -> DataFrame:
    """Rows in few tasks: each has to learn again what events repeat, and tells it again."""
    if _size(raw) <= LITTLE:
        if spellings is not None:
            # First, so that a worker knows them in time; in whatever order, its rows are the same.
            raw = spellings.selectExpr("CAST(told AS binary)", "CAST(NULL AS string)").unionAll(raw)
            raw = raw.toDF("value", "origin")
        return raw.coalesce(1)
    parts = raw.rdd.getNumPartitions()
    cores = raw.sparkSession.sparkContext.defaultParallelism
    return raw.coalesce(max(cores, parts // MOST_IN_ONE)) if parts > cores else raw


def is_parsed_by_one(files: Collection[str], events: int) -> bool:
    """Whether one task wrote all events, and so dropped whatever repeated another of them."""
    return len(files) == 1 and events <= MOST_REMEMBERED


def _size(raw: DataFrame) -> int:
    """How many bytes Spark says are read; very many where it does not know."""
    read: Any = raw
    leaves = read._jdf.queryExecution().analyzed().collectLeaves()  # noqa: SLF001
    return sum(int(leaves.apply(at).stats().sizeInBytes()) for at in range(leaves.size()))


def part_of(parsed: DataFrame, table: Table, *more: Column) -> DataFrame:
    """The rows of one table among parsed ones; of events, more columns if they are asked for."""
    from pyspark.sql import functions as F  # noqa: N812, PLC0415

    mine = parsed.where(F.col("part") == table.name)
    if table not in NESTED:
        return mine.select(*table.names, *more)
    return table.of(mine.select(f"`{table.name}`.*"))


def _schema() -> StructType:
    from pyspark.sql.types import StringType, StructType  # noqa: PLC0415

    schema = StructType().add("part", StringType())
    for one in EVENT.schema().fields:
        schema = schema.add(one)
    for one in QUARANTINE.schema().fields:
        if one.name not in EVENT.names:
            schema = schema.add(one)
    for table in NESTED:
        schema = schema.add(table.name, table.schema())
    return schema


class _Parsing:
    """What a worker does; only the schema travels to it."""

    def __init__(self, schema: StructType) -> None:
        self._schema = schema

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415 - workers alone need it
        from pyspark.sql.pandas.types import to_arrow_schema  # noqa: PLC0415

        # Events make no cycles; looking for some would be a quarter of the work.
        gc.disable()
        # A repetition that comes soon is dropped here, before it is written anywhere.
        reader, seen = Reader(), set[str]()
        schema = to_arrow_schema(self._schema)
        for batch in batches:
            events = _remember(reader, batch)
            raw, origins = events.column(0), events.column(1)
            rows: list[tuple[Any, ...]] = []
            positions: list[int] = []
            refused: list[tuple[str, str, str]] = []
            for position, one in enumerate(raw.to_numpy(zero_copy_only=False)):
                try:
                    row = reader.read(one)
                except EventRefused as reason:
                    text = one.decode(errors="replace")
                    refused.append((origins[position].as_py(), str(reason), text))
                    continue
                if row[0] not in seen:
                    if len(seen) > MOST_REMEMBERED:
                        seen.clear()
                    seen.add(row[0])
                    rows.append(row)
                    positions.append(position)
            taken = raw if len(positions) == len(raw) else raw.take(pa.array(positions, pa.int64()))
            if rows:
                yield _events(schema, rows, taken)
            told, reader.contents.told = reader.contents.told, type(reader.contents.told)()
            if refused:
                yield _quarantine(schema, refused)
            parts = (told.contents, told.shapes, told.said, told.names, told.spellings)
            for table, said in zip(NESTED, parts, strict=True):
                if said:
                    yield _batch(schema, table, {table.name: said})


def _remember(reader: Reader, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Have a reader remember the spellings of a batch; answers the rest of it."""
    value, origin = batch.column(0), batch.column(1)
    if not origin.null_count:
        return batch
    for told in value.filter(origin.is_null()).to_numpy(zero_copy_only=False):
        if reader.remembers < MOST_REMEMBERED:
            reader.remember(told)
    return batch.filter(origin.is_valid())


def _events(schema: pa.Schema, rows: list[tuple[Any, ...]], raw: pa.Array) -> pa.RecordBatch:
    columns = dict(zip(EVENT.names, zip(*rows, strict=True), strict=False))
    return _batch(schema, EVENT, {**columns, "raw": raw.cast(schema.field("raw").type)})


def _quarantine(schema: pa.Schema, rows: list[tuple[str, str, str]]) -> pa.RecordBatch:
    columns = dict(zip(QUARANTINE.names, zip(*rows, strict=True), strict=True))
    return _batch(schema, QUARANTINE, columns)


def _batch(schema: pa.Schema, table: Table, columns: dict[str, Any]) -> pa.RecordBatch:
    """Rows of one table, by column; all other columns are null."""
    import pyarrow as pa  # noqa: PLC0415

    many = len(next(iter(columns.values())))
    arrays: list[pa.Array] = [pa.repeat(table.name, many)]
    for field in list(schema)[1:]:
        values = columns.get(field.name)
        if values is None:
            arrays.append(pa.nulls(many, field.type))
        else:
            known = isinstance(values, pa.Array)
            arrays.append(values if known else _array(values, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    """Values as Arrow has them; structs are built column by column, tuples need no names."""
    import pyarrow as pa  # noqa: PLC0415

    if not pa.types.is_struct(kind):
        if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
            return _lists(values, kind)
        return pa.array(values, kind)
    absent = [one is None for one in values]
    if all(absent):
        return pa.nulls(len(absent), kind)
    missing = (None,) * kind.num_fields
    columns = zip(*[missing if one is None else one for one in values], strict=True)
    fields = [kind.field(at) for at in range(kind.num_fields)]
    arrays = [_array(column, field.type) for column, field in zip(columns, fields, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=fields, mask=pa.array(absent))


def _lists(values: Any, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa  # noqa: PLC0415

    ends, flat = [0], []
    for one in values:
        flat += one or ()
        ends.append(len(flat))
    items = _array(flat, kind.value_type) if flat else pa.array([], kind.value_type)
    mask = pa.array([one is None for one in values])
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), items, type=kind, mask=mask)
