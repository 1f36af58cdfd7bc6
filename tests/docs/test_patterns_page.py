"""The page that compares the patterns is what the recorded events of real runs say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("maker", ROOT / "scripts/patterns_page.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_from_the_events(maker: ModuleType) -> None:
    assert maker.PAGE.read_text() == maker.page(), "run: python scripts/patterns_page.py"


@pytest.mark.parametrize(("job", "others"), [("live", "listener"), ("ingestion", "manual")])
def test_whoever_tells_a_dataset_calls_it_the_same(
    maker: ModuleType, job: str, others: str
) -> None:
    def told(pattern: str) -> set[tuple[str, str]]:
        events = maker.events_of(pattern, job)
        return {
            (side, maker.without_port(one))
            for event in events
            for side in ("inputs", "outputs")
            for one in event[side]
        }

    assert told(others) == told("mainstem") != set()
