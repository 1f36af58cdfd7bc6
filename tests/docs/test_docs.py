"""The documentation is complete, its examples run, and its links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
import yaml

import mainstem
from mainstem.cli.main import VERBS
from mainstem.doctor.thinking import KINDS
from mainstem.recipe import Cluster, Recipe
from mainstem.recipe.ingestion import PARTS, IngestRecipe
from mainstem.recipe.model import Kafka, SchemaRegistry
from mainstem.recipe.set_aside import MEANINGLESS
from mainstem.watch.preview.planning import Kind
from mainstem.watch.runs.model import Telling

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
NEEDS_AN_EXTRA = ("mainstem.serve", "mainstem.pipeline", "mainstem.spark")


def modules() -> list[str]:
    found = pkgutil.walk_packages(mainstem.__path__, "mainstem.")
    return [
        module.name
        for module in found
        if not module.name.startswith(NEEDS_AN_EXTRA) and module.name != "mainstem.__main__"
    ]


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_docstrings_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_every_verb_is_in_the_readme() -> None:
    assert [name for name, *_ in VERBS if f"`mainstem {name}`" not in README] == []


def test_every_key_of_the_recipe_is_documented() -> None:
    page = (ROOT / "docs" / "recipe.md").read_text()
    keys = [*Cluster.model_fields, *Recipe.model_fields]
    assert [key for key in keys if f"`{key}`" not in page] == []


def test_every_key_of_an_ingestion_is_documented() -> None:
    page = (ROOT / "docs" / "ingest.md").read_text()
    parts = [part for part in PARTS if part not in (Kafka, SchemaRegistry)]
    keys = {key for part in parts for key in part.model_fields}
    ignored = {key for path, known in MEANINGLESS.items() for key in known if "sink" not in path}
    assert [key for key in sorted(keys | ignored) if f"`{key}`" not in page] == []


def test_the_example_ingestion_is_a_recipe() -> None:
    page = (ROOT / "docs" / "ingest.md").read_text()
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert IngestRecipe.model_validate(yaml.safe_load(example)).sink.type == "datahub-rest"


def test_every_kind_of_finding_in_a_plan_is_documented() -> None:
    page = (ROOT / "docs" / "plan.md").read_text()
    assert [kind for kind in Kind if f"`{kind.value}`" not in page] == []


def test_every_kind_of_finding_of_the_doctor_is_documented() -> None:
    page = (ROOT / "docs" / "doctor.md").read_text()
    sections = re.findall(r"^### `([a-z-]+)`$", page, re.MULTILINE)
    assert sections == [kind.name for kind in KINDS]


def test_every_key_of_a_schema_registry_is_documented() -> None:
    page = (ROOT / "docs" / "schemas.md").read_text()
    assert [key for key in SchemaRegistry.model_fields if f"`{key}`" not in page] == []
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert Recipe.model_validate(yaml.safe_load(example)).schema_registry is not None


def test_the_example_recipe_is_a_recipe() -> None:
    page = (ROOT / "docs" / "recipe.md").read_text()
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert Recipe.model_validate(yaml.safe_load(example)).clusters[0].name == "prod"


def test_every_telling_is_documented() -> None:
    page = (ROOT / "docs" / "watch.md").read_text()
    names = {"JOB": "JobEvent"}
    assert [each for each in Telling if names.get(each.value, each.value) not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_our_own_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []
