"""What is told again is no news; what is told otherwise, or earlier, is."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from mainstem.pipeline.states import CONTENT, SAID, USE, WORD
from mainstem.pipeline.steps.news import retelling_jobs, spoken_of, with_news
from pipeline.rows import filled

pytestmark = pytest.mark.spark
NAMED = (
    "dataset_id bigint, said_id bigint, written boolean, job_id bigint, last_key string,"
    " is_news boolean"
)
STANDS = {"dataset_id": 1, "schema_word": 10, "schema_class": 1, "tags_word": 20}


def use(content: int, first: str, last: str) -> dict[str, Any]:
    return {"content_id": content, "job_id": 1, "producer": "p", "first_key": first,
            "last_key": last}  # fmt: skip


def test_a_use_is_news_where_it_is_new_or_earlier_than_known(spark: SparkSession) -> None:
    before = filled(spark, USE, use(1, "b", "c"), use(2, "b", "c"))
    new = filled(spark, USE, use(1, "b2", "d"), use(2, "a", "a"), use(3, "d", "d"))
    contents = filled(spark, CONTENT, *({"content_id": one} for one in (1, 2, 3)))
    found = {row.content_id: row.is_news for row in with_news(new, before, contents).collect()}
    assert found == {1: False, 2: True, 3: True}


@pytest.mark.parametrize(
    ("said", "written", "expected"),
    [
        ({}, True, False),
        ({"tags_word": 20, "schema_word": 10}, True, False),
        ({"tags_word": 21}, True, True),
        ({"links_word": 30}, True, True),
        ({"schema_word": 11}, True, True),
        ({"schema_word": 11}, False, False),
        ({"schema_word": 11, "registered": True}, False, True),
    ],
    ids=str,
)
def test_a_word_is_news_where_it_may_win(
    spark: SparkSession, said: dict[str, Any], written: bool, expected: bool
) -> None:
    named = spark.createDataFrame(
        [(1, 5, written, 7, "k", False), (1, None, None, 8, "j", False)], NAMED
    )
    words = filled(spark, SAID, {"said_id": 5, **said})
    (row,) = spoken_of(named, words, filled(spark, WORD, STANDS)).collect()
    assert row.is_news is expected
    wrote = ("k", 7, None) if written else (None, None, "k")
    assert (row.last_key, row.written_key, row.written_by, row.read_key) == ("k", *wrote)


def test_columns_are_told_again_or_otherwise(spark: SparkSession) -> None:
    contents = filled(
        spark, CONTENT,
        {"content_id": 1, "columns_id": 10}, {"content_id": 2, "columns_id": 20},
        {"content_id": 3},
    )  # fmt: skip
    before = filled(spark, USE, use(1, "a", "b"), use(2, "a", "c"), use(3, "a", "d"))
    schema = "job_id bigint, columns_id bigint, is_news boolean"
    for told, expected in ((20, []), (10, [1]), (None, [])):
        named = spark.createDataFrame([(1, told, False)], schema)
        assert [row.job_id for row in retelling_jobs(named, before, contents).collect()] == expected
