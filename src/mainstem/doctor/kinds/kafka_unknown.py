"""Topics of a Kafka cluster that their producer could not name."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.namespaces import MOST_NODES, servers
from mainstem.doctor.remedies import join_datasets, join_namespaces
from mainstem.doctor.seams import Seam, seam

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Remedy
    from mainstem.doctor.view import View

KIND = "kafka-unknown"
WHY = (
    "The name stands for no cluster, or for all whose name is not known: topics under it are cut "
    "off from those who call the cluster by its address."
)


def find(view: View) -> Iterator[Finding]:
    """Topics under ``kafka://unknown:unknown``, ``kafka://null:-1`` and their like."""
    read = {one: at for one, at in servers(view).items() if at.system == "kafka"}
    named = sorted(one for one, at in read.items() if not at.is_unknown)
    for unknown in sorted(one for one, at in read.items() if at.is_unknown):
        yield _finding(view, unknown, _counterparts(view, unknown, named))


def _counterparts(view: View, unknown: str, named: list[str]) -> dict[int, list[int]]:
    """By topic, the topics of that name in clusters whose name is known."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place in view.in_namespace[unknown]:
        topic = view.datasets[place].name.name
        for namespace in named:
            other = view.by_name.get((namespace, topic))
            if other is not None and view.datasets[other].name.namespace == namespace:
                found[place].append(other)
    return found


def _finding(view: View, unknown: str, found: dict[int, list[int]]) -> Finding:
    topics = view.in_namespace[unknown]
    clusters = {
        view.joined.in_one_namespace(view.datasets[one].name).namespace
        for others in found.values()
        for one in others
    }
    confidence, remedies = Confidence.CERTAIN, ()
    severity = Severity.WARN
    how = "which names no cluster"
    if found:
        best = max(seam(view, one, other) for one, others in found.items() for other in others)
        severity = Severity.ERROR if best > Seam.NONE else Severity.WARN
        confidence, remedies = _joined(view, unknown, found, clusters)
        how = f"which names no cluster; {', '.join(sorted(clusters))} has topics of the same names"
    counterparts = [one for others in found.values() for one in others]
    told = [*found, *counterparts] or list(topics)
    return Finding(
        KIND,
        severity,
        confidence,
        f"{_listed(view, topics)} under {unknown}, {how}",
        WHY,
        tuple(view.node(at) for at in told[:MOST_NODES]),
        remedies,
        frozenset({*topics, *counterparts}),
    )


def _joined(
    view: View, unknown: str, found: dict[int, list[int]], clusters: set[str]
) -> tuple[Confidence, tuple[Remedy, ...]]:
    if len(clusters) == 1:
        places = view.in_namespace[unknown]
        jobs = [view.jobs[job] for at in places for job in (*view.readers(at), *view.writers(at))]
        return Confidence.LIKELY, join_namespaces(next(iter(clusters)), [unknown], jobs)
    plain = {one: others[0] for one, others in found.items() if len(others) == 1}
    remedies = tuple(
        remedy
        for one, other in plain.items()
        for remedy in join_datasets(view.datasets[other].name, [view.datasets[one].name])
    )
    return Confidence.POSSIBLE, remedies


def _listed(view: View, topics: tuple[int, ...]) -> str:
    names = sorted(view.datasets[at].name.name for at in topics)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""  # noqa: PLR2004
    return ", ".join(names[:3]) + more
