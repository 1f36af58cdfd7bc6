"""Real plans, captured once, mean what people say they mean; no Spark is needed to think."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count

import pytest

from mainstem.spark.captured import with_topics
from mainstem.spark.plan import lineage_of, stream_columns
from spark_plans.expected import DATASETS, expectations, expected, told
from spark_plans.stored import PLANS, load

EXPECTED = expectations()


def test_every_captured_plan_has_its_meaning_written_down() -> None:
    assert {file.stem for file in PLANS.glob("*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_plan_means_what_a_person_says(name: str) -> None:
    write, stream = load(name)
    lineage = lineage_of(write, stream_columns(stream) if stream else {})
    said = expected(EXPECTED[name])
    assert told(lineage, symlinks="symlinks" in said) == said


@pytest.mark.parametrize("name", EXPECTED)
def test_how_a_column_is_spelt_does_not_matter(name: str) -> None:
    write, stream = load(name)
    numbers = count()
    spelt = re.sub(
        r'"num-children":0,"name":',
        lambda found: f'"qualifier":"[t{next(numbers)}]",{found.group()}',
        write.plan,
    )
    assert next(numbers) > 0
    columns = stream_columns(stream) if stream else {}
    assert lineage_of(replace(write, plan=spelt), columns) == lineage_of(write, columns)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_source_is_a_column_of_something_that_is_read(name: str) -> None:
    write, stream = load(name)
    lineage = lineage_of(write, stream_columns(stream) if stream else {})
    fields = {
        each.key: {field.name for field in each.fields} for each in lineage.inputs if each.fields
    }
    told_of = [
        source
        for key in lineage.columns
        for sources in (*lineage.columns[key].values(), lineage.indirect[key])
        for source in sources
    ]
    read = {each.key for each in lineage.inputs}
    for source in told_of:
        assert source.dataset in read
        if source.dataset in fields:
            assert source.field.split(".")[0] in fields[source.dataset]


def test_a_pattern_becomes_its_topics_once_they_are_seen() -> None:
    write, _ = load("pattern")
    lineage = lineage_of(with_topics(write, ["events", "avro"]))
    assert {each.key for each in lineage.inputs} == {DATASETS["events"], DATASETS["avro"]}
    assert lineage.opaque == ()


def test_a_write_inside_foreach_batch_is_unknown_without_its_stream() -> None:
    write, _ = load("batch_append")
    lineage = lineage_of(write)
    assert lineage.opaque == ("LogicalRDD",)
    assert lineage.inputs == ()
