"""Java's regular expressions: the same patterns give the same answers as in a Connect worker."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.watch.transforms.java_syntax import to_python

if TYPE_CHECKING:
    import regex

SECONDS_PER_MATCH = 0.25
ATTEMPTS = 4
"""A pattern that was stopped so often in a row is given up: a connector may have many topics."""

_WHOLE = (0,)
"""The reference to all that was matched."""

_REFUSED = "a regular expression is not valid"
_TOO_LONG = "a regular expression takes too long to match"
_LONGEST_PATTERN = 20_000
_BEYOND_ASCII = re.compile(r"\\[pPX]|\(\?[a-zA-Z]*[uU]")
_IGNORES_CASE = re.compile(r"\(\?[a-zA-Z]*i")
_CASED = re.compile(r"\\[pP]\{(?:\w+=|Is|java)?(?:L[ult]|Lower|Upper|Title)")
# Java does not take back what such a group held in an attempt that failed.
_HOLDS_STALE_TEXT = re.compile(r"\)(?:[*?]|\{0,?[0-9]*\})\+")
_SHORT_TEXT = 249
_MOST_REPEATED = 3
_REPEATED = re.compile(r"[.\]][*+]")
_PLAIN_PATTERN = re.compile(
    r"(?:[A-Za-z0-9_-]|\\\.|\[\.\]|\.[*+]?|\[\^\.\][*+]|\((?!\?)|\)(?![*+?{]))*"
)
_LITERAL_START = re.compile(r"(?:[A-Za-z0-9_-]|\\\.|\[\.\])*")
_REFERENCE = re.compile(r"\\(.)|\$(?:\{([A-Za-z][A-Za-z0-9]*)\}|([0-9]))|(\\|\$)", re.DOTALL)


@lru_cache(maxsize=4096)
def compiled(pattern: str, *, ignore_case: bool) -> regex.Pattern[str]:
    """The pattern, compiled; one that Java would refuse raises ``CannotTell``."""
    import regex  # noqa: PLC0415 - takes longer to load than all the rest of this room

    if len(pattern) > _LONGEST_PATTERN:
        raise CannotTell("a regular expression is too long")
    if (ignore_case or _IGNORES_CASE.search(pattern)) and _CASED.search(pattern):
        # "(?i)\\p{Lu}" matches small letters since Java 15 and did not before.
        raise CannotTell("what a regular expression matches differs from Java to Java")
    flags = regex.V1 | regex.ASCII | (regex.IGNORECASE if ignore_case else 0)
    try:
        return regex.compile(to_python(pattern), flags, cache_pattern=False)
    except (regex.error, ValueError, OverflowError, RecursionError) as refused:
        raise CannotTell(_REFUSED) from refused


def matches(pattern: str, text: str, *, ignore_case: bool = False) -> bool:
    r"""Whether the whole text matches, as ``Matcher.matches()`` says.

    >>> matches(r"orders\..*", "orders.eu"), matches("orders", "orders.eu")
    (True, False)
    """
    quick = _quick(pattern, ignore_case=ignore_case) if _is_short(text) else None
    if quick is not None:
        return quick.starts(text) and quick.rest.fullmatch(text, len(quick.start)) is not None
    _check_letters(pattern, text)
    return _limited("fullmatch", compiled(pattern, ignore_case=ignore_case), text) is not None


def is_refused(pattern: str) -> bool:
    r"""Whether Java does not compile the pattern, so that a connector with it cannot start.

    >>> is_refused("(orders"), is_refused(r"orders\..*")
    (True, False)
    """
    if _quick(pattern, ignore_case=False):
        return False
    try:
        compiled(pattern, ignore_case=False)
    except CannotTell as unknown:
        return unknown.reason == _REFUSED
    return False


def replace_first(pattern: str, replacement: str, text: str) -> str:
    """The text with the first match replaced, as ``Matcher.replaceFirst()`` does.

    >>> replace_first("(?<db>[a-z]+)-.*", "x-${db}", "shop-1")
    'x-shop'
    """
    quick = _quick(pattern, ignore_case=False) if _is_short(text) else None
    if quick is not None and quick.starts(text):
        found = quick.rest.match(text, len(quick.start))
        if found is not None:
            return _replaced(text, 0, found, replacement)
    _check_letters(pattern, text)
    found = _limited("search", compiled(pattern, ignore_case=False), text)
    return text if found is None else _replaced(text, found.start(), found, replacement)


def _replaced(
    text: str, start: int, found: regex.Match[str] | re.Match[str], replacement: str
) -> str:
    """The text with what was found replaced; it begins at ``start``, and its groups behind it."""
    filled = [
        piece
        if isinstance(piece, str)
        else (text[start : found.end()] if piece == _WHOLE else found.group(*piece) or "")
        for piece in parse_replacement(replacement, found.re)
    ]
    return "".join([text[:start], *filled, text[found.end() :]])


@lru_cache(maxsize=4096)
def parse_replacement(
    replacement: str, pattern: regex.Pattern[str] | re.Pattern[str]
) -> tuple[str | tuple[int] | tuple[str], ...]:
    """The literals and group references of a replacement, in order."""
    pieces: list[str | tuple[int] | tuple[str]] = []
    position = 0
    while found := _REFERENCE.search(replacement, position):
        pieces.append(replacement[position : found.start()])
        position = found.end()
        escaped, name, digit, stray = found.groups()
        if stray is not None:
            raise CannotTell("a replacement is not valid")
        if escaped is not None:
            pieces.append(escaped)
        elif name is not None:
            pieces.append((_existing(name, pattern),))
        else:
            number, position = _group_number(replacement, position, int(digit), pattern.groups)
            pieces.append((number,))
    pieces.append(replacement[position:])
    if _HOLDS_STALE_TEXT.search(pattern.pattern) and any(_names_a_group(one) for one in pieces):
        raise CannotTell("a group that is repeated possessively may hold what was given up")
    return tuple(piece for piece in pieces if piece != "")


def _names_a_group(piece: str | tuple[int] | tuple[str]) -> bool:
    return not isinstance(piece, str) and piece != _WHOLE


def _existing(name: str, pattern: regex.Pattern[str] | re.Pattern[str]) -> str:
    if name not in pattern.groupindex:
        raise CannotTell("a replacement names a group that the pattern does not have")
    return name


def _group_number(text: str, position: int, number: int, group_count: int) -> tuple[int, int]:
    # Java takes a further digit only while that names a group that exists.
    if number > group_count:
        raise CannotTell("a replacement names a group that the pattern does not have")
    while position < len(text) and text[position] in "0123456789":
        longer = number * 10 + int(text[position])
        if longer > group_count:
            break
        number, position = longer, position + 1
    return number, position


def _check_letters(pattern: str, text: str) -> None:
    # Kafka allows no such letters in a topic's name, but a name on its way to one may have them.
    if not text.isascii() and _BEYOND_ASCII.search(pattern):
        raise CannotTell("a regular expression is about letters beyond ASCII")


class _Quick(NamedTuple):
    """A pattern for Python's own engine, which compiles faster but knows no time limit.

    What differs from connector to connector is mostly the text it begins with; the rest is one of
    a few, compiled once for all.
    """

    start: str
    """Literal, and in small letters where case does not count."""

    rest: re.Pattern[str]
    ignore_case: bool

    def starts(self, text: str) -> bool:
        """Whether the text begins as the pattern wants it."""
        return (text.lower() if self.ignore_case else text).startswith(self.start)


@lru_cache(maxsize=4096)
def _quick(pattern: str, *, ignore_case: bool) -> _Quick | None:
    """The pattern in two parts, if it means the same there and no short text can keep it busy."""
    literal = _LITERAL_START.match(pattern)
    end = literal.end() if literal else 0
    rest = _quick_rest(pattern[end:], ignore_case=ignore_case)
    if rest is None:
        return None
    start = pattern[:end].replace("[.]", ".").replace("\\.", ".")
    return _Quick(start.lower() if ignore_case else start, rest, ignore_case)


@lru_cache(maxsize=1024)
def _quick_rest(pattern: str, *, ignore_case: bool) -> re.Pattern[str] | None:
    if not _PLAIN_PATTERN.fullmatch(pattern) or len(_REPEATED.findall(pattern)) > _MOST_REPEATED:
        return None
    try:
        return re.compile(pattern, re.ASCII | (re.IGNORECASE if ignore_case else re.NOFLAG))
    except (re.error, RecursionError):
        return None


def _is_short(text: str) -> bool:
    # What a dot does not match differs between the engines, but is never printable; and small
    # letters beyond ASCII may be those of another alphabet's capitals.
    return len(text) <= _SHORT_TEXT and text.isascii() and text.isprintable()


def _limited(method: str, pattern: regex.Pattern[str], text: str) -> regex.Match[str] | None:
    patience = _patience(pattern)
    if not patience.attempts:
        raise CannotTell(_TOO_LONG)
    try:
        found = getattr(pattern, method)(text, timeout=SECONDS_PER_MATCH)
    except TimeoutError as too_long:
        patience.attempts -= 1
        raise CannotTell(_TOO_LONG) from too_long
    patience.attempts = ATTEMPTS
    return found


class _Patience(Struct):
    """How often in a row a pattern may still be stopped before it is not tried any more."""

    attempts: int = ATTEMPTS


@lru_cache(maxsize=4096)
def _patience(_pattern: regex.Pattern[str]) -> _Patience:
    return _Patience()
