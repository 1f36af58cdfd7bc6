"""``mainstem spark-submit``: run a PySpark job tracked, without touching its code."""

from __future__ import annotations

import os
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from mainstem.errors import BadRecipe

HELP = frozenset({"--help", "-h"})
# Flags and delimiters behind the job's file are the job's own.
app = App(
    name="spark-submit",
    usage="Usage: mainstem spark-submit [OPTIONS] JOB.py [ARGUMENTS]",
    help_epilogue=(
        "Takes spark-submit's own options, then the job's file, then the job's arguments, --help"
        " among them. Settings go by --conf spark.mainstem.namespace=… and its like, or by the"
        " environment (OPENLINEAGE_URL). In client mode only."
    ),
    help_flags=(),
    version_flags=(),
    end_of_options_delimiter="",
)

SWITCHES = frozenset({"--supervise", "--verbose", "-v"})
"""Options of spark-submit without a value; every other takes the word after it."""


@app.default
def spark_submit(
    *words: Annotated[str, Parameter(allow_leading_hyphen=True)],
) -> None:
    """Run a PySpark job with its lineage told, as spark-submit would run it.

    Parameters
    ----------
    words
        [options of spark-submit] JOB.py [arguments of the job]
    """
    from importlib.util import find_spec

    if words and words[0] in HELP:
        app.help_print()
        return
    options, job, arguments = split_words(words)
    if find_spec("pyspark") is None:
        raise ModuleNotFoundError("pyspark", name="pyspark")
    environment = {
        "PYSPARK_PYTHON": sys.executable,
        **os.environ,
        "PYSPARK_SUBMIT_ARGS": shlex.join([*options, "pyspark-shell"]),
    }
    command = [
        sys.executable, "-m", "mainstem.spark.submitted", py_files_in(options), job, *arguments
    ]  # fmt: skip
    sys.stdout.flush()
    # In place of this process: signals and the exit code are the job's own.
    os.execve(sys.executable, command, environment)  # noqa: S606


def py_files_in(options: list[str]) -> str:
    """What the last ``--py-files`` says, as spark-submit takes it."""
    given = ""
    for flag, value in pairwise([*options, ""]):
        if flag == "--py-files":
            given = value
        elif flag.startswith("--py-files="):
            given = flag.removeprefix("--py-files=")
    return given


def split_words(words: tuple[str, ...]) -> tuple[list[str], str, list[str]]:
    """The options of spark-submit, the job's file, and the job's own arguments.

    Raises:
        BadRecipe: when there is no job, or it cannot be run from here.
    """
    options: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-"):
        options.append(rest.pop(0))
        if options[-1] not in SWITCHES and "=" not in options[-1] and rest:
            options.append(rest.pop(0))
    if not rest:
        raise BadRecipe("mainstem spark-submit", ["there is no job; give its file, such as job.py"])
    job = Path(rest[0])
    mistakes: list[str] = []
    if job.suffix != ".py" or not job.is_file():
        mistakes.append(f"the job is {rest[0]!r}; it must be a Python file on this machine")
    for flag, value in pairwise([*options, ""]):
        if flag == "--deploy-mode=cluster" or (flag, value) == ("--deploy-mode", "cluster"):
            mistakes.append(
                "--deploy-mode is cluster; it must be client: in a cluster the driver starts"
                " without us. Put `from mainstem.spark import track; track(spark)` into the job"
            )
    if mistakes:
        raise BadRecipe("mainstem spark-submit", mistakes)
    return options, rest[0], rest[1:]
