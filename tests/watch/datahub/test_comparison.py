"""Ours beside DataHub's own source, on the same seventy-two connectors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mainstem.cli.ingest import follow
from mainstem.watch.connect.fake_server import FakeConnectServer
from watch.datahub.comparing import GOLDEN, Told, compared, text_of, told_by
from watch.datahub.recorded_cluster import RECIPE, recorded_cluster

DATAHUB_SOURCE = Path(__file__).resolve().parents[3] / "scripts" / "datahub_source.py"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with FakeConnectServer(recorded_cluster()) as server:
        yield server.url


def ours(url: str, folder: Path) -> dict[str, Told]:
    source = {"type": "kafka-connect", "config": {"connect_uri": url, **RECIPE}}
    file = folder / "ours.json"
    sink = {"type": "datahub-file", "config": {"filename": str(file)}}
    recipe = folder / "recipe.yml"
    recipe.write_text(yaml.safe_dump({"source": source, "sink": sink}))
    assert follow(recipe, journal=folder / "state.db") == 0
    return told_by(json.loads(file.read_text()))


def golden() -> dict[str, Any]:
    return json.loads(GOLDEN.read_text())


def test_we_say_what_datahub_says_and_differ_where_we_are_right(url: str, tmp_path: Path) -> None:
    kept = golden()
    different = {name: each["mainstem"] for name, each in kept["different"].items()}
    assert ours(url, tmp_path) == {**kept["same"], **different}


def test_what_was_compared_is_worth_comparing() -> None:
    kept = golden()
    jobs = [urn for told in kept["same"].values() for urn in told if "dataJob" in urn]
    assert (len(kept["same"]), len(kept["different"]), len(jobs)) == (44, 28, 56)
    assert {each["right"] for each in kept["different"].values()} == {"mainstem"}


@pytest.mark.soak
def test_datahub_still_says_what_was_kept(url: str, tmp_path: Path) -> None:
    """In an environment of its own, which takes minutes to make."""
    python = environment_with_datahub(tmp_path, golden()["datahub"])
    config, proposals = tmp_path / "config.json", tmp_path / "datahub.json"
    config.write_text(json.dumps({"connect_uri": url, **RECIPE}))
    subprocess.run(
        [python, DATAHUB_SOURCE, config, proposals],
        env={**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false"},
        check=True,
    )
    datahub = told_by(json.loads(proposals.read_text()))
    text = text_of(compared(golden()["datahub"], datahub, ours(url, tmp_path)))
    (tmp_path / GOLDEN.name).write_text(text)
    assert GOLDEN.read_text() == text, f"to keep the new answer: cp {tmp_path / GOLDEN.name} here"


def environment_with_datahub(folder: Path, version: str) -> Path:
    """One that is there already is named by MAINSTEM_DATAHUB_PYTHON."""
    if named := os.environ.get("MAINSTEM_DATAHUB_PYTHON"):
        return Path(named)
    subprocess.run([sys.executable, "-m", "venv", folder / "datahub"], check=True)
    python = folder / "datahub" / "bin" / "python"
    wanted = f"acryl-datahub[kafka-connect]=={version}"
    subprocess.run([python, "-m", "pip", "install", "-q", wanted], check=True)
    return python
