"""Many logs of chance, folded in one Spark job, equal a fold that a person can read."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.dedupe import repetitions, without
from mainstem.pipeline.steps.parse import parse, part_of
from mainstem.pipeline.steps.runs import as_runs, fold_runs, resumed, standing_runs
from mainstem.pipeline.tables import EVENT, RUN

pytestmark = pytest.mark.spark
RANKS = ["START", "RUNNING", "OTHER", "COMPLETE", "ABORT", "FAIL"]
ENDS = {"COMPLETE": "COMPLETED", "ABORT": "ABORTED", "FAIL": "FAILED"}
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)

event = st.fixed_dictionaries(
    {
        "second": st.integers(0, 4),
        "type": st.sampled_from([None, *RANKS]),
        "error": st.sampled_from([None, "broke", "burst"]),
        "job": st.sampled_from(["a", "b"]),
        "rows": st.sampled_from([None, 1, 5]),
    }
)


def told(case: int, said: dict[str, Any]) -> dict[str, Any]:
    facets = {"errorMessage": {"message": said["error"]}} if said["error"] else {}
    output: dict[str, Any] = {"namespace": "n", "name": "o"}
    if said["rows"] is not None:
        output["outputFacets"] = {"outputStatistics": {"rowCount": said["rows"]}}
    at = BEGAN + timedelta(seconds=said["second"])
    return {
        "eventTime": at.isoformat(),
        **({"eventType": said["type"]} if said["type"] else {}),
        "producer": "https://test",
        "run": {"runId": f"00000000-0000-0000-0000-{case:012}", "facets": facets},
        "job": {"namespace": "n", "name": said["job"]},
        "outputs": [output],
    }


def plainly_folded(log: list[dict[str, Any]]) -> tuple[Any, ...]:
    """A run by the rules, read aloud: sort, take the first end, the last word of the rest."""

    def order(one: dict[str, Any]) -> tuple[str, int, str]:
        spelled = orjson.dumps(one, option=orjson.OPT_SORT_KEYS)
        rank = [None, *RANKS].index(one.get("eventType"))
        return one["eventTime"], rank, hashlib.sha256(spelled).hexdigest()

    events = sorted({orjson.dumps(one): one for one in log}.values(), key=order)
    ends = [one for one in events if one.get("eventType") in ENDS]
    errors = [one for one in events if one["run"]["facets"]]
    counted = [one["outputs"][0] for one in events if "outputFacets" in one["outputs"][0]]
    typed = any("eventType" in one for one in events)
    return (
        ENDS[ends[0]["eventType"]] if ends else "RUNNING" if typed else "NEW",
        events[0]["job"]["name"],
        events[0]["eventTime"],
        events[-1]["eventTime"],
        ends[0]["eventTime"] if ends else None,
        errors[-1]["run"]["facets"]["errorMessage"]["message"] if errors else None,
        counted[-1]["outputFacets"]["outputStatistics"]["rowCount"] if counted else None,
        len(events),
    )


@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(logs=st.lists(st.lists(event, min_size=1, max_size=7), min_size=30, max_size=60))
def test_logs_of_chance(spark: SparkSession, logs: list[list[dict[str, Any]]]) -> None:
    cases = [[told(case, one) for one in log] for case, log in enumerate(logs)]
    lines = [(orjson.dumps(one), "x") for log in cases for one in (*log, log[0])]
    parsed = parse(spark.createDataFrame(lines, "value binary, origin string"))
    events = part_of(parsed, EVENT, F.monotonically_increasing_id().alias("place"))
    again = repetitions(events, None, len(lines))
    fresh = without(events, again, again.count())
    # Half of them came in an earlier build.
    before = fold_runs(as_runs(fresh.where("hash(key) % 2 = 0")))
    later = as_runs(fresh.where("hash(key) % 2 <> 0"))
    runs = fold_runs(later.unionByName(standing_runs(resumed(before))))
    found = {
        row.run_id: (
            row.state, row.job_name, row.created_at, row.updated_at, row.ended_at, row.error,
            row.rows_written, row.events,
        )
        for row in runs.collect()
    }  # fmt: skip
    for case, log in enumerate(cases):
        answer = found[f"00000000-0000-0000-0000-{case:012}"]
        times = [one and one.astimezone(UTC).isoformat() for one in answer[2:5]]
        assert (*answer[:2], *times, *answer[5:]) == plainly_folded(log)
    assert len(found) == len(cases)
    assert RUN.names == runs.columns
