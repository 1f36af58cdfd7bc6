"""What is told again is no news; what is told otherwise, or earlier, is."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from mainstem.pipeline.states import CONTENT, SAID, USE, WORD
from mainstem.pipeline.steps.news import spoken_of, with_news
from mainstem.pipeline.tables import JOB
from pipeline.rows import filled

pytestmark = pytest.mark.spark
Row = dict[str, Any]
NAMED = (
    "dataset_id bigint, said_id bigint, written boolean, job_id bigint, last_key string,"
    " is_news boolean"
)
SHOWN: Row = {"processing_type": "BATCH", "owners": [], "tags": []}
"""What the row of a job shows of which nothing was said."""
STANDS = {"dataset_id": 1, "schema_word": 10, "schema_class": 1, "tags_word": 20}


def use(content: int, first: str, last: str) -> dict[str, Any]:
    return {"content_id": content, "job_id": 1, "producer": "p", "first_key": first,
            "last_key": last}  # fmt: skip


def news(
    spark: SparkSession, new: list[Row], before: list[Row], contents: list[Row], job: Row
) -> list[Any]:
    """What is news of new uses of job 1, in the order of their contents."""
    found = with_news(
        filled(spark, USE, *new), filled(spark, USE, *before), filled(spark, CONTENT, *contents),
        filled(spark, JOB, {"job_id": 1, **SHOWN, **job}), few=True,
    )  # fmt: skip
    return sorted(found.collect(), key=lambda row: row.content_id)


def test_a_use_is_news_where_it_is_new_or_earlier_than_known(spark: SparkSession) -> None:
    before = [use(1, "b", "c"), use(2, "b", "c")]
    new = [use(1, "b2", "d"), use(2, "a", "a"), use(3, "d", "d")]
    contents = [{"content_id": one} for one in (1, 2, 3)]
    found = news(spark, new, before, contents, {})
    assert [row.is_news for row in found] == [False, True, True]
    assert [row.is_known for row in found] == [True, True, False]
    assert not any(row.job_is_news or row.columns_are_news for row in found)


@pytest.mark.parametrize(
    ("facets", "shown", "expected"),
    [
        ({}, {"description": "what it does", "tags": ["a"]}, False),
        ({"documentation": ("what it does",)}, {"description": "what it does"}, False),
        ({"documentation": ("what it does",)}, {"description": "something"}, True),
        ({"documentation": ("what it does",)}, {}, True),
        ({"documentation": (None,)}, {}, False),
        ({"documentation": (None,)}, {"description": "something"}, True),
        ({"location": ("git",)}, {"location": "svn"}, True),
        ({"type": (None, "SPARK", None)}, {"integration": "SPARK"}, False),
        ({"type": ("STREAM", "SPARK", None)}, {"integration": "SPARK"}, True),
        ({"type": ("STREAM", "SPARK", None)}, {"integration": "SPARK",
                                               "processing_type": "STREAM"}, False),
        ({"type": (None, None, "TASK")}, {"job_type": "DAG"}, True),
        ({"ownership": (["me"],)}, {"owners": ["me"]}, False),
        ({"ownership": (["me"],)}, {"owners": ["you"]}, True),
        ({"ownership": (None,)}, {}, False),
        ({"tags": (["a"],)}, {}, True),
    ],
    ids=str,
)  # fmt: skip
def test_a_job_is_news_where_its_row_shows_something_else(
    spark: SparkSession, facets: Row, shown: Row, expected: bool
) -> None:
    said = ("type", "documentation", "location", "ownership", "tags")
    contents = [{"content_id": 1, "job": tuple(facets.get(one) for one in said)}]
    (row,) = news(spark, [use(1, "d", "e")], [use(1, "a", "b")], contents, shown)
    assert row.job_is_news is expected


def test_a_job_is_news_where_another_starts_it_or_nobody_knew_it(spark: SparkSession) -> None:
    parent = {"parent_namespace": "airflow", "parent_name": "dag"}
    contents = [{"content_id": 1}]

    def is_news(job: int, **told: Any) -> bool:
        new = {**use(1, "d", "e"), "job_id": job, **told}
        (row,) = news(spark, [new], [], contents, parent)
        return row.job_is_news

    assert not is_news(1)
    assert not is_news(1, parent_key="d", parent=("airflow", "dag"))
    assert is_news(1, parent_key="d", parent=("airflow", "another"))
    assert is_news(2)
    # What is said of a dataset alone is said of no job.
    assert not is_news(0)


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
    contents = [{"content_id": 1, "columns_id": 10}, {"content_id": 2, "columns_id": 20},
                {"content_id": 3}, {"content_id": 4, "columns_id": 20}]  # fmt: skip
    before = [use(1, "a", "b"), use(2, "a", "c"), use(3, "a", "d")]
    new = [use(one, "b", "e") for one in (1, 2, 3, 4)]
    found = news(spark, new, before, contents, {"columns_word": 20})
    expected = [True, False, False, True]
    assert [row.columns_are_news for row in found] == expected
    # Its row remembers what it told last.
    assert [row.job_is_news for row in found] == expected
