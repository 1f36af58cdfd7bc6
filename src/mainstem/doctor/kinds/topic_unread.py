"""Topics that are written and that nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.namespaces import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "topic-unread"
_SHOWN = 3


def find(view: View) -> Iterator[Finding]:
    """One finding per cluster: who reads a topic may well be nobody of ours."""
    if not view.picture.is_whole:
        return
    for namespace, places in sorted(view.in_namespace.items()):
        unread = [
            place
            for place in places
            if view.is_moving(view.datasets[place])
            and view.writers(place)
            and not view.readers(place)
            and place not in view.explained
        ]
        if unread:
            names = sorted(view.datasets[place].name.name for place in unread)
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            yield Finding(
                KIND,
                Severity.INFO,
                Confidence.CERTAIN,
                f"{', '.join(names[:_SHOWN])}{more} of {namespace}: written, and nothing is known "
                "to read it",
                "Either nobody needs it, or its consumer is not instrumented and the graph ends "
                "too early.",
                tuple(view.node(place) for place in unread[:MOST_NODES]),
            )
