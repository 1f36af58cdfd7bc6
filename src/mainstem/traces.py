"""What of a Java stack trace goes into an event."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FRAME = re.compile(r"^\s+(?:at |\.\.\. \d+ (?:more|common))")
_CHAINED = re.compile(r"^\s*(?:Caused by|Suppressed|Wrapped by): ")
LONGEST_LINE = 500
MOST_LINES = 10


def message_of(trace: str) -> str:
    r"""The exception's class and the first line of its message.

    >>> message_of("java.io.IOException: disk full\n\tat a.B.c(B.java:1)")
    'java.io.IOException: disk full'
    """
    return next(_heads(trace), "").strip()


def summary_of(trace: str) -> str:
    r"""The classes and first lines of the exception and its causes, without the frames.

    >>> summary_of("a.E: x\n\tat a.B.c(B.java:1)\nCaused by: b.F: y\n\tat b.C.d(C.java:2)")
    'a.E: x\nCaused by: b.F: y'
    """
    heads = [head for _, head in zip(range(MOST_LINES), _heads(trace), strict=False)]
    return "\n".join(heads)


def _heads(trace: str) -> Iterator[str]:
    """The first line, and the line of each cause; a message's own further lines are left out."""
    for number, line in enumerate(trace.splitlines()):
        if number == 0 or (_CHAINED.match(line) and not _FRAME.match(line)):
            yield line.strip()[:LONGEST_LINE]
