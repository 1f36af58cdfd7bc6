"""What is shipped for systemd and containers names commands, flags and variables that exist."""

from __future__ import annotations

import configparser
import inspect
import json
import re
import shlex
from pathlib import Path

import pytest

from mainstem.cli.main import VERBS
from mainstem.cli.watch import DRAIN_SECONDS, watch
from mainstem.outbox.location import default_journal_path

ROOT = Path(__file__).resolve().parents[2]
OPERATION = (ROOT / "docs" / "operation.md").read_text()
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text()


class Unit(configparser.ConfigParser):
    """A systemd unit: keys keep their case and may repeat."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


@pytest.fixture
def unit() -> Unit:
    unit = Unit(strict=False, interpolation=None)
    unit.read(ROOT / "deploy" / "mainstem-watch.service")
    return unit


def flags_of_watch() -> set[str]:
    return {"--" + name.replace("_", "-") for name in inspect.signature(watch).parameters}


def assert_command_exists(verb: str, *arguments: str) -> None:
    assert verb in {name for name, *_ in VERBS}
    assert {each for each in arguments if each.startswith("--")} <= flags_of_watch()


def test_the_units_command_exists(unit: Unit) -> None:
    program, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert Path(program).name == "mainstem"
    assert_command_exists(*arguments)


def test_the_unit_reloads_by_the_signal_and_stops_after_the_drain(unit: Unit) -> None:
    assert "-HUP" in unit["Service"]["ExecReload"]
    assert float(unit["Service"]["TimeoutStopSec"]) > DRAIN_SECONDS
    assert unit["Service"]["StateDirectory"] == "mainstem"


def test_the_containers_command_exists() -> None:
    (command,) = re.findall(r"^CMD (.*)$", CONTAINER, re.MULTILINE)
    assert_command_exists(*json.loads(command))
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", CONTAINER, re.MULTILINE)
    assert Path(json.loads(entry)[0]).name == "mainstem"
    assert re.search(r"^USER \d+:\d+$", CONTAINER, re.MULTILINE)


@pytest.mark.parametrize(
    "text", [CONTAINER, (ROOT / "deploy" / "mainstem-watch.service").read_text()]
)
def test_the_journal_is_where_the_variable_says(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "MAINSTEM_JOURNAL=" in text
    monkeypatch.setenv("MAINSTEM_JOURNAL", str(tmp_path / "here.db"))
    assert default_journal_path() == tmp_path / "here.db"


def test_every_metric_is_documented() -> None:
    source = "".join(
        (ROOT / "src" / "mainstem" / "watch" / "loop" / "metrics.py").read_text().split()
    )
    metrics = set(re.findall(r'"(mainstem_\w+)"', source))
    assert len(metrics) == 9
    assert [name for name in metrics if name not in OPERATION] == []
