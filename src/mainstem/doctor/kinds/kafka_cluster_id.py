"""One Kafka cluster under several names, known by its id."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.namespaces import cluster_ids, one_system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "kafka-cluster-id"


def find(view: View) -> Iterator[Finding]:
    """Namespaces that have one cluster id, where somebody told or asked it."""
    known: defaultdict[str, set[str]] = defaultdict(set)
    for namespace, ids in cluster_ids(view).items():
        for one in ids:
            known[one].add(namespace)
    for cluster, namespaces in sorted(known.items()):
        if len(namespaces) > 1:
            how = f"their cluster id is {cluster}"
            yield one_system(view, KIND, sorted(namespaces), Confidence.CERTAIN, how)
