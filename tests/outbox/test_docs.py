"""The pages about destinations and the outbox are complete, and their examples work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from mainstem.cli.outbox import app
from mainstem.outbox import (
    destinations_from_configuration,
    preparation_from_configuration,
    read_configuration,
)
from mainstem.outbox.destinations.http_answer import BAD_EVENT
from mainstem.outbox.destinations.table import MODULES

DOCS = Path(__file__).resolve().parents[2] / "docs"
DESTINATIONS = (DOCS / "destinations.md").read_text()
OUTBOX = (DOCS / "outbox.md").read_text()
EXAMPLES = re.findall(r"```yaml\n(.*?)```", DESTINATIONS, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_configuration(example: str) -> None:
    given = yaml.safe_load(example)
    configuration = read_configuration(given)
    assert destinations_from_configuration(configuration)
    assert preparation_from_configuration(configuration)


def test_every_kind_of_destination_is_documented() -> None:
    assert [kind for kind in [*MODULES, "composite"] if f"`{kind}`" not in DESTINATIONS] == []


def test_every_refusal_is_documented() -> None:
    assert ", ".join(map(str, sorted(BAD_EVENT))) in DESTINATIONS


def test_every_verb_of_the_outbox_is_documented() -> None:
    verbs = [name for name in app if not name.startswith("-")]
    assert verbs
    assert [verb for verb in verbs if f"mainstem outbox {verb}" not in OUTBOX] == []
