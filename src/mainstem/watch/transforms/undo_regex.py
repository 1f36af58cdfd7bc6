"""The names a topic may have had before a regular expression renamed it."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.transforms.java_regex import compiled, parse_replacement, replace_first
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CANDIDATES = 256
_NOT_CAPTURING = -1
# The whole name matches, but what is replaced is the first match, which may end before it.
_MAY_STOP_EARLY = re.compile(r"[*+?{|]")
_REACHES_THE_END = re.compile(r"[^|]*(?:\.[*+]\+?\)?|\$|\\[zZ])")
_MOST_READINGS = 4096
_REST = "rest of the name"
_AT_MOST_ONCE = re.compile(r"(?:\?|\{(?:[01],)?1\})[+?]?")


class Group(Struct, frozen=True):
    """A capturing group of a pattern, and what is in it."""

    number: int
    name: str | None
    inside: tuple[Piece, ...] | None


Piece = str | Group | None
"""A literal, a group, or None for something that matches more than one text."""

_TOKEN = re.compile(
    r"""\\Q(?P<quoted>.*?)(?:\\E|$)
      | \\(?P<escaped>[^A-Za-z0-9])
      | (?P<any>\\.|\.)
      | \[(?P<single>[^\\\]^\[])\]
      | (?P<set>\[(?:\\.|[^\]\\])*\])
      | (?P<anchor>[\^$])
      | (?P<flags>\(\?[a-zA-Z-]+\))
      | (?P<open>\(\?(?::|<(?P<name>[A-Za-z][A-Za-z0-9]*)>)|\((?!\?))
      | (?P<odd>\(\?)
      | (?P<close>\))
      | (?P<repeat>(?:[*+?]|\{[0-9,]+\})[+?]?)
      | (?P<or>\|)
      | (?P<literal>.)
    """,
    re.DOTALL | re.VERBOSE,
)


def undo(
    pattern: str, replacement: str, topic: str, words: tuple[str, ...] = ()
) -> tuple[str, ...] | Unpredictable:
    r"""Candidates for the name before ``replaceFirst``; the caller keeps those that lead back.

    >>> undo(r"(.*)\.(.*)", "$1_$2", "shop_orders")
    ('shop.orders', 'shop_orders')
    """
    template = [*parse_replacement(replacement, compiled(pattern, ignore_case=False))]
    if _MAY_STOP_EARLY.search(pattern) and not _REACHES_THE_END.fullmatch(pattern):
        template.append((_REST,))
    found = list(islice(_captures(template, topic, {}), _MOST_READINGS + 1))
    pieces = _parse(pattern)
    candidates: list[str] = []
    for captured in found:
        rebuilt = [captured[0]] if 0 in captured else _rebuild(pieces, captured, words)
        if rebuilt is None:
            return Unpredictable("the transform drops a part of the name that is not known")
        rest = captured.get(_REST, "")
        candidates += [one + rest for one in rebuilt if not rest or _ends_at(pattern, one, rest)]
    if len(found) > _MOST_READINGS or len(candidates) > MOST_CANDIDATES:
        return Unpredictable("too many names lead to this one")
    return tuple(dict.fromkeys([*candidates, topic]))


def _ends_at(pattern: str, matched: str, rest: str) -> bool:
    """Whether the first match in the name ends where the rest begins."""
    return replace_first(pattern, "", matched + rest) == rest


def _captures(
    template: list[str | tuple[int] | tuple[str]], text: str, known: dict[int | str, str]
) -> Iterator[dict[int | str, str]]:
    """Every way to read the text as the template, as what each group must have held."""
    if not template:
        if not text:
            yield known
        return
    piece, rest = template[0], template[1:]
    fixed = piece if isinstance(piece, str) else known.get(piece[0])
    if fixed is not None:
        if text.startswith(fixed):
            yield from _captures(rest, text[len(fixed) :], known)
        return
    group = piece[0]
    for end in range(len(text), -1, -1) if rest else [len(text)]:
        yield from _captures(rest, text[end:], {**known, group: text[:end]})


def _rebuild(
    pieces: tuple[Piece, ...] | None, captured: dict[int | str, str], words: tuple[str, ...]
) -> list[str] | None:
    """The texts the pattern matched, if each part is literal, captured, or a known word."""
    if pieces is None:
        return None
    choices: list[list[str]] = []
    for piece in pieces:
        choice = _choice(piece, captured, words)
        if choice is None:
            return None
        choices.append(choice)
    return ["".join(parts) for parts in islice(product(*choices), MOST_CANDIDATES)]


def _choice(
    piece: Piece, captured: dict[int | str, str], words: tuple[str, ...]
) -> list[str] | None:
    if isinstance(piece, str):
        return [piece]
    if piece is not None:
        held = captured.get(piece.number, captured.get(piece.name or ""))
        if held is not None:
            return [held]
        if piece.inside is not None and (inside := _rebuild(piece.inside, captured, words)):
            return inside
    return list(words) or None


class _Parser:
    """Reads a pattern into pieces, numbering its groups as Java does."""

    def __init__(self, pattern: str) -> None:
        self._tokens = iter(_TOKEN.finditer(pattern))
        self._groups = 0
        self.understood = True

    def sequence(self) -> tuple[Piece, ...] | None:
        """The pieces up to the end of the group; None where they are no sequence, as ``a|b``."""
        pieces: list[Piece] = []
        in_sequence = True
        for token in self._tokens:
            kind = "open" if token["open"] else token.lastgroup or ""
            if kind == "close":
                break
            if kind == "or":
                in_sequence = False
            elif kind == "repeat":
                pieces[-1:] = [_repeated(pieces[-1:], token["repeat"])]
            else:
                pieces.extend(self._piece(kind, token))
        return tuple(pieces) if in_sequence else None

    def _piece(self, kind: str, token: re.Match[str]) -> list[Piece]:
        match kind:
            case "quoted" | "escaped" | "single" | "literal":
                return [token[kind]]
            case "any" | "set":
                return [None]
            case "open":
                return [self._group(token)]
            case "odd":
                self.understood = False
                return []
            case _:
                return []

    def _group(self, token: re.Match[str]) -> Group:
        if token["open"] == "(?:":
            return Group(_NOT_CAPTURING, None, self.sequence())
        self._groups += 1
        return Group(self._groups, token["name"], self.sequence())


def _parse(pattern: str) -> tuple[Piece, ...] | None:
    parser = _Parser(pattern)
    pieces = parser.sequence()
    return pieces if parser.understood else None


def _repeated(last: list[Piece], times: str) -> Piece:
    # A group that matched more than once holds only what it matched last.
    piece = last[0] if last and _AT_MOST_ONCE.fullmatch(times) else None
    return Group(piece.number, piece.name, None) if isinstance(piece, Group) else None
