r"""The classes of characters that ``\p{...}`` names in Java."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell

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
_NAMED = {
    "javaLowerCase": r"\p{Ll}",
    "javaUpperCase": r"\p{Lu}",
    "javaLetter": r"\p{L}",
    "javaDigit": r"\p{Nd}",
    "javaLetterOrDigit": r"\p{L}\p{Nd}",
    "javaWhitespace": r"\s",
    "IsAlphabetic": r"\p{Alphabetic}",
    "IsLetter": r"\p{L}",
    "IsLowercase": r"\p{Lowercase}",
    "IsUppercase": r"\p{Uppercase}",
    "IsDigit": r"\p{Nd}",
    "IsPunctuation": r"\p{P}",
    "IsWhite_Space": r"\p{White_Space}",
}
_CATEGORY = re.compile(
    r"(?:Is|gc=|general_category=)?(L[ultmo]?|M[nec]?|N[dlo]?|Z[slp]?|C[cfosn]?|P[dsecoif]?|S[mcko]?)"
)
_SCRIPT = re.compile(r"(?:Is|script=|sc=)([A-Z][a-z]+(?:_[A-Z][a-z]+)*)")


def character_class(name: str, *, negated: bool) -> str:
    r"""The set for the ``regex`` module; a name that Java does not know raises ``CannotTell``.

    >>> character_class("XDigit", negated=True), character_class("IsLu", negated=False)
    ('[^0-9A-Fa-f]', '[\\p{Lu}]')
    """
    return f"[{'^' if negated else ''}{_content(name)}]"


def _content(name: str) -> str:
    known = _POSIX.get(name) or _NAMED.get(name)
    if known:
        return known
    if category := _CATEGORY.fullmatch(name):
        return rf"\p{{{category[1]}}}"
    if script := _SCRIPT.fullmatch(name):
        return rf"\p{{Script={script[1]}}}"
    raise CannotTell("a regular expression names a class of characters that is not known")
