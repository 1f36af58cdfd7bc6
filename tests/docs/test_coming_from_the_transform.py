"""The page for users of the OpenLineage transform: its connectors are run, not remembered."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coming-from-the-transform.md"
CONNECTORS = re.findall(r"```json\n(.*?)```\n\n```\n(.*?)```", PAGE.read_text(), re.DOTALL)


def explain(document: str, *flags: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "mainstem", "explain", "-", "--kafka", "kafka-1:19092", *flags],
        check=True,
        capture_output=True,
        text=True,
        input=document,
    )
    return ran.stdout


def test_all_three_are_on_the_page() -> None:
    names = [json.loads(document)["name"] for document, _ in CONNECTORS]
    assert names == ["orders-source", "orders-s3-sink", "orders-iceberg-sink"]


@pytest.mark.parametrize(("document", "shown"), CONNECTORS)
def test_the_page_shows_what_explain_says(document: str, shown: str) -> None:
    assert explain(document).strip() == shown.strip()


def test_they_meet_in_the_topic_and_tell_no_credential() -> None:
    everything = json.dumps([json.loads(document) for document, _ in CONNECTORS])
    told = explain(everything, "--json")
    source, archive, table = json.loads(told)
    assert source["outputs"] == archive["inputs"] == table["inputs"]
    assert not [one["unresolved"] for one in (source, archive, table) if one["unresolved"]]
    assert "admin:admin" not in told
