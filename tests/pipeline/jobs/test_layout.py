"""Tables of another layout are refused, not misread."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import json
from pyspark.sql import SparkSession

from mainstem.errors import BadRecipe
from mainstem.pipeline.jobs.target import LAYOUT, LEDGER, Ledger, ParquetTarget

pytestmark = pytest.mark.spark


def test_tables_of_another_version_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / LEDGER).write_bytes(json.encode(Ledger(builds=3)))
    with pytest.raises(BadRecipe) as refused:
        ParquetTarget(spark, str(tmp_path))
    assert "layout 0" in str(refused.value)
    assert f"layout {LAYOUT}" in str(refused.value)
    assert str(tmp_path) in str(refused.value)


def test_tables_of_this_version_are_taken(spark: SparkSession, tmp_path: Path) -> None:
    target = ParquetTarget(spark, str(tmp_path))
    target.commit()
    assert ParquetTarget(spark, str(tmp_path)).ledger.builds == 1
