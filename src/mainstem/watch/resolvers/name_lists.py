"""Include and exclude lists: regular expressions between commas, many of them plain names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.watch.transforms.java_regex import is_refused, matches

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

_MOST_NAMES = 500
_LITERAL_DOT = re.compile(r"\\\.|\[\.\]")
_BRANCHES = re.compile(r"(?:\([^()]*\)|\\.|[^|()\\])+")
_ALTERNATIVES = re.compile(r"\((?:\?:)?([^()]*)\)")
_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_PLAIN = re.compile(r"[^\\^$.|?*+()\[\]{}]*")
_SEPARATOR = re.compile(r"(?:\\.|[^,\\])+")


class NameLists(Struct, frozen=True):
    """Which names a config lets through, as Debezium and its kin read such lists."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignore_case: bool = True

    def allows(self, name: str) -> bool:
        """Whether the name is included, or where nothing is, not excluded."""
        for one in self.include or self.exclude:
            if matches(one, name, ignore_case=self.ignore_case):
                return bool(self.include)
        return not self.include

    @property
    def exact(self) -> tuple[str, ...]:
        """The names that the include list spells out."""
        return tuple(name for one in self.include for name in plain_names(one) or ())

    @property
    def complete(self) -> bool:
        """Whether the include list spells out every name it lets through."""
        return bool(self.include) and all(plain_names(one) is not None for one in self.include)


def split_patterns(text: str | None) -> tuple[str, ...]:
    r"""The regular expressions of a list; an escaped comma does not separate.

    >>> split_patterns(r"public.a, public.b\,c")
    ('public.a', 'public.b,c')
    """
    if text is None:
        return ()
    found = _SEPARATOR.findall(text)
    return tuple(one for part in found if (one := part.strip().replace("\\,", ",")))


def patterns_of(config: Settings, *keys: str) -> tuple[str, ...]:
    """The regular expressions of the first key that is set; the key is told if Java refuses one."""
    found = split_patterns(config.first(*keys))
    if any(plain_names(one) is None and is_refused(one) for one in found):
        key = next(key for key in keys if config.first(key))
        raise CannotTell(f"{key} holds a regular expression that Java refuses")
    return found


@lru_cache(maxsize=4096)
def plain_names(pattern: str) -> tuple[str, ...] | None:
    r"""The names that a pattern spells out, or None where it can match others.

    A bare dot counts as a dot: that is what people who list ``public.orders`` mean.

    >>> plain_names(r"public\.(orders|items)"), plain_names("public.iris_.*")
    (('public.orders', 'public.items'), None)
    >>> plain_names("orders|items|log.(a|b)")
    ('orders', 'items', 'log.a', 'log.b')
    """
    if _NAME.fullmatch(pattern):
        return (pattern,)
    branches = _BRANCHES.findall(pattern) if "|" in pattern else [pattern]
    if "|".join(branches) != pattern:
        return None  # an empty branch, or groups within groups
    if len(branches) > 1:
        spelt = [plain_names(branch) for branch in branches]
        return None if None in spelt else tuple(name for one in spelt for name in one or ())
    text = pattern.removeprefix("^")
    text = text[:-1] if text.endswith("$") and not text.endswith("\\$") else text
    text = _LITERAL_DOT.sub(".", text).replace("\\$", "\0")
    choices: list[list[str]] = []
    for index, part in enumerate(_ALTERNATIVES.split(text)):
        options = part.split("|") if index % 2 else [part]
        if not all(_PLAIN.fullmatch(_without_single_dots(option)) for option in options):
            return None
        choices.append(options)
    spelt_out = islice(product(*choices), _MOST_NAMES + 1)
    names = tuple("".join(parts).replace("\0", "$") for parts in spelt_out)
    return names if len(names) <= _MOST_NAMES else None


def _without_single_dots(text: str) -> str:
    return re.sub(r"(?<!\.)\.(?![.*+?{])", "", text)
