"""Streaming queries on a real Spark with a real Kafka and Iceberg: what is told of each."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mainstem.lab.services.kafka import KafkaBroker
from spark.conftest import Tracked
from spark.told import Event, message, of_job, types

pytestmark = [pytest.mark.spark, pytest.mark.lab]

JSON = "from_json(cast(value as string), 'id bigint, amount double') as v"


@pytest.fixture
def orders(session: Any, kafka: KafkaBroker, topics: Callable[..., None], tmp_path: Path) -> Any:
    """A stream of a topic of the test's own, decoded."""
    topic = f"orders-{abs(hash(tmp_path))}"
    topics(topic)
    return _decoded(session, kafka, subscribe=topic)


def _decoded(session: Any, kafka: KafkaBroker, **subscription: str) -> Any:
    reader = session.readStream.format("kafka").options(**subscription)
    return (
        reader.option("kafka.bootstrap.servers", kafka.bootstrap)
        .option("startingOffsets", "earliest").load().selectExpr(JSON).select("v.*")
    )  # fmt: skip


def _table(session: Any, tmp_path: Path, name: str) -> str:
    table = f"lake.track{abs(hash(tmp_path))}.{name}"
    session.sql(f"create table {table} (id bigint, amount double) using iceberg")
    return table


def _until_done(writer: Any, tmp_path: Path) -> Any:
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
    return query.trigger(availableNow=True)


def _columns(output: Event) -> dict[str, set[str]]:
    fields = output["facets"]["columnLineage"]["fields"]
    return {name: {one["field"] for one in told["inputFields"]} for name, told in fields.items()}


def _topic(events: list[Event]) -> str:
    (one,) = events[-1]["inputs"]
    assert one["namespace"].startswith("kafka://127.0.0.1:")
    return one["name"]


def test_kafka_to_iceberg(
    session: Any, tracked: Callable[..., Tracked], orders: Any, tmp_path: Path
) -> None:
    table = _table(session, tmp_path, "orders")
    tracking = tracked()
    query = _until_done(orders.writeStream.queryName("ingest"), tmp_path).toTable(table)
    query.awaitTermination()
    events = of_job(tracking.end(), "app.ingest")
    assert types(events) == ["START", "COMPLETE"]
    start, end = events[0], events[-1]
    for event in (start, end):
        (output,) = event["outputs"]
        assert output["namespace"] == "file"
        assert output["name"].endswith("/orders")
        assert _columns(output) == {"id": {"id"}, "amount": {"amount"}}
    assert "sources" not in start["run"]["facets"]["mainstem_spark"], "told before any batch"
    topic = _topic(events)
    facet = end["run"]["facets"]["mainstem_spark"]
    assert facet["sources"] == [{"rows": 3, "offsets": {topic: {"0": 3}}}]
    assert end["inputs"][0]["inputFacets"]["inputStatistics"]["rowCount"] == 3
    assert end["outputs"][0]["outputFacets"]["outputStatistics"]["rowCount"] == 3
    assert str(query.runId) == end["run"]["runId"]


def test_kafka_to_kafka(
    tracked: Callable[..., Tracked],
    orders: Any,
    kafka: KafkaBroker,
    topics: Callable[..., None],
    tmp_path: Path,
) -> None:
    sink = f"sums-{abs(hash(tmp_path))}"
    topics(sink, records=0)
    tracking = tracked()
    writer = orders.selectExpr("to_json(struct(id, amount * 2 as twice)) as value").writeStream
    writer = writer.format("kafka").option("kafka.bootstrap.servers", kafka.bootstrap)
    _until_done(writer.option("topic", sink), tmp_path).start().awaitTermination()
    events = of_job(tracking.end(), f"app.{sink}")
    assert types(events) == ["START", "COMPLETE"]
    (output,) = events[0]["outputs"]
    assert (output["namespace"], output["name"]) == (f"kafka://{kafka.bootstrap}", sink)
    columns = _columns(output)
    assert (columns["id"], columns["twice"]) == ({"id"}, {"amount"})


def test_kafka_to_files_and_iceberg_to_iceberg(
    session: Any, tracked: Callable[..., Tracked], orders: Any, tmp_path: Path
) -> None:
    source, sink = _table(session, tmp_path, "source"), _table(session, tmp_path, "sink")
    session.sql(f"insert into {source} values (1, 2.0)")
    tracking = tracked()
    files = str(tmp_path / "files")
    writer = orders.writeStream.queryName("files").format("parquet").option("path", files)
    _until_done(writer, tmp_path).start().awaitTermination()
    rows = session.readStream.table(source).writeStream.queryName("copy")
    _until_done(rows, tmp_path / "second").toTable(sink).awaitTermination()
    events = tracking.end()
    assert of_job(events, "app.files")[0]["outputs"][0]["name"] == files
    copy = of_job(events, "app.copy")
    assert copy[0]["inputs"][0]["name"].endswith("/source")
    assert copy[0]["outputs"][0]["name"].endswith("/sink")
    (position,) = copy[-1]["run"]["facets"]["mainstem_spark"]["sources"]
    snapshot = session.sql(f"select snapshot_id from {source}.snapshots").first()[0]
    assert position == {"rows": 1, "snapshotId": snapshot}


def test_memory_is_no_dataset(tracked: Callable[..., Tracked], orders: Any, tmp_path: Path) -> None:
    tracking = tracked()
    writer = orders.writeStream.format("memory").queryName("peek")
    _until_done(writer, tmp_path).start().awaitTermination()
    events = of_job(tracking.end(), "app.peek")
    assert types(events) == ["START", "COMPLETE"]
    assert events[-1]["outputs"] == []
    assert _topic(events)


def test_a_function_per_batch_is_connected_to_its_stream(
    session: Any, tracked: Callable[..., Tracked], orders: Any, tmp_path: Path
) -> None:
    appended, merged = _table(session, tmp_path, "appended"), _table(session, tmp_path, "merged")
    files = str(tmp_path / "files")

    def write(batch: Any, _number: int) -> None:
        batch.writeTo(appended).append()
        batch.createOrReplaceTempView("batch")
        batch.sparkSession.sql(
            f"merge into {merged} t using batch s on t.id = s.id"
            " when matched then update set amount = s.amount when not matched then insert *"
        )
        batch.groupBy("id").sum("amount").write.mode("overwrite").parquet(files)

    tracking = tracked()
    writer = orders.writeStream.queryName("each").foreachBatch(write)
    _until_done(writer, tmp_path).start().awaitTermination()
    everything = tracking.end()
    events = of_job(everything, "app.each")
    assert types(events) == ["START", "COMPLETE"]
    outputs = {one["name"].rsplit("/", 1)[-1]: one for one in events[-1]["outputs"]}
    assert set(outputs) == {"appended", "merged", "files"}
    assert _columns(outputs["appended"]) == {"id": {"id"}, "amount": {"amount"}}
    assert _columns(outputs["files"])["sum(amount)"] == {"amount"}
    topic = _topic(of_job(everything, "app.each")[:1])
    for entry in events[-1]["job"]["facets"]["lineage"]["entries"]:
        assert topic in {one["name"] for one in entry["inputs"]}, entry["name"]
    jobs = {event["job"]["name"] for event in everything}
    assert jobs == {"app", "app.each"}, "no run of its own for a write inside a batch"


def test_topics_of_a_pattern_are_told_once_they_are_seen(
    session: Any,
    kafka: KafkaBroker,
    topics: Callable[..., None],
    tracked: Callable[..., Tracked],
    tmp_path: Path,
) -> None:
    stem = f"many-{abs(hash(tmp_path))}"
    topics(f"{stem}-a", f"{stem}-b")
    table = _table(session, tmp_path, "all")
    tracking = tracked()
    rows = _decoded(session, kafka, subscribePattern=f"{stem}-.*")
    _until_done(rows.writeStream.queryName("many"), tmp_path).toTable(table).awaitTermination()
    events = of_job(tracking.end(), "app.many")
    assert {one["name"] for one in events[-1]["inputs"]} == {f"{stem}-a", f"{stem}-b"}
    assert "RUNNING" in {event["eventType"] for event in events}, "said at once"


def test_a_failing_stream(
    session: Any, tracked: Callable[..., Tracked], orders: Any, tmp_path: Path
) -> None:
    tracking = tracked()
    broken = orders.selectExpr("raise_error(concat('password=hunter', cast(id as string))) as x")
    query = _until_done(broken.writeStream.queryName("bad").format("noop"), tmp_path).start()
    with pytest.raises(Exception, match="hunter"):
        query.awaitTermination()
    events = of_job(tracking.end(), "app.bad")
    assert types(events) == ["START", "FAIL"]
    assert message(events[-1])
    assert "hunter" not in str(events)
    assert events[-1]["run"]["facets"]["mainstem_spark"]["errorClass"]


@pytest.mark.parametrize("ending", ["COMPLETE", "ABORT"])
def test_a_stopped_stream_ends_as_chosen(
    session: Any, tracked: Callable[..., Tracked], tmp_path: Path, ending: str
) -> None:
    tracking = tracked(on_stop=ending)
    rows = session.readStream.format("rate").load()
    query = rows.writeStream.format("noop").queryName("endless").start()
    query.stop()
    assert types(of_job(tracking.end(), "app.endless")) == ["START", ending]


def test_a_restart_from_a_checkpoint_is_another_run_of_the_same_query(
    session: Any, tracked: Callable[..., Tracked], orders: Any, tmp_path: Path
) -> None:
    table = _table(session, tmp_path, "twice")
    tracking = tracked()
    for _ in range(2):
        query = _until_done(orders.writeStream, tmp_path).toTable(table)
        query.awaitTermination()
    everything = tracking.end()
    (job,) = {event["job"]["name"] for event in everything} - {"app"}
    events = of_job(everything, job)
    assert types(events) == ["START", "COMPLETE"] * 2
    assert len({event["run"]["runId"] for event in events}) == 2
    assert len({e["run"]["facets"]["mainstem_spark"]["queryId"] for e in events}) == 1


def test_declared_where_the_plan_cannot_tell(
    session: Any, tracked: Callable[..., Tracked], tmp_path: Path
) -> None:
    tracking = tracked()
    queue, index = ("amqp://q:5672", "in"), ("elasticsearch://e:9200", "out")
    tracking.tracker.declare("late", inputs=[queue])
    rows = session.readStream.format("rate").load()
    query = rows.writeStream.foreachBatch(lambda _batch, _number: None).queryName("late").start()
    tracking.tracker.declare(query, inputs=[queue], outputs=[index], columns={"x": [(*queue, "y")]})
    query.stop()
    last = of_job(tracking.end(), "app.late")[-1]
    assert [one["name"] for one in last["inputs"]] == ["in"]
    assert _columns(last["outputs"][0]) == {"x": {"y"}}
    assert any("declared" in note for note in last["run"]["facets"]["mainstem_spark"]["notes"])


def test_a_quiet_stream_gives_its_signs_of_life(
    session: Any, tracked: Callable[..., Tracked]
) -> None:
    tracking = tracked(heartbeat=1)
    rows = session.readStream.format("rate").load().writeStream.format("noop")
    query = rows.queryName("quiet").trigger(processingTime="1 day").start()
    patience = time.monotonic() + 60
    while len(_beats(tracking)) < 3 and time.monotonic() < patience:
        time.sleep(0.1)
    beats = _beats(tracking)
    query.stop()
    tracking.end()
    assert len(beats) >= 3
    for event in beats:
        pattern = event["job"]["facets"]["jobType"]["emissionPattern"]
        assert (pattern["eventTrigger"], pattern["windowDuration"]) == ("PERIODIC", 1)
    times = [datetime.fromisoformat(event["eventTime"]) for event in beats]
    assert all(later - one >= timedelta(seconds=1) for one, later in pairwise(times))


def _beats(tracking: Tracked) -> list[Event]:
    return [e for e in of_job(tracking.told(), "app.quiet") if e["eventType"] == "RUNNING"]


def _listeners(java_session: Any) -> int:
    return len(java_session.listenerManager().listListeners())


def test_batches_that_say_nothing_new_are_not_listened_to(
    session: Any, tracked: Callable[..., Tracked]
) -> None:
    before = _listeners(session._jsparkSession)
    tracking = tracked()
    rows = session.readStream.format("rate").load()
    function = rows.writeStream.foreachBatch(lambda _batch, _number: None).queryName("fun").start()
    table = rows.writeStream.format("noop").queryName("table").start()
    of_function, of_table = (
        query._jsq.streamingQuery().sparkSessionForStream() for query in (function, table)
    )
    patience = time.monotonic() + 60
    while _listeners(of_table) > before and time.monotonic() < patience:
        time.sleep(0.1)
    assert _listeners(of_table) == before, "Spark itself writes each batch"
    assert _listeners(of_function) == before + 1, "it may write anywhere"
    function.stop()
    table.stop()
    events = tracking.end()
    assert types(of_job(events, "app.fun")) == types(of_job(events, "app.table"))
    assert _listeners(session._jsparkSession) == before, "taken back"


def test_a_stream_that_already_runs(
    session: Any, tracked: Callable[..., Tracked], tmp_path: Path
) -> None:
    files = str(tmp_path / "files")
    rows = session.readStream.format("rate").option("rowsPerSecond", 100).load()
    # Between two batches, since Spark itself stumbles over a function that is interrupted.
    writer = (
        rows.writeStream.queryName("early")
        .trigger(processingTime="2 seconds")
        .foreachBatch(lambda batch, _number: batch.write.mode("append").parquet(files))
    )
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    tracking = tracked()
    number = len(query.recentProgress)
    while query.isActive and len(query.recentProgress) < number + 2:
        time.sleep(0.1)
    query.stop()
    events = of_job(tracking.end(), "app.early")
    assert types(events) == ["START", "COMPLETE"]
    assert events[0]["run"]["runId"] == str(query.runId)
    assert [one["name"] for one in events[-1]["outputs"]] == [files]
    (note,) = events[0]["run"]["facets"]["mainstem_spark"]["notes"]
    assert "tracking began" in note
