"""Batch actions on a real Spark: each that writes is one child run of the application's."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.functions import col

from mainstem.spark.listening import ActionListener
from spark.conftest import Tracked
from spark.told import Event, message, of_job, types
from spark_plans.session import Bench

pytestmark = [pytest.mark.spark, pytest.mark.lab]


@pytest.fixture
def table(session: Any, tmp_path: Path) -> str:
    """An Iceberg table of the test's own, with two rows."""
    name = f"lake.batch{abs(hash(tmp_path))}.target"
    session.sql(f"create table {name} (id bigint, amount double) using iceberg")
    session.sql(f"insert into {name} values (1, 1.0), (2, 2.0)")
    # Listeners hear of a write after it returned; that of this insert is waited for.
    session.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(60_000)
    return name


def _listeners(session: Any) -> int:
    return len(session._jsparkSession.listenerManager().listListeners())


def _child_jobs(events: list[Event]) -> list[str]:
    """The jobs under the application, each once, in the order they were first told."""
    return list(dict.fromkeys(e["job"]["name"].removeprefix("app.") for e in events[1:-1]))


def _output(event: Event) -> str:
    (output,) = event["outputs"]
    return output["name"].rsplit("/", 1)[-1]


WRITES: dict[str, tuple[str, str]] = {
    # what is run, with {t} the target: the job that is told
    "insert into {t} select id, amount from lake.db.orders": ("append", "target"),
    "insert overwrite {t} select id, amount from lake.db.orders": ("overwrite", "target"),
    "update {t} set amount = amount + 1 where id = 1": ("update", "target"),
    "delete from {t} where amount > 1.5 and id in (select id from lake.db.orders)": (
        "delete",
        "target",
    ),
    "delete from {t}": ("delete", "target"),
    "merge into {t} t using (select id, amount from lake.db.orders) s on t.id = s.id "
    "when matched then update set amount = s.amount when not matched then insert *": (
        "merge",
        "target",
    ),
    "create table {t}_copy using iceberg as select id, amount from {t}": ("append", "target_copy"),
    "create or replace table {t}_again using iceberg as select id, amount from {t}": (
        "overwrite",
        "target_again",
    ),
}


@pytest.mark.parametrize("statement", WRITES)
def test_statement(
    statement: str, session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    tracking = tracked()
    session.sql(statement.format(t=table))
    events = tracking.end()
    assert types(events) == ["START", "START", "COMPLETE", "COMPLETE"]
    (job,) = _child_jobs(events)
    mode, target = WRITES[statement]
    assert job.startswith(f"{mode}.")
    assert job.rsplit(".", 1)[-1] == target
    application, end = events[0], events[2]
    assert _output(end) == target
    assert end["run"]["facets"]["parent"]["run"]["runId"] == application["run"]["runId"]
    assert end["run"]["facets"]["parent"]["root"]["run"]["runId"] == application["run"]["runId"]
    if mode in {"append", "overwrite", "merge"}:
        columns = end["outputs"][0]["facets"]["columnLineage"]["fields"]
        assert "amount" in {one["field"] for one in columns["amount"]["inputFields"]}


@pytest.mark.parametrize("way", ["copy-on-write", "merge-on-read"])
def test_merge_both_ways_names_the_source_column(
    way: str, session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    session.sql(f"alter table {table} set tblproperties ('write.merge.mode'='{way}')")
    tracking = tracked()
    source = session.sql("select id, amount * 2 as amount from lake.db.orders").alias("s")
    merge = source.mergeInto(table, col(f"{table}.id") == col("s.id"))
    merge.whenMatched().updateAll().whenNotMatched().insertAll().merge()
    events = tracking.end()
    (output,) = events[2]["outputs"]
    made_from = output["facets"]["columnLineage"]["fields"]["amount"]["inputFields"]
    assert any(one["name"].endswith("/orders") and one["field"] == "amount" for one in made_from)
    assert {one["name"].rsplit("/", 1)[-1] for one in events[2]["inputs"]} >= {"orders"}


def test_asking_for_the_answer_of_a_write_is_no_second_write(
    session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    for reads in (False, True):
        tracking = tracked(reads=reads)
        session.sql(f"insert into {table} select id, amount from lake.db.orders").collect()
        events = tracking.end()
        assert types(events)[-4:] == ["START", "START", "COMPLETE", "COMPLETE"]
        assert len(events) == 4 * (1 + reads), "the file has the events of both applications"


def test_inserts_that_share_their_source_are_each_told(
    session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    session.sql(f"create table {table}_2 (id bigint, amount double) using iceberg")
    tracking = tracked()
    session.sql(
        f"from lake.db.orders insert into {table} select id, amount"
        f" insert into {table}_2 select id, amount * 2 where id > 3"
    )
    events = tracking.end()
    assert types(events[1:-1]) == ["START", "COMPLETE"] * 2
    told = {_output(event): event for event in events[1:-1]}
    assert set(told) == {"target", "target_2"}
    for event in told.values():
        assert [one["name"].rsplit("/", 1)[-1] for one in event["inputs"]] == ["orders"]
    filters = [event["outputs"][0]["facets"]["columnLineage"]["dataset"] for event in told.values()]
    assert [len(each) for each in filters] == [0, 1], "what decides one does not decide the other"


def test_dataframe_writers(
    session: Any, bench: Bench, table: str, tracked: Callable[..., Tracked], tmp_path: Path
) -> None:
    tracking = tracked()
    rows = session.table(table)
    rows.writeTo(table).append()
    rows.write.mode("overwrite").parquet(str(tmp_path / "files"))
    rows.write.mode("overwrite").format("parquet").saveAsTable("saved")
    rows.selectExpr("cast(id as string) as value").write.format("kafka").options(
        **{"kafka.bootstrap.servers": bench.bootstrap, "topic": "copies"}
    ).save()
    rows.write.mode("overwrite").format("jdbc").options(
        url=bench.jdbc_url,
        dbtable="public.target",
        user="postgres",
        password="hunter2",
        driver="org.postgresql.Driver",
    ).save()
    events = tracking.end()
    ends = [event for event in events[1:-1] if event["eventType"] == "COMPLETE"]
    assert [_output(event).rsplit(".", 1)[-1] for event in ends] == [
        "target", "files", "saved", "copies", "target",
    ]  # fmt: skip
    assert [event["outputs"][0]["namespace"].split(":")[0] for event in ends] == [
        "file", "file", "file", "kafka", "postgres",
    ]  # fmt: skip
    assert len({event["run"]["runId"] for event in ends}) == 5
    counts = [event["outputs"][0]["outputFacets"].get("outputStatistics") for event in ends]
    assert counts[0] is None, "Spark does not count the rows of an Iceberg append"
    assert counts[1]["rowCount"] == 4
    assert "hunter2" not in str(events)


def test_rows_of_a_write_that_spark_plans_again_while_it_runs(
    session: Any, table: str, tracked: Callable[..., Tracked], tmp_path: Path
) -> None:
    tracking = tracked()
    counted = session.table(table).groupBy("id").count()
    counted.write.parquet(str(tmp_path / "counted"))
    (end,) = (event for event in tracking.end()[1:-1] if event["eventType"] == "COMPLETE")
    assert end["outputs"][0]["outputFacets"]["outputStatistics"]["rowCount"] == 2


def test_the_same_target_from_other_inputs_is_another_job(
    session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    tracking = tracked()
    for _ in range(2):
        session.sql(f"insert into {table} select id, amount from lake.db.orders")
        session.sql(f"insert into {table} select id, amount from {table}")
    jobs = _child_jobs(tracking.end())
    assert len(jobs) == 2
    assert jobs[1] == f"{jobs[0]}.2"


def test_a_failing_write(session: Any, table: str, tracked: Callable[..., Tracked]) -> None:
    tracking = tracked()
    with pytest.raises(Exception, match="hunter"):
        session.sql(
            f"insert into {table} select raise_error('password=hunter2'), amount from {table}"
        )
    events = tracking.end()
    assert types(events) == ["START", "START", "FAIL", "COMPLETE"]
    assert _output(events[2]) == "target"
    assert message(events[2])
    assert events[2]["run"]["facets"]["mainstem_spark"]["errorClass"] == "USER_RAISED_EXCEPTION"
    assert "hunter" not in str(events)


def test_reads_are_told_on_demand(
    session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    tracking = tracked()
    session.table(table).collect()
    assert _child_jobs(tracking.end()) == []
    tracking = tracked(reads=True)
    session.table(table).collect()
    last = tracking.end()
    reads = [event for event in last if event["job"]["name"].startswith("app.read.")]
    assert types(reads) == ["START", "COMPLETE"]
    assert reads[0]["outputs"] == []


def test_a_session_made_from_a_tracked_one_is_heard_too(
    session: Any, table: str, tracked: Callable[..., Tracked]
) -> None:
    tracking = tracked()
    other = session.newSession()
    other.sql(f"insert into {table} select id, amount from {table}")
    assert len(_child_jobs(tracking.end())) == 1
    assert "newSession" not in vars(session), "taken back"


def test_a_file_that_cannot_be_opened_leaves_the_job_alone(
    session: Any, table: str, tracked: Callable[..., Tracked], tmp_path: Path
) -> None:
    before = _listeners(session)
    (tmp_path / "folder").mkdir()
    tracking = tracked(outbox=tmp_path / "folder")
    session.sql(f"insert into {table} select id, amount from {table}")
    patience = time.monotonic() + 60
    while tracking.tracker.is_open and time.monotonic() < patience:
        time.sleep(0.1)
    assert not tracking.tracker.is_open
    assert tracking.end() == []
    assert session.table(table).count() == 4
    # Taken back on tracking's own thread, a moment after it is closed.
    while (now := _listeners(session)) != before:
        assert time.monotonic() < patience, now
        time.sleep(0.1)


def test_track_twice_is_the_same_tracker(session: Any, tracked: Callable[..., Tracked]) -> None:
    tracking = tracked()
    assert tracked().tracker is tracking.tracker
    assert types(of_job(tracking.end(), "app")) == ["START", "COMPLETE"]


def test_steps_of_plain_python(session: Any, tracked: Callable[..., Tracked]) -> None:
    tracking = tracked()
    orders, report = ("kafka://b:9092", "orders"), ("file", "/report")
    with tracking.tracker.run("report", [orders], [report], {"total": [(*orders, "amount")]}):
        pass
    with pytest.raises(ValueError, match="hunter2"), tracking.tracker.run("broken"):
        raise ValueError("password=hunter2")
    with pytest.raises(KeyboardInterrupt), tracking.tracker.run("interrupted"):
        raise KeyboardInterrupt
    for code in (0, 3):
        with pytest.raises(SystemExit), tracking.tracker.run(f"exit{code}"):
            sys.exit(code)
    events = tracking.end()
    assert types(of_job(events, "app.report")) == ["START", "COMPLETE"]
    broken = of_job(events, "app.broken")
    assert types(broken) == ["START", "FAIL"]
    assert message(broken[-1]) == "ValueError: password=***"
    assert types(of_job(events, "app.interrupted")) == ["START", "ABORT"]
    assert types(of_job(events, "app.exit0")) == ["START", "COMPLETE"]
    assert types(of_job(events, "app.exit3")) == ["START", "FAIL"]


def test_a_mistake_in_tracking_does_not_touch_the_job(
    session: Any, tracked: Callable[..., Tracked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: Any, **_named: Any) -> Any:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(ActionListener, "onSuccess", broken)
    monkeypatch.setattr("mainstem.spark.worker.plans_to_tell", broken)
    tracking = tracked()
    files = str(tmp_path / "files")
    session.range(3).write.parquet(files)
    with pytest.raises(Exception, match="already exists"):
        session.range(3).write.parquet(files)
    assert session.read.parquet(files).count() == 3
    assert types(tracking.end()) == ["START", "COMPLETE"]
