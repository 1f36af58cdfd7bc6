"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["encodings", "jdbc_query"])
def test_examples(name: str) -> None:
    ran = doctest.testmod(importlib.import_module(f"mainstem.spark.{name}"))
    assert ran.attempted > 0
    assert ran.failed == 0
