"""A topic that is read and that nobody writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.namespaces import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "topic-unwritten"
MOST_ALONE = 10
"""Of more in one cluster, one finding tells all: its producers are not instrumented at all."""

_SHOWN = 10
WHY = (
    "The graph begins here although data comes from somewhere: its producer is not instrumented, "
    "or it calls the topic by another name."
)


def find(view: View) -> Iterator[Finding]:
    """Topics with readers and no writer."""
    if not view.picture.is_whole:
        return
    for namespace, places in sorted(view.in_namespace.items()):
        unwritten = [place for place in places if _is_unwritten(view, place)]
        if len(unwritten) > MOST_ALONE:
            nodes = tuple(map(view.node, unwritten[:MOST_NODES]))
            what = f"{len(unwritten)} topics of {namespace} are read, and nothing is known to write"
            yield Finding(KIND, Severity.WARN, Confidence.CERTAIN, f"{what} them", WHY, nodes)
        else:
            yield from (_alone(view, place) for place in unwritten)


def _is_unwritten(view: View, place: int) -> bool:
    return (
        view.is_moving(view.datasets[place])
        and place not in view.explained
        and bool(view.readers(place))
        and not view.writers(place)
    )


def _alone(view: View, place: int) -> Finding:
    readers = view.readers(place)
    first = view.jobs[readers[0]].name.name
    others = f" and {len(readers) - 1} more" if len(readers) > 1 else ""
    name = view.datasets[place].name.name
    return Finding(
        KIND,
        Severity.WARN,
        Confidence.CERTAIN,
        f"{name} is read by {first}{others}, and nothing is known to write it",
        WHY,
        (view.node(place), *map(view.job_node, readers[:_SHOWN])),
    )
