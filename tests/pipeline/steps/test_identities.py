"""One physical thing, one name; and whether a name that was known means another thing now."""

from __future__ import annotations

import pytest
from chispa import assert_df_equality
from pyspark.sql import DataFrame, SparkSession

from mainstem.names.dataset import DatasetName
from mainstem.names.identity import NO_ALIASES, Aliases
from mainstem.pipeline.states import NAME
from mainstem.pipeline.steps.contents import id_of
from mainstem.pipeline.steps.identities import alias_rows, identify, is_renamed
from mainstem.pipeline.tables import ALIAS
from pipeline.rows import filled

pytestmark = pytest.mark.spark
LAKE, HIVE, SPELLED = ("s3://lake", "orders"), ("hive://h:1", "shop.orders"), ("s3a://lake", "x")


def names(spark: SparkSession, *said: tuple[str, str]) -> DataFrame:
    rows = [
        {"name_id": id_of(*one), "namespace": one[0], "name": one[1], "kind": "FILE"}
        for one in said
    ]
    return filled(spark, NAME, *rows)


def test_aliases_are_told_with_where_they_come_from(spark: SparkSession) -> None:
    said = Aliases(datasets=[(DatasetName(*LAKE), DatasetName(*HIVE))])
    named = identify(names(spark, LAKE, HIVE, SPELLED), NO_ALIASES, said)
    rows = alias_rows(named).select("namespace", "name", "canonical_namespace", "origin")
    expected = [(*SPELLED, "s3://lake", "spelling"), (*HIVE, LAKE[0], "symlink")]
    schema = "namespace string, name string, canonical_namespace string, origin string"
    found = spark.createDataFrame(expected, schema)
    assert_df_equality(rows, found, ignore_row_order=True, ignore_nullable=True)


def test_a_symlink_renames_only_what_was_known(spark: SparkSession) -> None:
    before = names(spark, LAKE, HIVE)
    plain = ALIAS.of(alias_rows(identify(before, NO_ALIASES, NO_ALIASES)))
    later = Aliases(datasets=[(DatasetName(*LAKE), DatasetName(*HIVE))])
    assert is_renamed(before, identify(before, NO_ALIASES, later), plain)
    # A name that comes with its alias was nothing else before.
    more = names(spark, LAKE, HIVE, SPELLED)
    assert not is_renamed(before, identify(more, NO_ALIASES, NO_ALIASES), plain)
    joined = ALIAS.of(alias_rows(identify(before, NO_ALIASES, later)))
    assert not is_renamed(before, identify(before, NO_ALIASES, later), joined)
    assert is_renamed(before, identify(before, NO_ALIASES, NO_ALIASES), joined)
