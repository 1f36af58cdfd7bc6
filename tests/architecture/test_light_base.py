"""``mainstem --help`` must not pay for what it does not use."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "alembic", "confluent_kafka", "fastapi", "httpx2", "jgo", "openlineage", "orjson", "pandas",
    "psycopg", "pyarrow", "pydantic", "pyspark", "regex", "requests", "rustworkx", "sqlalchemy",
    "sqlglot", "structlog", "uvicorn", "yaml",
)  # fmt: skip

PROGRAM = """
import sys
from mainstem.cli.main import app
try:
    app({arguments!r})
except SystemExit:
    pass
print("LOADED", sorted({{name.partition(".")[0] for name in sys.modules}} & set({heavy!r})))
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_loads_no_heavy_module(arguments: list[str]) -> None:
    program = PROGRAM.format(arguments=arguments, heavy=HEAVY)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "LOADED []"
