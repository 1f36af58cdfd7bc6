"""Spark Connect: what the client can see is told, and what it cannot is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mainstem.spark.remote_plan import NO_COLUMNS
from spark.told import events_in, message, of_job, types

pytestmark = pytest.mark.spark

PROGRAM = Path(__file__).with_name("remote_program.py")


def test_an_application_of_spark_connect(tmp_path: Path, spark_variables: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, PROGRAM, tmp_path],
        env=spark_variables, cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    events = events_in(tmp_path / "events")
    assert types(of_job(events, "remote")) == ["START", "COMPLETE"]
    saved = of_job(events, "remote.overwrite.saved")
    assert types(saved) == ["START", "COMPLETE"]
    assert [one["name"] for one in saved[0]["inputs"]] == [f"{tmp_path}/in"]
    assert saved[0]["outputs"][0]["name"].endswith("/warehouse/saved")
    files = of_job(events, "remote.files")
    assert types(files) == ["START", "COMPLETE"]
    assert files[0]["outputs"][0]["name"] == f"{tmp_path}/out"
    facet = files[-1]["run"]["facets"]["mainstem_spark"]
    assert (facet["notes"], facet["sources"][0]["rows"]) == ([NO_COLUMNS], 5)
    endless = of_job(events, "remote.endless")
    assert types(endless) == ["START", "COMPLETE"]
    assert endless[-1]["outputs"][0]["name"] == "numbers"
    broken = of_job(events, "remote.overwrite.broken")
    assert types(broken) == ["START", "FAIL"]
    assert message(broken[-1])
    assert broken[0]["run"]["facets"]["mainstem_spark"]["opaque"] == ["SQL"]
    assert "hunter" not in str(events)
