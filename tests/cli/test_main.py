from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mainstem.cli.exits import EXIT_FAILED


@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [
        (["plan", "{connector}"], ""),
        (["explain", "--json", "{connector}"], "1"),
        (["name", "kafka", "b:9092", "orders"], "1"),
        (["recipe", "schema"], ""),
    ],
)
def test_a_reader_who_leaves_is_no_error_to_tell(
    tmp_path: Path, arguments: list[str], unbuffered: str
) -> None:
    connector = tmp_path / "connector.json"
    connector.write_text('{"name": "c", "config": {"connector.class": "C", "topics": "t"}}')
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody_reads:
        ended = subprocess.run(
            [sys.executable, "-m", "mainstem", *(a.format(connector=connector) for a in arguments)],
            stdout=nobody_reads,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "KAFKA_BOOTSTRAP": "b:9092", "PYTHONUNBUFFERED": unbuffered},
        )
    assert (ended.returncode, ended.stderr) == (EXIT_FAILED, "")
