"""Back to a store: what is published and imported answers as the events themselves do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pyspark.sql import SparkSession

from mainstem.errors import BadRecipe
from mainstem.names.identity import NO_ALIASES
from mainstem.pipeline.jobs.build import build
from mainstem.pipeline.jobs.publish import publish
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.target import ParquetTarget
from pipeline.logs import disordered, put
from serve_running import running

pytestmark = pytest.mark.spark


def imported(store: str, *files: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "mainstem", "import", *map(str, files), "--store", store]
    ran = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    return json.loads(ran.stdout)


def graph(store: str) -> dict[str, Any]:
    """Every job, dataset and run of a store, with edges and schemas, as its API tells them."""
    told: dict[str, Any] = {}
    with running(store) as backend, httpx2.Client(base_url=f"{backend.url}/api/v1") as api:
        for space in api.get("/namespaces").json()["namespaces"]:
            inside = f"/namespaces/{space['name'].replace('/', '%2F').replace(':', '%3A')}"
            for kind in ("jobs", "datasets"):
                for one in api.get(f"{inside}/{kind}?limit=1000").json()[kind]:
                    told[f"{kind} {space['name']} {one['name']}"] = _without_times(one)
    return told


def _without_times(one: Any) -> Any:
    """What is said, in one order, without when it was last said: repetitions are not published."""
    match one:
        case dict():
            return {key: _without_times(one[key]) for key in one if key != "updatedAt"}
        case list():
            return sorted((_without_times(each) for each in one), key=json.dumps)
        case _:
            return one


def test_what_is_published_gives_the_same_graph(spark: SparkSession, tmp_path: Path) -> None:
    lines = disordered()
    put(lines, tmp_path / "events", 0, 2)
    target = ParquetTarget(spark, str(tmp_path / "tables"))
    build(spark, FileSource(spark, str(tmp_path / "events")), target, aliases=NO_ALIASES)
    done = publish(target, str(tmp_path / "published"), gzip=True)
    assert 0 < done.written <= done.events
    published = sorted((tmp_path / "published").glob("part-*"))
    outcome = imported(str(tmp_path / "new.db"), *published)
    assert (outcome["refused"], outcome["stored"]) == (0, done.written)
    imported(str(tmp_path / "old.db"), *sorted((tmp_path / "events").iterdir()))
    expected, found = graph(str(tmp_path / "old.db")), graph(str(tmp_path / "new.db"))
    assert len(expected) > 10
    assert found == expected
    with pytest.raises(BadRecipe, match="there already"):
        publish(target, str(tmp_path / "published"), gzip=True)
