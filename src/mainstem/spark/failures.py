"""Why Spark says that a query failed, as a person wants to read it, without credentials."""

from __future__ import annotations

import re
from typing import Any

from mainstem.scrub import scrub
from mainstem.spark.runs import Failure
from mainstem.traces import message_of, summary_of

_ERROR_CLASS = re.compile(r": \[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\] ")
_IN_PYTHON = re.compile(
    r"Return Message: Traceback \(most recent call last\):\n(?:[ \t].*\n)+(\S.*)"
)
"""How py4j tells Java what a function in Python raised: its trace, then the error itself."""


def failure_of(text: str, error_class: str | None = None) -> Failure:
    """What the text of an exception and its causes says.

    >>> failure_of("a.SparkException: [DIVIDE_BY_ZERO] Division by zero.").error_class
    'DIVIDE_BY_ZERO'
    """
    whole = scrub(text)
    own = error_class or _class_in(whole)
    raised = _IN_PYTHON.search(whole)
    if raised is not None:
        return Failure(raised[1], "PYTHON", summary_of(whole), own)
    return Failure(message_of(whole), "JAVA", summary_of(whole), own)


def text_of(exception: Any) -> str:
    """A Java exception and its causes, each in one line."""
    lines: list[str] = []
    while exception is not None:
        lines.append(("Caused by: " if lines else "") + exception.toString().split("\n", 1)[0])
        exception = exception.getCause()
    return "\n".join(lines)


def _class_in(text: str) -> str | None:
    """Spark's own name of an error, which stands before its message in brackets."""
    found = _ERROR_CLASS.search(text)
    return found[1] if found else None
