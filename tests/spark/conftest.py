"""A Java for Spark, and events read back from where a tracked application sent them."""

from __future__ import annotations

import os

import pytest

from mainstem.lab.services.spark import spark_environment


@pytest.fixture(scope="session")
def spark_variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that runs Spark."""
    made = spark_environment(tmp_path_factory.mktemp("java"), os.environ)
    return {**os.environ, **made}
