"""Every name in one text, so that a word is found wherever it stands, in all names at once."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mainstem.names.dataset import DatasetName
    from mainstem.said.event import JobName
    from mainstem.serve.store.catalog import Catalog

NEW_NAMES_BEFORE_A_NEW_INDEX = 500
FEW = 1000
"""Up to so many finds, looking at each costs less than marking them all."""

_MARK = b"\0"
"""In no name: events that hold it are refused."""

_NEITHER_MARK_NOR_END = bytes(byte for byte in range(256) if byte not in b"\0\n")


class NameIndex:
    """Names in order, whatever their case; a hit is the number that a name was given with.

    >>> index = NameIndex([(1, "orders"), (2, "Old_Orders"), (3, "people")])
    >>> list(index.hits("ORD")), index.count("ord"), index.count("x")
    ([1, 2], 2, 0)
    """

    def __init__(self, named: Iterable[tuple[int, str]], few: int = FEW) -> None:
        self._few = few
        numbers: list[int] = []
        lines: list[bytes] = []
        for number, name in named:
            numbers.append(number)
            lines.append(_line(name))
        # Texts alone are sorted in half the time that pairs take.
        order = sorted(range(len(lines)), key=lines.__getitem__)
        lines = [lines[at] for at in order]
        self._numbers = array("q", [numbers[at] for at in order])
        self._starts = array("q", [0, *accumulate(len(line) + 1 for line in lines)][:-1])
        self._text = b"\n".join(lines)

    def __len__(self) -> int:
        return len(self._numbers)

    def count(self, word: str) -> int:
        """How many names hold a word."""
        sought = _line(word)
        finds = self._text.count(sought)
        if not finds:
            return 0
        if finds <= self._few:
            # Two finds in one name have no line break between them.
            return 1 + sum(b"\n" in piece for piece in self._text.split(sought)[1:-1])
        # Of each line its marks alone are left; of a line that has some, the last one ends it.
        marked = self._text.replace(sought, _MARK) + b"\n"
        return marked.translate(None, _NEITHER_MARK_NOR_END).count(_MARK + b"\n")

    def hits(self, word: str) -> Iterator[int]:
        """The numbers of the names that hold a word: those that begin with it first, by name."""
        sought = _line(word)
        first = bisect_left(range(len(self)), sought, key=self._line_at)
        after = first
        while after < len(self) and self._text.startswith(sought, self._starts[after]):
            yield self._numbers[after]
            after += 1
        at = self._text.find(sought)
        while at >= 0:
            line = bisect_right(self._starts, at) - 1
            if not first <= line < after:
                yield self._numbers[line]
            if line + 1 == len(self):
                return
            at = self._text.find(sought, self._starts[line + 1])

    def _line_at(self, line: int) -> bytes:
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self) else len(self._text)
        return self._text[start:end]


def _line(name: str) -> bytes:
    return name.lower().replace("\n", " ").encode()


class Names:
    """The names of a catalog, indexed; made again when enough new ones came."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        nothing = _Indexed(0, NameIndex(()))
        self._indexed = {True: nothing, False: nothing}

    def of(self, *, is_job: bool) -> tuple[NameIndex, NameIndex]:
        """The index of jobs' or datasets' names, and a small one of the newest."""
        names = self._catalog.job_names if is_job else self._catalog.dataset_names
        known, index = self._indexed[is_job]
        # Numbers that are given to names whose transaction fails are taken back.
        if len(names) < known or len(names) - known > NEW_NAMES_BEFORE_A_NEW_INDEX:
            known = len(names)
            index = NameIndex(_numbered(names[:known], 0))
            self._indexed[is_job] = _Indexed(known, index)
        return index, NameIndex(_numbered(names[known:], known))


class _Indexed(NamedTuple):
    """How many names an index holds; replaced whole, since any thread may search."""

    size: int
    by_name: NameIndex


def _numbered(
    names: Sequence[JobName | DatasetName | None], first: int
) -> Iterator[tuple[int, str]]:
    return ((number, name.name) for number, name in enumerate(names, first) if name is not None)
