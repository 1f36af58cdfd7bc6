"""A repeated event counts once, and what an earlier build knows does not count again."""

from __future__ import annotations

import pytest
from chispa import assert_df_equality
from pyspark.sql import DataFrame, SparkSession

from mainstem.pipeline.steps import dedupe
from mainstem.pipeline.steps.dedupe import marked, repetitions, without

pytestmark = pytest.mark.spark
TOLD = [("a", 1, "first"), ("b", 2, "once"), ("a", 3, "again"), ("c", 4, "known"), ("c", 5, "too")]


def events(spark: SparkSession, *rows: tuple[str, int, str]) -> DataFrame:
    return spark.createDataFrame(list(rows), "key string, place bigint, raw string")


@pytest.mark.parametrize("most", [2, 1_000], ids=["shuffled", "sent to all"])
def test_each_new_event_once(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(dedupe, "MOST_TO_SEND", most)
    told = events(spark, *TOLD)
    again = repetitions(told, events(spark, ("c", 9, "known")), len(TOLD))
    assert_df_equality(
        without(told, again, again.count()).select("key", "raw"),
        events(spark, TOLD[0], TOLD[1]).select("key", "raw"),
        ignore_row_order=True,
    )


@pytest.mark.parametrize("most", [2, 1_000], ids=["shuffled", "sent to all"])
def test_nothing_is_known_before_the_first_build(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(dedupe, "MOST_TO_SEND", most)
    again = repetitions(events(spark, *TOLD), None, len(TOLD))
    expected = spark.createDataFrame([(3,), (5,)], "place bigint")
    assert_df_equality(again, expected, ignore_row_order=True, ignore_nullable=True)


def test_what_is_apart_is_held_against_what_is_known_alone(spark: SparkSession) -> None:
    told = events(spark, ("a", 1, "known"), ("b", 2, "once"), ("c", 3, "known"))
    known = events(spark, ("c", 9, "known"), ("a", 8, "known"), ("d", 7, "another"))
    again = repetitions(told, known, 3, apart=True)
    expected = spark.createDataFrame([(1,), (3,)], "place bigint")
    assert_df_equality(again, expected, ignore_row_order=True, ignore_nullable=True)


def test_what_was_told_before_is_marked(spark: SparkSession) -> None:
    places = spark.createDataFrame([(3,), (5,)], "place bigint")
    found = marked(events(spark, *TOLD), places).select("place", "is_again").collect()
    assert sorted(found) == [(1, False), (2, False), (3, True), (4, False), (5, True)]
