"""Debezium's TimescaleDb: chunks of a hypertable go to the hypertable's topic."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform, Unpredictable

_REASON = Unpredictable("which hypertable a chunk belongs to stands in the database")


def topic_prefix(options: Options) -> str:
    """What the topics of hypertables begin with."""
    return options.settings.text("target.topic.prefix", "timescaledb")


def _topic(_options: Options, _topic: str) -> Unpredictable:
    return _REASON


def _undo(_options: Options, _topic: str, _words: tuple[str, ...]) -> Unpredictable:
    return _REASON


TRANSFORM = Transform(
    name="TimescaleDb",
    classes=("io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb",),
    reads=("target.topic.prefix",),
    topic=_topic,
    undo_topic=_undo,
)
