from __future__ import annotations

from typing import Any

import pytest

from mainstem.errors import BadRecipe
from mainstem.spark.declaring import declared_lineage
from mainstem.spark.lineage import Dataset, DatasetKey, Source

A, B, C = ("kafka://b:9092", "a"), ("file", "/b"), ("file", "/c")


def test_words_become_lineage() -> None:
    lineage = declared_lineage("declare", [A], [B], {"total": [(*A, "amount")], "one": []})
    assert lineage.inputs == (Dataset(*A),)
    assert lineage.columns == {
        DatasetKey(*B): {
            "total": (Source(DatasetKey(*A), "amount", "DIRECT", "TRANSFORMATION"),),
            "one": (),
        }
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"inputs": ["orders"]}, "inputs[0] is 'orders'; it must be a pair of texts"),
        ({"outputs": [("file", "")]}, "outputs[0] is ('file', '')"),
        ({"outputs": [B, C], "columns": {"x": []}}, "exactly one output to belong to; there are 2"),
        ({"outputs": [B], "columns": {"x": [(*A, "y")]}}, "which is not among the inputs"),
        ({"outputs": [B], "columns": {"x": ["y"]}}, "columns['x'][0] is 'y'; it must be a triple"),
    ],
)
def test_mistakes_name_key_value_and_what_is_allowed(words: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRecipe) as caught:
        declared_lineage("declare", **words)
    assert said in str(caught.value)
