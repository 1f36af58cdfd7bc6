"""Parquet files that Spark wrote, taken into an Iceberg table as they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.jobs.filesystem import Files

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriter, SparkSession

NAME_MAPPING = "schema.name-mapping.default"
READ_BY_HADOOP = "org.apache.iceberg.hadoop.HadoopFileIO"
LEFT_OUT = "_left_out"
"""Where positions lie beside the files they are of; Spark's readers pass over such a name."""
PATH_ID, POSITION_ID = 2147483546, 2147483545
"""The columns of position deletes: https://iceberg.apache.org/spec/#position-delete-files."""
WRITING = {
    # Rows of several tables leave one pass; sorting them apart would cost more than the rest.
    "spark.sql.maxConcurrentOutputFileWriters": "8",
    # What is written stays as it lies: times, lists and codec are those that Iceberg itself writes.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.writeLegacyFormat": "false",
}
CODEC = {"compression": "zstd", "parquet.compression.codec.zstd.level": "1"}


PLAIN = {"parquet.enable.dictionary": "false"}
"""A third less to write, and as small: keys hardly repeat, and zstd finds names that do."""


SMALL_GROUPS = {"parquet.block.size": str(8 * 1024 * 1024)}
"""Readers pass over groups of rows as a whole: where rows lie in order, few are read for some."""


def to_take(
    rows: DataFrame, *, again_and_again: bool = False, in_order: bool = False
) -> DataFrameWriter:
    """What writes rows as Parquet files that an Iceberg table may take."""
    for key, value in WRITING.items():
        rows.sparkSession.conf.set(key, value)
    plain, grouped = PLAIN if again_and_again else {}, SMALL_GROUPS if in_order else {}
    return rows.write.options(**CODEC, **plain, **grouped)


def can_take(table: Any) -> bool:
    """Whether a table reads files where Spark itself can write them: both by Hadoop."""
    return table.io().getClass().getName() == READ_BY_HADOOP


def take_files(
    spark: SparkSession,
    table: Any,
    directory: str,
    left_out: DataFrame | None = None,
    *,
    replaces: bool | list[str] = False,
) -> None:
    """Make a directory's files a table's, in one commit with the places that no longer count.

    ``left_out`` has the ``file`` of each, as the table calls it or, where it is one of these, by
    its mere name, and the ``position`` in it. Or, where it ``replaces`` them, instead of all that
    the table has, or of all with some values of what it is partitioned by.
    """
    iceberg = _iceberg(spark)
    mapping = iceberg.mapping.MappingUtil.create(table.schema())
    # Spark's files have no ids of columns: they are read by name.
    if not table.properties().containsKey(NAME_MAPPING):
        text = iceberg.mapping.NameMappingParser.toJson(mapping)
        table.updateProperties().set(NAME_MAPPING, text).commit()
    files = _files(spark, table, directory, mapping)
    full = [file for file in files if file.recordCount()]
    for file in files:
        # A task that had nothing to write wrote that, and nobody would ever delete it.
        if not file.recordCount():
            table.io().deleteFile(file.location())
    if replaces:
        expressions = iceberg.expressions.Expressions
        old = expressions.alwaysTrue()
        if replaces is not True:
            old = getattr(expressions, "in")(table.spec().fields()[0].name(), replaces)
        change = table.newOverwrite().overwriteByRowFilter(old)
        for file in full:
            change.addFile(file)
        change.commit()
        return
    change = table.newRowDelta()
    for file in full:
        change.addRows(file)
    if left_out is not None:
        beside, _, _ = files[0].location().rpartition("/")
        file, is_one_of_these = F.col("file"), ~F.contains("file", F.lit("/"))
        file = F.when(is_one_of_these, F.concat(F.lit(f"{beside}/"), file)).otherwise(file)
        places = left_out.select(file.alias("file"), "position")
        positions = _positions(spark, table, places, f"{beside}/{LEFT_OUT}")
        if positions.recordCount():
            change.addDeletes(positions)
    change.commit()


def _files(spark: SparkSession, table: Any, directory: str, mapping: Any) -> list[Any]:
    """The files of a directory, or of those below it that are called by a column and its value."""
    iceberg, context = _iceberg(spark), cast("Any", spark.sparkContext)
    places: list[tuple[dict[str, str], str]] = [({}, directory)]
    if table.spec().isPartitioned():
        below = [one for one in Files(spark, directory).listed() if "=" in one]
        places = [(dict([one.split("=", 1)]), f"{directory}/{one}") for one in below]
    return [
        file
        for partition, place in places
        for file in iceberg.data.TableMigrationUtil.listPartition(
            partition,
            place,
            "parquet",
            table.spec(),
            context._jsc.hadoopConfiguration(),  # noqa: SLF001 - pyspark has no other way
            iceberg.MetricsConfig.forTable(table),
            mapping,
        )
    ]


def _positions(spark: SparkSession, table: Any, places: DataFrame, directory: str) -> Any:
    """A file of positions; they name the files exactly as the table does, and lie in order."""
    rows = places.select(
        F.col("file").alias("file_path", metadata={"parquet.field.id": PATH_ID}),
        F.col("position").alias("pos", metadata={"parquet.field.id": POSITION_ID}),
    )
    ordered = rows.coalesce(1).sortWithinPartitions("file_path", "pos")
    ordered.write.mode("overwrite").parquet(directory, compression="zstd")
    (written,) = [one for one in Files(spark, directory).listed() if one.endswith(".parquet")]
    iceberg = _iceberg(spark)
    file = table.io().newInputFile(f"{directory}/{written}")
    metrics = iceberg.parquet.ParquetUtil.fileMetrics(
        file, iceberg.MetricsConfig.forPositionDelete()
    )
    made = iceberg.FileMetadata.deleteFileBuilder(table.spec()).ofPositionDeletes()
    return made.withInputFile(file).withFormat("parquet").withMetrics(metrics).build()


def _iceberg(spark: SparkSession) -> Any:
    session: Any = spark
    return session._jvm.org.apache.iceberg  # noqa: SLF001 - Iceberg has no Python of its own here
