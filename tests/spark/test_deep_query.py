"""A query of a JDBC source that nests deeper than a thread's stack leaves the job alone."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import threading
from mainstem.errors import CannotTell
from mainstem.spark.jdbc_query import plain_query, query_tables

def read():
    for nested in ("SELECT a FROM t WHERE " + "NOT a = " * 4000 + "1", "SELECT " + "{" * 800):
        options = {"query": nested}
        print(plain_query("jdbc:postgresql://h/db", options))
        try:
            print(query_tables("jdbc:postgresql://h/db", options))
        except CannotTell as unknown:
            print(unknown.reason)

threading.stack_size(256 * 1024)
thread = threading.Thread(target=read)
thread.start()
thread.join()
"""


def test_it_is_not_told_and_the_process_lives() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) == 4
