"""Whether the graph seems to be cut between two datasets, by who reads and who writes them."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.doctor.view import View


class Seam(IntEnum):
    """How two datasets fit together, the more telling the greater."""

    NONE = 0
    """Each is whole, or both lack the same."""

    LOOSE = 1
    """One is written and read by nobody, the other whole; leaves are common: it may be nothing."""

    CUT = 2
    """One is read and written by nobody, the other written: data comes from somewhere."""

    FITS = 3
    """One is only written, the other only read: two halves."""


def seam(view: View, one: int, other: int) -> Seam:
    """How two datasets fit together."""
    first = bool(view.writers(one)), bool(view.readers(one))
    second = bool(view.writers(other)), bool(view.readers(other))
    return max(_SEAMS.get((first, second), Seam.NONE), _SEAMS.get((second, first), Seam.NONE))


_WRITTEN, _READ, _WHOLE = (True, False), (False, True), (True, True)
_SEAMS = {
    (_WRITTEN, _READ): Seam.FITS,
    (_READ, _WHOLE): Seam.CUT,
    (_WRITTEN, _WHOLE): Seam.LOOSE,
}
