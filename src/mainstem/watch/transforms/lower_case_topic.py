"""LowerCaseTopic: the topic's name in small letters."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform, Unpredictable


def _lower(_options: Options, topic: str) -> str:
    return topic.lower()


def _undo(_options: Options, _topic: str, _words: tuple[str, ...]) -> Unpredictable:
    return Unpredictable("which letters were capitals is not known")


TRANSFORM = Transform(
    name="LowerCaseTopic",
    classes=("com.github.jcustenborder.kafka.connect.transform.common.LowerCaseTopic",),
    topic=_lower,
    undo_topic=_undo,
)
