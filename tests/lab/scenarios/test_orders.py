"""The pipeline as data: configurations that fit together, breakages that say what follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from mainstem.lab.scenarios.breakages import BREAKAGES, Breakage, find
from mainstem.lab.scenarios.orders import (
    SINK,
    SOURCE,
    TOPIC,
    Addresses,
    expected_edges,
    sink_config,
    source_config,
)

AT = Addresses("127.0.0.1", 5433, "127.0.0.1:9092", Path("/somewhere/orders.txt"), "hush")
DOCUMENTATION = Path(__file__).resolve().parents[3] / "docs" / "lab.md"


def test_the_sink_reads_what_the_source_writes() -> None:
    source = source_config(AT)
    assert f"{source['topic.prefix']}.{source['table.include.list']}" == TOPIC
    assert sink_config(AT)["topics"] == TOPIC


def test_the_expected_edges_are_one_chain_from_the_table_to_the_file() -> None:
    first, second = expected_edges(AT)
    assert first.target == second.source
    assert (first.job, second.job) == (SOURCE, SINK)
    assert str(AT.postgres_port) in first.source.namespace
    assert second.target.name == sink_config(AT)["file"]


def test_the_password_is_in_the_configuration_and_not_in_what_must_be_told() -> None:
    assert AT.password in source_config(AT).values()
    assert AT.password not in "".join(map(str, expected_edges(AT)))


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda each: each.name)
def test_every_breakage_can_be_found_and_is_documented(breakage: Breakage) -> None:
    assert find(breakage.name) is breakage
    assert f"| `{breakage.name}` |" in DOCUMENTATION.read_text()


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda each: each.name)
def test_a_run_that_ended_starts_anew_when_healed(breakage: Breakage) -> None:
    assert (breakage.told_when_broken is None) == (breakage.told_when_healed is None)
    if breakage.told_when_broken and breakage.told_when_healed:
        assert breakage.told_when_broken.job == breakage.told_when_healed.job
        assert breakage.told_when_broken.type in breakage.expect_when_broken
        assert breakage.told_when_healed.type in breakage.expect_when_healed


def test_an_unknown_breakage_is_not_found() -> None:
    assert find("moon") is None
