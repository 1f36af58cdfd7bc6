"""From the syntax of ``java.util.regex`` to that of the ``regex`` module.

What Java refuses is refused here: the ``regex`` module understands much that Java does not, and
would answer where a Connect worker fails.
"""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.watch.transforms.java_properties import character_class

_TOKEN = re.compile(
    r"""\\Q(?P<quoted>.*?)(?:\\E|$)
      | \\[pP](?:\{(?P<property>[^}]*)\}|(?P<short_property>[A-Z]))
      | \\x(?:\{(?P<hex>[0-9A-Fa-f]+)\}|(?P<short_hex>[0-9A-Fa-f]{2}))
      | \\u(?P<unicode>[0-9A-Fa-f]{4})
      | \\0(?P<octal>[0-3]?[0-7]{1,2})
      | \\c(?P<control>.)
      | \\k<(?P<named>[A-Za-z][A-Za-z0-9]*)>
      | \\(?P<number>[1-9][0-9]*)
      | \\(?P<escape>.)
      | (?P<set_open>\[\^?\]?)
      | (?P<set_close>\])
      | \(\?(?P<flags>[idmsuxU]*(?:-[idmsuxU]+)?)(?P<flag_end>[:)])
      | \(\?<(?P<group>[A-Za-z][A-Za-z0-9]*)>
      | (?P<look>\(\?(?:[=!>]|<[=!]))
      | (?P<plain_group>\((?![?*]))
      | (?P<odd_group>\()
      | (?P<times>\{[0-9]+(?:,[0-9]*)?\})
      | (?P<brace>\{)
      | (?P<doubled>--|~~|\|\|)
      | (?P<range_to_class>[^\\\[\]]-(?=\\[dDhHsSvVwWpP]))
    """,
    re.DOTALL | re.VERBOSE,
)
_HORIZONTAL = r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
_VERTICAL = r"\n\x0b\f\r\x85\u2028\u2029"
_ESCAPES = {
    "h": f"[{_HORIZONTAL}]",
    "H": f"[^{_HORIZONTAL}]",
    "v": f"[{_VERTICAL}]",
    "V": f"[^{_VERTICAL}]",
    "e": r"\x1b",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
}
_SAME_ESCAPES = frozenset("tnrfadDsSwWbBAGRX")
_NEVER = "(?!)"
_COMMENTS = re.compile(r"\(\?[a-zA-Z]*x")
_BLANK_IN_A_SET = re.compile(r"\[[^\]]*[\s#]")


def to_python(pattern: str) -> str:
    r"""The same pattern for ``regex.compile(..., V1 | ASCII)``.

    >>> to_python(r"\Qa.b\E(?<x>.*)")
    'a\\.b(?<x>.*)'
    """
    if _BLANK_IN_A_SET.search(pattern) and _COMMENTS.search(pattern):
        raise CannotTell("a regular expression has a blank in a set, which Java passes over")
    return _Translation(pattern).text()


class _Translation:
    """One pattern on its way, with what the meaning of later parts depends on."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._sets_open = 0
        self._groups = 0
        self._names: set[str] = set()

    def text(self) -> str:
        """The translated pattern."""
        pieces: list[str | int] = []
        position = 0
        for token in _TOKEN.finditer(self._pattern):
            pieces += [self._pattern[position : token.start()], *self._translated(token)]
            position = token.end()
        pieces.append(self._pattern[position:])
        return "".join(piece if isinstance(piece, str) else self._group(piece) for piece in pieces)

    def _group(self, number: int) -> str:
        # A group that is nowhere in the pattern never holds anything, so Java never matches it.
        return rf"\g<{number}>" if number <= self._groups else _NEVER

    def _translated(self, token: re.Match[str]) -> tuple[str | int, ...]:
        kind = token.lastgroup or ""
        text = token[kind]
        match kind:
            case "set_open" | "set_close":
                return (self._set(kind, text, token.end()),)
            case "number":
                return self._reference(text)
            case "group" | "plain_group" | "look" | "flag_end" | "odd_group" | "times" | "brace":
                # In a set these are plain characters.
                return (token[0] if self._sets_open else self._outside(kind, token),)
            case "doubled" | "range_to_class":
                return (self._in_set(kind, text) if self._sets_open else text,)
            case _:
                return (_character(kind, text, negated=token[0].startswith(r"\P")),)

    def _set(self, kind: str, text: str, end: int) -> str:
        if kind == "set_close":
            self._sets_open = max(0, self._sets_open - 1)
            return text
        self._sets_open += 1
        if self._pattern.startswith("&&", end):
            # Nothing on one side of "&&" means nothing in some Javas and everything in others.
            raise _refused()
        # "[:" in a set would begin one of the POSIX classes, which Java does not have.
        posix = self._sets_open > 1 and self._pattern.startswith(":", end)
        return f"{text}\\" if posix else text

    def _in_set(self, kind: str, text: str) -> str:
        if kind == "range_to_class" or text == "--":
            raise _refused()
        return "".join("\\" + character for character in text)

    def _reference(self, digits: str) -> tuple[str | int, ...]:
        # Java takes a further digit only while that names a group that was opened before.
        length = 1
        while length < len(digits) and int(digits[: length + 1]) <= self._groups:
            length += 1
        return int(digits[:length]), digits[length:]

    def _outside(self, kind: str, token: re.Match[str]) -> str:
        match kind:
            case "odd_group" | "brace":
                raise _refused()
            case "flag_end":
                return _flags(token["flags"], token["flag_end"])
            case "group" | "plain_group":
                self._groups += 1
                self._remember(token["group"])
                return token[0]
            case _:
                return token[0]

    def _remember(self, name: str | None) -> None:
        if name in self._names:
            raise _refused()
        if name:
            self._names.add(name)


def _character(kind: str, text: str, *, negated: bool) -> str:
    match kind:
        case "quoted":
            return re.escape(text)
        case "property" | "short_property":
            return character_class(text, negated=negated)
        case "named":
            return rf"\g<{text}>"
        case "escape":
            return _escape(text)
        case "control":
            return _code_point(ord(text) ^ 64)
        case _:
            return _code_point(int(text, 8 if kind == "octal" else 16))


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isascii() and character.isalnum() and character not in _SAME_ESCAPES:
        raise _refused()
    return f"\\{character}"


def _code_point(number: int) -> str:
    try:
        return re.escape(chr(number))
    except (ValueError, OverflowError) as refused:
        raise _refused() from refused


def _flags(flags: str, end: str) -> str:
    # UNIX_LINES and what concerns letters beyond ASCII are left to the caller.
    on, dash, off = (part.translate({ord(c): None for c in "duU"}) for part in flags.partition("-"))
    kept = on + (dash + off if off else "")
    if end == ":":
        return f"(?{kept}:"
    return f"(?{kept})" if kept else ""


def _refused() -> CannotTell:
    return CannotTell("a regular expression is not valid")
