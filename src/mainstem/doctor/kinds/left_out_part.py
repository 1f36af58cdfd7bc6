"""A table whose database or schema one producer leaves out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.joining import doubted, one_dataset
from mainstem.doctor.locations import is_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "left-out-part"
Parts = tuple[str, ...]


def find(view: View) -> Iterator[Finding]:
    """Tables of one server whose names are equal but for a part that one of them lacks."""
    tables: defaultdict[tuple[str, str], dict[int, Parts]] = defaultdict(dict)
    for place, dataset in enumerate(view.datasets):
        namespace, name = dataset.name
        if not view.is_moving(dataset) and not is_files(namespace) and "/" not in name:
            parts = tuple(name.lower().split("."))
            tables[namespace, parts[-1]][place] = parts
    for named in tables.values():
        if len({len(parts) for parts in named.values()}) > 1:
            yield from _among(view, named)


def _among(view: View, named: dict[int, Parts]) -> Iterator[Finding]:
    for short, few in named.items():
        fuller = [
            (confidence, place)
            for place, many in named.items()
            if len(many) > len(few) and _is_within(few, many)
            if (confidence := doubted(view, place, short)) is not None
        ]
        # Where several would do, none is told: a wrong edge is worse than a missing one.
        if len(fuller) == 1:
            confidence, place = fuller[0]
            how = f"one of them leaves out {_left_out(few, named[place])}"
            yield one_dataset(view, KIND, (place, short), confidence, how)


def _is_within(few: Parts, many: Parts) -> bool:
    rest = iter(many)
    return all(part in rest for part in few)


def _left_out(few: Parts, many: Parts) -> str:
    rest = list(many)
    for part in few:
        rest.remove(part)
    return ".".join(rest)
