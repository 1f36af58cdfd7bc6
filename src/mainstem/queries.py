"""SQL that others wrote, read without a risk for the process that reads it."""

from __future__ import annotations

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
_STACK = 256 * 1024 * 1024
"""Only addresses: memory is taken for the part that is used."""

_LONGEST_QUERY = 50_000
_DEEPEST_QUERY = 100
_CANNOT_BE_DEEP = 400
"""So few characters nest no deeper than any thread's stack holds."""

_BRACKET = re.compile(r"[()\[\]{}]")
_MANY = 20
_REPETITION = re.compile(
    rf"(?:\[[^\[\]]*\]\s*){{{_MANY}}}|\b(\w+)(?:\s+\1\b){{{_MANY}}}", re.IGNORECASE
)
_JOIN_WORD = re.compile(r"\b(join|on|using|cross|natural)\b", re.IGNORECASE)
_MOST_JOINS_LEFT_OPEN = 8
_setting = threading.Lock()


def read_safely(sql: str, read: Callable[[], _T]) -> _T:
    """What ``read`` makes of the query, unless reading could take the process or the hour."""
    if len(sql) > _LONGEST_QUERY or _is_costly(sql):
        raise CannotTell("the query is too long or nested too deeply")
    return read() if len(sql) <= _CANNOT_BE_DEEP else _on_a_deep_stack(read)


def _is_costly(sql: str) -> bool:
    """Whether the parser could run out of stack, or take longer with every join than before."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(sql):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    words = Counter(map(str.lower, _JOIN_WORD.findall(sql)))
    # The parser tries each join without a condition in two ways, and so all after it too.
    left_open = 2 * words["join"] - words.total()
    if deepest > _DEEPEST_QUERY or left_open > _MOST_JOINS_LEFT_OPEN:
        return True
    # Each subscript, and each FROM that follows another, is read again with all before it.
    return _may_repeat(sql) and _REPETITION.search(sql) is not None


def _may_repeat(sql: str) -> bool:
    """Whether a word follows itself, or there are many subscripts; told fast for most queries."""
    words = sql.lower().split()
    return sql.count("[") >= _MANY or any(map(str.__eq__, words, words[1:]))


def _on_a_deep_stack(work: Callable[[], _T]) -> _T:
    """The result of the work, done on a stack of its own; what it raises is raised here.

    Python stops its own recursion in time, but compiled code ends the whole process where its
    stack ends, and a thread's may be as small as 128 KB.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        with _setting:
            before = threading.stack_size(_STACK)
            try:
                working = thread.submit(work)
            except RuntimeError as refused:
                raise CannotTell("the machine has no room for a deep stack") from refused
            finally:
                threading.stack_size(before)
        return working.result()
