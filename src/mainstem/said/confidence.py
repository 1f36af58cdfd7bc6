"""How sure an edge is, in one word: the one rule for the page, its exports and machines.

| how it is known | how sure that is |
|---|---|
| ``seen``: a watcher saw it at run time | certain |
| ``reported`` by a run of the job itself | certain |
| ``reported`` of a job that never ran: somebody described it | declared |
| ``declared``: somebody said so to a watcher | declared |
| ``config``: it follows from a configuration, and nobody saw it happen | likely |
| anything else | unknown |
"""

from __future__ import annotations

from enum import StrEnum

REPORTED = "reported"
"""The evidence of what a producer tells without saying how it knows."""

UNTOLD = "unknown"
"""The evidence of what a watcher leaves out where it tells how it knows other edges of the job."""


class Confidence(StrEnum):
    """How sure an edge is, the surest first."""

    CERTAIN = "certain"
    DECLARED = "declared"
    LIKELY = "likely"
    UNKNOWN = "unknown"

    @property
    def doubt(self) -> int:
        """Nought for the surest, more for each that is less so."""
        return _DOUBTS[self]


_ORDER = tuple(Confidence)
_DOUBTS = {each: doubt for doubt, each in enumerate(_ORDER)}


def confidence_of(evidence: str, *, ran: bool) -> Confidence:
    """How sure an edge is, by how it is known and whether a run of its job told it.

    >>> str(confidence_of("config", ran=True)), str(confidence_of("reported", ran=True))
    ('likely', 'certain')
    """
    match evidence:
        case "seen":
            return Confidence.CERTAIN
        case "declared":
            return Confidence.DECLARED
        case "config":
            return Confidence.LIKELY
        case "reported":
            return Confidence.CERTAIN if ran else Confidence.DECLARED
        case _:
            return Confidence.UNKNOWN


def least_sure(doubt: int) -> Confidence:
    """The word for so much doubt."""
    return _ORDER[doubt]
