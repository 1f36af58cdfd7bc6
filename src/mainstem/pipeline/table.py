"""What a table is: columns with their Spark types and meanings, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


class Column(NamedTuple):
    """One column."""

    name: str
    type: str
    """As Spark's DDL spells it."""

    meaning: str


class Table(NamedTuple):
    """One table; ``key`` are the columns that a row is known by."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    together: str | None = None
    """The column by which rows lie together, so that those of some values can be replaced alone."""

    @property
    def names(self) -> list[str]:
        """What its columns are called, in order."""
        return [column.name for column in self.columns]

    @property
    def ddl(self) -> str:
        """Its columns as Spark's DDL."""
        return ", ".join(f"`{column.name}` {column.type}" for column in self.columns)

    def schema(self) -> StructType:
        """Its columns as a Spark schema."""
        from pyspark.sql.types import StructType  # noqa: PLC0415 - docs are made without Spark

        schema = StructType.fromDDL(self.ddl)
        assert isinstance(schema, StructType)  # noqa: S101 - for the type checker
        return schema

    def of(self, rows: DataFrame) -> DataFrame:
        """Rows as this table has them: its columns, in order, with their types."""
        # As text: each expression made from Python is half a dozen calls to Java.
        return rows.selectExpr(
            *[f"CAST(`{one.name}` AS {one.type}) AS `{one.name}`" for one in self.columns]
        )


JOB_NAME = (
    Column("job_id", "bigint", "Hash of the job's namespace and name."),
    Column("job_namespace", "string", "The job's namespace."),
    Column("job_name", "string", "The job's name."),
)
DATASET_NAME = (
    Column("dataset_id", "bigint", "Hash of the dataset's canonical namespace and name."),
    Column("namespace", "string", "The dataset's canonical namespace."),
    Column("name", "string", "The dataset's canonical name."),
)
