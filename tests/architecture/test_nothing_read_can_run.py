"""Nothing that is read can run: no pickles, no code from text, no YAML that makes objects."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).resolve().parents[2] / "src" / "mainstem").rglob("*.py"))
RUNNING = {
    *("eval", "exec", "compile", "__import__", "pickle.load", "pickle.loads", "marshal.loads"),
    *("yaml.load", "yaml.full_load", "yaml.unsafe_load", "shelve.open", "jsonpickle.decode"),
}


def running_calls(source: str) -> list[str]:
    """Calls that run what they are given."""
    calls = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call)]
    return [name for one in calls if (name := ast.unparse(one.func)) in RUNNING]


def test_no_call_runs_what_it_reads() -> None:
    assert len(SOURCES) > 200
    found = {str(file): calls for file in SOURCES if (calls := running_calls(file.read_text()))}
    assert found == {}


@pytest.mark.parametrize("source", ["eval(x)", "yaml.load(f)", "y = pickle.loads(b)"])
def test_such_a_call_would_be_seen(source: str) -> None:
    assert running_calls(source)
    assert not running_calls("yaml.safe_load(f); re.compile(x)")
