"""What the watcher remembers: open runs, in one transaction with the outbox."""

from mainstem.watch.journal.journal import Change, Journal, LookOutcome
from mainstem.watch.journal.reader import ClusterRow, ConnectorRow, read_clusters, read_connectors

__all__ = [
    "Change",
    "ClusterRow",
    "ConnectorRow",
    "Journal",
    "LookOutcome",
    "read_clusters",
    "read_connectors",
]
