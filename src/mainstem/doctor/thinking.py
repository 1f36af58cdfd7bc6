"""From a picture to findings: every kind in one tuple, the more telling before the lesser."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from mainstem.doctor.estate import read_estate
from mainstem.doctor.finding import counts, plain, worst_first
from mainstem.doctor.kinds import topic_unwritten
from mainstem.doctor.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.picture import Picture


class Kind(NamedTuple):
    """One kind of finding."""

    name: str
    find: Callable[[View], Iterator[Finding]]


KINDS = (Kind(topic_unwritten.KIND, topic_unwritten.find),)


def findings_in(picture: Picture) -> list[Finding]:
    """Everything that is wrong with an estate, the worst first."""
    view = View(picture)
    return worst_first(finding for kind in KINDS for finding in kind.find(view))


def judge(estate: bytes) -> bytes:
    """From what a backend's ``/api/v2/estate`` answers to what its ``/api/v2/findings`` does."""
    picture = read_estate(estate)
    return orjson.dumps(report(findings_in(picture), picture.made_at))


def report(found: list[Finding], made_at: datetime) -> dict[str, object]:
    """Findings as plain values, in the shape that the backend's API states."""
    return {
        "findings": [plain(one) for one in found],
        "counts": counts(found),
        "madeAt": made_at.isoformat().replace("+00:00", "Z"),
    }
