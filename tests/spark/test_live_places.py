"""Streams between places of every kind on a real Spark: what is told of each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from spark.conftest import Tracked
from spark.told import Event, of_job, types
from spark_plans.session import Bench

pytestmark = [pytest.mark.spark, pytest.mark.lab]

SCHEMA = "id bigint, amount double"


class Places:
    """Streams of one test that run until nothing is left to read, and where they read and write."""

    def __init__(self, bench: Bench, root: Path) -> None:
        self.spark = bench.spark
        self.root = root
        (root / "arrived").mkdir()
        (root / "arrived" / "one.json").write_text('{"id": 1, "amount": 2.5}\n')

    @property
    def arrived(self) -> Any:
        """A stream of the JSON files of a directory."""
        return self.spark.readStream.schema(SCHEMA).json(self.path("arrived"))

    def path(self, name: str) -> str:
        return str(self.root / name)

    def run(self, name: str, rows: Any, kind: str | None = None, **options: str) -> Any:
        """Run a query of this name to its end."""
        writer = rows if hasattr(rows, "foreachBatch") else rows.writeStream
        writer = writer.queryName(name).trigger(availableNow=True).options(**options)
        writer = writer.option("checkpointLocation", self.path(f"checkpoint-{name}"))
        query = (writer.format(kind) if kind else writer).start()
        query.awaitTermination()
        return query


@pytest.fixture
def places(bench: Bench, tmp_path: Path) -> Places:
    return Places(bench, tmp_path)


def _columns(output: Event) -> dict[str, set[str]]:
    fields = output["facets"]["columnLineage"]["fields"]
    return {name: {one["field"] for one in told["inputFields"]} for name, told in fields.items()}


def _ends(events: list[Event], job: str) -> Event:
    told = of_job(events, job)
    assert types(told) == ["START", "COMPLETE"]
    return told[-1]


def _names(datasets: list[Event]) -> set[tuple[str, str]]:
    return {(one["namespace"], one["name"]) for one in datasets}


def test_files_and_delta(places: Places, tracked: Callable[..., Tracked]) -> None:
    spark, path = places.spark, places.path
    tracking = tracked()
    places.run("keep", places.arrived, "delta", path=path("delta"))
    kept = spark.readStream.format("delta").load(path("delta"))
    places.run("export", kept.selectExpr("id", "amount * 2 as twice"), "csv", path=path("csv"))
    exported = spark.readStream.schema("id bigint, twice double").csv(path("csv"))
    places.run("again", exported.where("id > 0"), "json", path=path("json"))
    again = spark.readStream.schema("id bigint").json(path("json"))
    places.run("last", again, "parquet", path=path("parquet"))
    events = tracking.end()
    for job, source, sink in (
        ("keep", "arrived", "delta"),
        ("export", "delta", "csv"),
        ("again", "csv", "json"),
        ("last", "json", "parquet"),
    ):
        end = _ends(events, f"app.{job}")
        assert _names(end["inputs"]) == {("file", path(source))}, job
        assert _names(end["outputs"]) == {("file", path(sink))}, job
        assert end["run"]["facets"]["mainstem_spark"]["sources"][0]["rows"] == 1, job
    assert _columns(_ends(events, "app.export")["outputs"][0]) == {
        "id": {"id"},
        "twice": {"amount"},
    }


def test_partitions_of_a_topic_that_are_assigned(
    places: Places, bench: Bench, topics: Callable[..., None], tracked: Callable[..., Tracked]
) -> None:
    topic = f"assigned-{abs(hash(places.root))}"
    topics(topic)
    tracking = tracked()
    rows = places.spark.readStream.format("kafka").options(
        **{
            "assign": orjson.dumps({topic: [0]}).decode(),
            "kafka.bootstrap.servers": bench.bootstrap,
            "startingOffsets": "earliest",
        }
    )
    decoded = rows.load().selectExpr(f"from_json(cast(value as string), '{SCHEMA}') as v")
    places.run("assigned", decoded.select("v.*"), "parquet", path=places.path("out"))
    end = _ends(tracking.end(), "app.assigned")
    assert _names(end["inputs"]) == {(f"kafka://{bench.bootstrap}", topic)}
    assert _columns(end["outputs"][0]) == {"id": {"id"}, "amount": {"amount"}}
    assert end["run"]["facets"]["mainstem_spark"]["sources"] == [
        {"rows": 3, "offsets": {topic: {"0": 3}}}
    ]


def test_a_database_joined_and_written_in_a_function(
    places: Places, bench: Bench, tracked: Callable[..., Tracked]
) -> None:
    jdbc = {
        "url": bench.jdbc_url,
        "user": "postgres",
        "password": "hunter2",
        "driver": "org.postgresql.Driver",
    }
    spark = places.spark
    rates = spark.createDataFrame([(1, 3.0)], "id bigint, rate double")
    rates.write.format("jdbc").options(**jdbc, dbtable="public.rates").mode("overwrite").save()

    def write(batch: Any, _number: int) -> None:
        known = spark.read.format("jdbc").options(**jdbc, dbtable="public.rates").load()
        priced = batch.join(known, "id").selectExpr("id", "amount * rate as price")
        priced.write.format("jdbc").options(**jdbc, dbtable="public.prices").mode("append").save()
        batch.select("id").write.mode("append").parquet(places.path("ids"))

    tracking = tracked()
    places.run("price", places.arrived.writeStream.foreachBatch(write))
    events = tracking.end()
    end = _ends(events, "app.price")
    database = bench.jdbc_url.removeprefix("jdbc:postgresql:").rpartition("/")[0]
    arrived, prices = (
        ("file", places.path("arrived")),
        (f"postgres:{database}", "shop.public.prices"),
    )
    assert _names(end["inputs"]) == {arrived, (f"postgres:{database}", "shop.public.rates")}
    assert _names(end["outputs"]) == {prices, ("file", places.path("ids"))}
    outputs = {one["name"]: _columns(one) for one in end["outputs"]}
    assert outputs == {
        "shop.public.prices": {"id": {"id"}, "price": {"amount", "rate"}},
        places.path("ids"): {"id": {"id"}},
    }
    assert {event["job"]["name"] for event in events} == {"app", "app.price"}
    assert "hunter2" not in str(events)


def test_what_lies_nowhere_is_no_dataset(places: Places, tracked: Callable[..., Tracked]) -> None:
    tracking = tracked()
    rates = places.spark.readStream.format("rate").load()
    rates.writeStream.format("memory").queryName("ticks").start().stop()
    end = _ends(tracking.end(), "app.ticks")
    assert (end["inputs"], end["outputs"]) == ([], [])
    assert end["run"]["facets"]["mainstem_spark"]["opaque"] == []
