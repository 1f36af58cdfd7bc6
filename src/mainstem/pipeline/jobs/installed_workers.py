"""Starts Spark's Python workers from the PySpark that is installed.

Spark puts its own archive of the same modules first on their path, and what Python imports from an
archive it compiles every time: a worker that parses a little spent a third of its time so.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

ARCHIVED = ("pyspark.zip", "py4j-")
"""What the names of Spark's archives begin with."""


def without_archives(path: list[str]) -> list[str]:
    """Python's path but Spark's archives."""
    return [one for one in path if not Path(one).name.startswith(ARCHIVED)]


def main() -> None:
    """What ``pyspark.daemon`` does, if PySpark is found without its archive."""
    archived = list(sys.path)
    sys.path[:] = without_archives(archived)
    if find_spec("pyspark") is None or find_spec("py4j") is None:
        sys.path[:] = archived
    from pyspark.daemon import manager  # noqa: PLC0415 - from where it is now found

    manager()


if __name__ == "__main__":
    main()
