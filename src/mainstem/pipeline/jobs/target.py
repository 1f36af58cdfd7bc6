"""Where the tables lie: Iceberg tables of a catalog, or directories of Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field, json

from mainstem.errors import BadRecipe
from mainstem.pipeline.jobs.filesystem import Files
from mainstem.pipeline.jobs.taking import can_take, take_files, to_take
from mainstem.pipeline.states import STATES, USE
from mainstem.pipeline.tables import FRESHNESS, JOB, JOB_VERSION, RUN, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import Column, DataFrame, SparkSession

    from mainstem.pipeline.table import Table


LAYOUT = 5
"""Raised where a build could not go on from tables as they were before."""


class Ledger(Struct):
    """What was consumed, and the state of every table after it; committed last."""

    builds: int = 0
    consumed: dict[str, str] = field(default_factory=dict[str, str])
    """By file, topic partition, table or stream: how far it was read."""

    tables: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By table: its directories, or its snapshot's id."""

    naming: str = ""
    """A hash of what names were made one by."""

    reached: bool = False
    """Whether reachability was told of the graph that stands."""

    layout: int = 0
    """The number of the tables' layout at the last build; nought before they were numbered."""

    def to_commit(self) -> bytes:
        """As it is written when one more build counts."""
        self.builds += 1
        self.layout = LAYOUT
        return json.encode(self)


class Target(Protocol):
    """A place that holds every table; nothing counts before ``commit``."""

    ledger: Ledger

    def begin(self) -> None:
        """Undo what a build that ended early left behind."""
        ...

    def read(self, table: Table) -> DataFrame:
        """A table as it stands, empty before the first build."""
        ...

    def standing(self, table: Table) -> DataFrame | None:
        """A table as earlier builds left it; None where none ever wrote to it."""
        ...

    def append(self, table: Table, rows: DataFrame) -> None:
        """Add rows."""
        ...

    def replace(self, table: Table, rows: DataFrame, within: Sequence[Any] | None = None) -> None:
        """Let rows take the place of all that stand, or of those ``within`` some values.

        The values are of the column by which the table's rows lie together.
        """
        ...

    def located(self, table: Table) -> DataFrame | None:
        """A table as earlier builds left it, each row with its ``place`` if it has one."""
        ...

    def merge(self, table: Table, rows: DataFrame, known: DataFrame) -> DataFrame:
        """Let rows take the place of those with their keys; answers them as they were written.

        ``known`` are ``located`` rows with these keys.
        """
        ...

    def landing(self, table: Table) -> str:
        """A directory for Parquet files; after ``commit`` only what was taken is left of it."""
        ...

    def take(
        self, table: Table, rows: DataFrame, landed: str, left_out: DataFrame | None = None
    ) -> None:
        """Add rows that lie in a directory of a landing, where it can be as they lie there.

        In another table's landing, they lie no longer afterwards.

        ``left_out`` are the places of others there, as file name and number of the row: few.
        """
        ...

    def commit(self) -> None:
        """Make everything count, and what was consumed with it."""
        ...


EVERY = (*TABLES, *STATES)
LEDGER = "ledger.json"
SCRATCH = "scratch"
"""What one build needs in passing."""
BEGUN = f"{SCRATCH}/begun"
"""Lies there from the first that a build writes until it has ended."""
EACH_TIME = (USE, JOB, JOB_VERSION, FRESHNESS)
"""What every build writes again as a whole."""
IN_ORDER = (RUN,)
"""What is made in the order of its key, and looked up by it."""
LANDED = "landed"
"""Beside an Iceberg table's own files: what builds wrote and it took, by their numbers."""


def read_ledger(files: Files) -> Ledger:
    """The ledger of a directory; an empty one before the first build.

    Raises:
        BadRecipe: when another version of Mainstem made the tables.
    """
    # A writer that died between deleting and renaming left the new one, whole.
    text = files.read(LEDGER) or files.read(f"{LEDGER}.new")
    ledger = Ledger() if text is None else json.decode(text, type=Ledger)
    if ledger.builds and ledger.layout != LAYOUT:
        told = f"--tables is {files.root!r}, whose tables have layout {ledger.layout}; this version"
        raise BadRecipe(
            "mainstem pipeline",
            [f"{told} reads and writes layout {LAYOUT}: build into a directory of its own"],
        )
    return ledger


def _lies_within(table: Table, values: Sequence[Any]) -> Column:
    from pyspark.sql.functions import col  # noqa: PLC0415

    assert table.together is not None  # noqa: S101 - for the type checker
    return col(table.together).isin(list(values))


class ParquetTarget:
    """Directories of Parquet files; the ledger names those that count."""

    def __init__(self, spark: SparkSession, place: str) -> None:
        self._spark = spark
        self._files = Files(spark, place)
        self.ledger = read_ledger(self._files)
        self._before = dict(self.ledger.tables)

    def begin(self) -> None:
        """Undo what a build that ended early left behind."""
        self.ledger = read_ledger(self._files)
        self._before = dict(self.ledger.tables)
        self._tidy()

    def read(self, table: Table) -> DataFrame:
        """A table as it stands, empty before the first build."""
        now = self.ledger.tables.get(table.name)
        return self._rows(table, now) if now else self._spark.createDataFrame([], table.schema())

    def standing(self, table: Table) -> DataFrame | None:
        """A table as earlier builds left it; None where none ever wrote to it."""
        before = self._before.get(table.name)
        return self._rows(table, before) if before else None

    def append(self, table: Table, rows: DataFrame) -> None:
        """Add rows."""
        standing = self.ledger.tables.get(table.name, [])
        self.ledger.tables[table.name] = [*standing, self._write(table, rows)]

    def replace(self, table: Table, rows: DataFrame, within: Sequence[Any] | None = None) -> None:
        """Let rows take the place of all that stand, or of those ``within`` some values."""
        if within is not None:
            others = self.read(table).where(~_lies_within(table, within))
            rows = table.of(rows).unionByName(table.of(others))
        self.ledger.tables[table.name] = [self._write(table, rows)]

    def located(self, table: Table) -> DataFrame | None:
        """A table as earlier builds left it."""
        return self.standing(table)

    def merge(self, table: Table, rows: DataFrame, known: DataFrame) -> DataFrame:
        """Let rows take the place of those with their keys; answers them as they were written."""
        fresh = self._write(table, rows)
        standing = self.ledger.tables.get(table.name, [])
        if not known.isEmpty():
            keys = list(table.key)
            kept = self.read(table).join(known.select(*keys), on=keys, how="left_anti")
            standing = [self._write(table, kept)]
        self.ledger.tables[table.name] = [*standing, fresh]
        return self._rows(table, [fresh])

    def landing(self, table: Table) -> str:
        """A directory for Parquet files; after ``commit`` only what was taken is left of it."""
        return f"{self._files.root}/{table.name}/{self._unused(table)}"

    def take(
        self, table: Table, rows: DataFrame, landed: str, left_out: DataFrame | None = None
    ) -> None:
        """Add rows that lie in a directory of the landing; a copy if others lie beside them."""
        if left_out is not None:
            self.append(table, rows)
            return
        standing = self.ledger.tables.get(table.name, [])
        mine = f"{self._files.root}/{table.name}/"
        if landed.startswith(mine):
            name = landed.removeprefix(mine)
        else:
            name = self._unused(table)
            self._files.move(landed, f"{mine}{name}")
        self.ledger.tables[table.name] = [*standing, name]

    def commit(self) -> None:
        """Make everything count, and what was consumed with it."""
        self._files.write(LEDGER, self.ledger.to_commit())
        self._tidy()

    def _rows(self, table: Table, parts: list[str]) -> DataFrame:
        reader = self._spark.read.schema(table.schema())
        return reader.parquet(*[f"{self._files.root}/{table.name}/{one}" for one in parts])

    def _write(self, table: Table, rows: DataFrame) -> str:
        name = self._unused(table)
        table.of(rows).write.parquet(f"{self._files.root}/{table.name}/{name}")
        return name

    def _unused(self, table: Table) -> str:
        used = [*self._files.listed(table.name), *self.ledger.tables.get(table.name, ())]
        numbers = [int(one.removeprefix("part").partition("/")[0]) for one in used]
        return f"part{max(numbers, default=0) + 1}"

    def _tidy(self) -> None:
        """Delete what the ledger does not name."""
        standing = self.ledger.tables.items()
        named = {f"{table}/{part}" for table, parts in standing for part in parts}
        for table in EVERY:
            self._tidy_below(table.name, named)

    def _tidy_below(self, directory: str, named: set[str]) -> None:
        for one in self._files.listed(directory):
            path = f"{directory}/{one}"
            if any(each.startswith(f"{path}/") for each in named):
                self._tidy_below(path, named)
            elif path not in named:
                self._files.delete(path)


class IcebergTarget:
    """Tables of an Iceberg catalog; the ledger holds the snapshot of each that counts."""

    def __init__(self, spark: SparkSession, place: str, state: str) -> None:
        self._spark = spark
        self.place = place
        self._files = Files(spark, state)
        self.ledger = read_ledger(self._files)
        self.written: set[Table] = set()
        """Tables that have another snapshot than the ledger knows."""
        self._sure: set[Table] | None = None
        """Tables that were seen to stand where the ledger says; None for who only reads.

        What a build of another process has written so far is no concern of a reader's.
        """
        self._has_begun = False
        self._landing: Files | None = None
        self._taken: list[str] = []
        """Directories that tables have taken since the last ledger."""

    def begin(self) -> None:
        """Undo what a build that ended early left behind."""
        self.ledger = read_ledger(self._files)
        self._landing, self._taken = None, []
        self.written, self._sure, self._has_begun = set(), set(), False
        ended_early = self._files.read(BEGUN) is not None
        if ended_early or not self.ledger.builds:
            self._spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {self.place}")
        for table in EVERY:
            # To load a table takes its time: one that nobody uses stays as it is.
            if ended_early or table.name not in self.ledger.tables:
                self._make_sure(table)
        if ended_early:
            self._drop(lambda _, build: int(build) > self.ledger.builds)
            self._files.delete(SCRATCH)

    def read(self, table: Table) -> DataFrame:
        """A table as it stands, empty before the first build."""
        self._make_sure(table)
        return self._spark.table(self._name(table))

    def standing(self, table: Table) -> DataFrame | None:
        """A table as earlier builds left it; None where none ever wrote to it."""
        return self._as_left(table, "*")

    def located(self, table: Table) -> DataFrame | None:
        """A table as earlier builds left it, each row with its ``place``."""
        return self._as_left(table, "*, struct(_file AS file, _pos AS position) AS place")

    def _as_left(self, table: Table, columns: str) -> DataFrame | None:
        before = self.ledger.tables.get(table.name)
        if not before:
            return None
        self._make_sure(table)
        snapshot = f"{self._name(table)} VERSION AS OF {before[0]}"
        return self._spark.sql(f"SELECT {columns} FROM {snapshot}")  # noqa: S608

    def append(self, table: Table, rows: DataFrame) -> None:
        """Add rows."""
        place = self._place(table)
        if place is None:
            table.of(rows).writeTo(self._name(table)).append()
            return
        to_take(table.of(rows), in_order=table in IN_ORDER).parquet(place)
        self._take(table, place)

    def replace(self, table: Table, rows: DataFrame, within: Sequence[Any] | None = None) -> None:
        """Let rows take the place of all that stand, or of those ``within`` some values."""
        from pyspark.sql.functions import lit  # noqa: PLC0415

        place, rows = self._place(table), table.of(rows)
        if place is None:
            old = lit(True) if within is None else _lies_within(table, within)
            rows.writeTo(self._name(table)).overwrite(old)
            return
        if table.together:
            to_take(rows.repartition(table.together)).partitionBy(table.together).parquet(place)
        else:
            to_take(rows, again_and_again=table in EACH_TIME).parquet(place)
        self._take(table, place, replaces=True if within is None else [str(one) for one in within])

    def merge(self, table: Table, rows: DataFrame, known: DataFrame) -> DataFrame:
        """Let rows take the place of those with their keys; answers them as they were written."""
        taken = self._place(table)
        place = taken or f"{self._files.root}/{SCRATCH}/{table.name}"
        to_take(table.of(rows), in_order=table in IN_ORDER).mode("overwrite").parquet(place)
        if taken:
            # What is replaced is known by its place: MERGE would look through every row again.
            self._take(table, place, known.select("place.*"))
        # Not before: a file without rows is deleted as it is taken.
        written = self._spark.read.schema(table.schema()).parquet(place)
        if not taken:
            self._merge(table, written)
        return written

    def _merge(self, table: Table, rows: DataFrame) -> None:
        rows.createOrReplaceTempView("fresh")
        same = " AND ".join(f"old.{key} <=> fresh.{key}" for key in table.key)
        self._spark.sql(
            f"MERGE INTO {self._name(table)} old USING fresh ON {same} "
            "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        )

    def landing(self, table: Table) -> str:
        """A directory for Parquet files; after ``commit`` only what was taken is left of it."""
        self._note_beginning()
        self._landing = self._landed(table)
        return self._landing.root if self._landing else f"{self._files.root}/{SCRATCH}/{LANDED}"

    def take(
        self, table: Table, rows: DataFrame, landed: str, left_out: DataFrame | None = None
    ) -> None:
        """Add rows that lie in a directory of the landing; a copy if Iceberg may not reach it."""
        place = self._place(table)
        if self._landing is None or place is None:
            self.append(table, rows)
            return
        beside, _, _ = place.rpartition("/")
        if landed.startswith(f"{beside}/"):
            place = landed
        else:
            self._landing.move(landed, place)
        if left_out is not None:
            left_out = left_out.select("place.*").toDF("file", "position")
        self._take(table, place, left_out)

    def _place(self, table: Table) -> str | None:
        """Where to write what a table is to take as it lies; None where it takes nothing so."""
        self._writing(table)
        landed = self._landed(table)
        return landed and f"{landed.root}/{len(self._taken) + 1}"

    def _landed(self, table: Table) -> Files | None:
        beside = self._beside(table)
        return beside and Files(self._spark, f"{beside.root}/{self.ledger.builds + 1}")

    def _take(
        self,
        table: Table,
        place: str,
        left_out: DataFrame | None = None,
        *,
        replaces: bool | list[str] = False,
    ) -> None:
        take_files(self._spark, self._loaded(table), place, left_out, replaces=replaces)
        self._taken.append(place)

    def commit(self) -> None:
        """Make everything count, and what was consumed with it."""
        # Before the ledger is written: what lies there afterwards counts as taken.
        self._leave_taken()
        for table in self.written:
            current = self._snapshot(table)
            self.ledger.tables[table.name] = [] if current is None else [str(current)]
        self._files.write(LEDGER, self.ledger.to_commit())
        self._files.delete(SCRATCH)
        self.written, self._taken, self._has_begun = set(), [], False

    def drop_empty_directories(self) -> None:
        """Delete the directories of files that Iceberg took once and has deleted since."""
        self._drop(lambda beside, one: not beside.holds(one, ".parquet"))

    def _name(self, table: Table) -> str:
        return f"{self.place}.`{table.name}`"

    def _snapshot(self, table: Table) -> int | None:
        current = self._loaded(table).currentSnapshot()
        return None if current is None else current.snapshotId()

    def _loaded(self, table: Table) -> Any:
        """The table as Iceberg itself has it: to ask Spark for a snapshot's id is a job each."""
        session: Any = self._spark
        iceberg = getattr(session._jvm, "org.apache.iceberg.spark.Spark3Util")  # noqa: SLF001
        loaded = iceberg.loadIcebergTable(session._jsparkSession, self._name(table))  # noqa: SLF001
        loaded.refresh()
        return loaded

    def _beside(self, table: Table) -> Files | None:
        """Where builds write what the table takes as it lies, by their numbers; None if it can not.

        To load a table takes its time.
        """
        loaded = self._loaded(table)
        return Files(self._spark, f"{loaded.location()}/{LANDED}") if can_take(loaded) else None

    def _leave_taken(self) -> None:
        if self._landing is None:
            return
        for one in self._landing.listed():
            if f"{self._landing.root}/{one}" not in self._taken:
                self._landing.delete(one)
        self._landing = None

    def _drop(self, unwanted: Callable[[Files, str], bool]) -> None:
        """Delete what some builds wrote beside the tables' own files."""
        for table in EVERY:
            beside = self._beside(table)
            if beside is None:
                continue
            for one in beside.listed():
                if unwanted(beside, one):
                    beside.delete(one)

    def _writing(self, table: Table) -> None:
        self._make_sure(table)
        self._note_beginning()
        self.written.add(table)

    def _note_beginning(self) -> None:
        if not self._has_begun:
            self._files.write(BEGUN, b"")
            self._has_begun = True

    def _make_sure(self, table: Table) -> None:
        """Have a table stand where the ledger says before it is used, whoever wrote to it since."""
        if self._sure is not None and table not in self._sure:
            self._restore(table)
            self._sure.add(table)

    def _restore(self, table: Table) -> None:
        known = self.ledger.tables.get(table.name)
        name = self._name(table)
        if known is None:
            self._spark.sql(f"DROP TABLE IF EXISTS {name}")
            together = f"PARTITIONED BY ({table.together}) " if table.together else ""
            self._spark.sql(
                f"CREATE TABLE {name} ({table.ddl}) USING iceberg {together}TBLPROPERTIES ("
                "'format-version'='2', 'write.merge.mode'='merge-on-read',"
                " 'write.parquet.compression-codec'='zstd',"
                " 'write.parquet.compression-level'='1')"
            )
            self.written.add(table)
        elif known and self._snapshot(table) != int(known[0]):
            loaded = self._loaded(table)
            loaded.manageSnapshots().setCurrentSnapshot(int(known[0])).commit()
            self._spark.sql(f"REFRESH TABLE {name}")
        elif not known and self._snapshot(table) is not None:
            self._spark.sql(f"DELETE FROM {name}")  # noqa: S608
            self.written.add(table)
