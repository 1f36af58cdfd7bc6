"""From a picture to findings: every kind in one tuple, the more telling before the lesser."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import orjson

from mainstem.doctor.estate import read_estate
from mainstem.doctor.finding import Confidence, counts, plain, worst_first
from mainstem.doctor.kinds import (
    column_broken,
    columns_missing,
    connector_unresolved,
    heartbeat_missing,
    iceberg_name,
    kafka_address,
    kafka_cluster_id,
    kafka_listeners,
    kafka_unknown,
    left_out_part,
    letter_case,
    location_spelling,
    near_name,
    run_never_ends,
    server_loopback,
    sink_unread,
    topic_unread,
    topic_unwritten,
    two_writers,
)
from mainstem.doctor.view import View
from mainstem.names.identity import Aliases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.picture import Picture
    from mainstem.names.identity import NamespaceAlias


class Kind(NamedTuple):
    """One kind of finding."""

    name: str
    find: Callable[[View], Iterator[Finding]]
    joins: bool = False
    """Whether it says that two names are one thing."""


KINDS = (
    Kind(kafka_cluster_id.KIND, kafka_cluster_id.find, joins=True),
    Kind(kafka_address.KIND, kafka_address.find, joins=True),
    Kind(server_loopback.KIND, server_loopback.find, joins=True),
    Kind(kafka_listeners.KIND, kafka_listeners.find, joins=True),
    Kind(kafka_unknown.KIND, kafka_unknown.find, joins=True),
    Kind(location_spelling.KIND, location_spelling.find, joins=True),
    Kind(iceberg_name.KIND, iceberg_name.find, joins=True),
    Kind(letter_case.KIND, letter_case.find, joins=True),
    Kind(left_out_part.KIND, left_out_part.find, joins=True),
    Kind(near_name.KIND, near_name.find, joins=True),
    Kind(sink_unread.KIND, sink_unread.find, joins=True),
    Kind(topic_unwritten.KIND, topic_unwritten.find),
    Kind(topic_unread.KIND, topic_unread.find),
    Kind(connector_unresolved.KIND, connector_unresolved.find),
    Kind(heartbeat_missing.KIND, heartbeat_missing.find),
    Kind(run_never_ends.KIND, run_never_ends.find),
    Kind(column_broken.KIND, column_broken.find),
    Kind(columns_missing.KIND, columns_missing.find),
    Kind(two_writers.KIND, two_writers.find),
)
"""Two names that one kind found to be one are not told again by those after it."""


def findings_in(picture: Picture) -> list[Finding]:
    """Everything that is wrong with an estate, the worst first."""
    view = View(picture)
    joined: list[Finding] = []
    for kind in KINDS:
        if kind.joins:
            joined += _new(_wanted(picture, kind.find(view)), joined)
            view.joined = Aliases(namespaces=_sure_namespaces(joined))
    view.explained = frozenset().union(*(one.covers for one in joined))
    broken = (one for kind in KINDS if not kind.joins for one in kind.find(view))
    return worst_first([*joined, *broken])


def _sure_namespaces(found: Iterable[Finding]) -> Iterator[NamespaceAlias]:
    """Namespaces that findings join with more than a possibility."""
    for one in found:
        if one.confidence is not Confidence.POSSIBLE:
            for link in (link for remedy in one.remedies for link in remedy.links):
                if link.name is None:
                    yield link.namespace, link.other_namespace


def _wanted(picture: Picture, found: Iterable[Finding]) -> Iterator[Finding]:
    """Findings that no user has said to be wrong."""
    rejected = {link.ends for link in picture.rejected}
    for one in found:
        links = {link.ends for remedy in one.remedies for link in remedy.links}
        if not links & rejected:
            yield one


def _new(found: Iterable[Finding], before: list[Finding]) -> Iterator[Finding]:
    """Findings about datasets of which no earlier one says the same."""
    spoken_of: defaultdict[int, set[int]] = defaultdict(set)
    for number, one in enumerate(before):
        for place in one.covers:
            spoken_of[place].add(number)
    for number, one in enumerate(found, len(before)):
        told = [spoken_of[place] for place in one.covers]
        if not told or not told[0].intersection(*told[1:]):
            for place in one.covers:
                spoken_of[place].add(number)
            yield one


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
