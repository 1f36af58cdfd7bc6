"""Aliases added to a recipe: only lines are added, and what it says grows by them alone."""

from __future__ import annotations

import json

import pytest
import yaml

from mainstem.doctor.fixing.recipe_text import with_namespaces
from mainstem.doctor.picture import Link
from mainstem.errors import BadRecipe

B1, B2, LOCAL = "kafka://b1:9092", "kafka://b2:9092", "kafka://localhost:9092"
HEAD = """\
# our recipe
clusters:
  - name: prod            # the one
    urls: ["http://connect:8083"]
    password: ${SECRET}
"""
WRITTEN = {
    "absent": HEAD,
    "without a last line end": HEAD.rstrip("\n"),
    "empty": f"{HEAD}namespaces:\n",
    "empty, with a comment": f"{HEAD}namespaces:   # none yet\njournal: x.db\n",
    "block": f'{HEAD}namespaces:  # names\n    "{B1}":\n      - {B2}   # second\n\njournal: x.db\n',
    "block, not indented": f"{HEAD}namespaces:\n  {B1}:\n  - {B2}\n# the end\n",
    "list in one line": f'{HEAD}namespaces:\n  "{B1}": ["{B2}"]\njournal: x.db\n',
    "another name": f"{HEAD}namespaces:\n  postgres://db:5432:\n    - postgres://x:5432\n",
    "all in one line": f'{HEAD}namespaces: {{"{B1}": ["{B2}"]}}\njournal: x.db\n',
    "empty map": f"{HEAD}namespaces: {{}}\n",
    "JSON": json.dumps({"clusters": [{"name": "prod"}], "journal": "x.db"}),
    "JSON in lines": json.dumps({"clusters": [{"name": "prod"}]}, indent=2) + "\n",
    "JSON with names": json.dumps({"clusters": [], "namespaces": {B1: [B2]}, "a": 1}, indent=2),
    "Windows": f"{HEAD}namespaces:\n  {B1}:\n    - {B2}\njournal: x.db\n".replace("\n", "\r\n"),
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("links", [
    [Link(B1, None, LOCAL, None)],
    [Link(B1, None, LOCAL, None), Link("mysql://a:3306", None, "mysql://b:3306", None)],
])  # fmt: skip
def test_what_a_recipe_says_grows_and_nothing_else_changes(written: str, links: list[Link]) -> None:
    before = WRITTEN[written]
    after = with_namespaces(before, links, "recipe.yml")
    names = yaml.safe_load(before).get("namespaces") or {}
    expected = {one: list(others) for one, others in names.items()}
    for link in links:
        expected.setdefault(link.namespace, []).append(link.other_namespace)
    told = yaml.safe_load(after)
    assert told.pop("namespaces") == expected
    assert told == {k: v for k, v in yaml.safe_load(before).items() if k != "namespaces"}
    left = iter(after)
    assert all(letter in left for letter in before), "a letter of the file was lost"
    assert ("\r\n" in after) == ("\r\n" in before)
    assert "\n" not in after.replace("\r\n", "") or "\r\n" not in after


@pytest.mark.parametrize("written", WRITTEN)
def test_what_is_known_is_not_added_again(written: str) -> None:
    once = with_namespaces(WRITTEN[written], [Link(B1, None, LOCAL, None)], "recipe.yml")
    assert with_namespaces(once, [Link(B1, None, LOCAL, None)], "recipe.yml") == once


@pytest.mark.parametrize(
    "text", ["namespaces: null\n", "{clusters: [], namespaces: null}\n", "a: 1\n...\n"]
)
def test_a_file_that_cannot_be_added_to_is_left_with_the_lines_to_add(text: str) -> None:
    with pytest.raises(BadRecipe, match=LOCAL):
        with_namespaces(text, [Link(B1, None, LOCAL, None)], "recipe.yml")
