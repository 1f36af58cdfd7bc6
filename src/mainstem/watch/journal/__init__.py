"""What the watcher remembers: open runs, in one transaction with the outbox."""

from mainstem.watch.journal.journal import Change, Journal, LookOutcome
from mainstem.watch.journal.reader import ClusterRow, ConnectorRow, read_clusters, read_connectors
from mainstem.watch.journal.seen_topics import SeenTopics

__all__ = [
    "Change",
    "ClusterRow",
    "ConnectorRow",
    "Journal",
    "LookOutcome",
    "SeenTopics",
    "read_clusters",
    "read_connectors",
]
