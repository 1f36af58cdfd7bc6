"""From the syntax of ``java.util.regex`` to that of the ``regex`` module."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": r"\x00-\x7f",
    "Alpha": "A-Za-z",
    "Digit": "0-9",
    "Alnum": "A-Za-z0-9",
    "Punct": r"!-/:-@\[-`{-~",
    "Graph": "!-~",
    "Print": r"\x20-~",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1f\x7f",
    "XDigit": "0-9A-Fa-f",
    "Space": r" \t\n\x0b\f\r",
}
_JAVA_CLASSES = {
    "javaLowerCase": r"\p{Ll}",
    "javaUpperCase": r"\p{Lu}",
    "javaLetter": r"\p{L}",
    "javaDigit": r"\p{Nd}",
    "javaLetterOrDigit": r"[\p{L}\p{Nd}]",
    "javaWhitespace": r"\s",
}
_TOKEN = re.compile(
    r"""\\Q(?P<quoted>.*?)(?:\\E|$)
      | \\[pP]\{(?P<property>[^}]*)\}
      | \\x\{(?P<hex>[0-9A-Fa-f]+)\}
      | \\0(?P<octal>[0-3]?[0-7]{1,2})
      | \\k<(?P<named>[A-Za-z][A-Za-z0-9]*)>
      | \\(?P<escape>.)
      | \(\?(?P<flags>[idmsuxU]*(?:-[idmsuxU]+)?)(?P<flag_end>[:)])
      | (?P<doubled>--|~~)
    """,
    re.DOTALL | re.VERBOSE,
)
_ESCAPES = {
    "h": r"[ \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]",
    "e": r"\x1b",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
}


def to_python(pattern: str) -> str:
    r"""The same pattern for ``regex.compile(..., V1 | ASCII)``.

    >>> to_python(r"\Qa.b\E(?<x>.*)")
    'a\\.b(?<x>.*)'
    """
    return _TOKEN.sub(_translate, pattern)


def _translate(token: re.Match[str]) -> str:
    kind = token.lastgroup or ""
    return _TRANSLATIONS[kind](token, token[kind])


def _property(name: str, *, negated: bool) -> str:
    if name in _POSIX:
        return f"[{'^' if negated else ''}{_POSIX[name]}]"
    if name in _JAVA_CLASSES:
        return f"[^{_JAVA_CLASSES[name]}]" if negated else _JAVA_CLASSES[name]
    return rf"\{'P' if negated else 'p'}{{{name}}}"


def _code_point(number: int) -> str:
    try:
        return re.escape(chr(number))
    except (ValueError, OverflowError) as refused:
        raise CannotTell("a regular expression is not valid") from refused


def _flags(flags: str, end: str) -> str:
    # UNIX_LINES and UNICODE_CASE make no difference to names; the others mean the same here.
    on, dash, off = (part.translate({ord(c): None for c in "du"}) for part in flags.partition("-"))
    on, off = on.replace("U", "u"), off.replace("U", "")
    kept = on + (dash + off if off else "")
    if end == ":":
        return f"(?{kept}:"
    return f"(?{kept})" if kept else ""


_TRANSLATIONS: Mapping[str, Callable[[re.Match[str], str], str]] = {
    "quoted": lambda _, text: re.escape(text),
    "property": lambda token, text: _property(text, negated=token[0][1] == "P"),
    "hex": lambda _, text: _code_point(int(text, 16)),
    "octal": lambda _, text: _code_point(int(text, 8)),
    "named": lambda _, text: f"(?P={text})",
    "escape": lambda token, text: _ESCAPES.get(text, token[0]),
    "flag_end": lambda token, text: _flags(token["flags"], text),
    # The regex module reads these as set operations; in Java they are plain characters.
    "doubled": lambda _, text: "".join("\\" + character for character in text),
}
