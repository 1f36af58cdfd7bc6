"""RegexRouter and its likes: a topic renamed by a regular expression over its whole name."""

from __future__ import annotations

from mainstem.watch.transforms.java_regex import matches, replace_first
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.undo_regex import undo


def renamed(pattern: str, replacement: str, topic: str) -> str:
    r"""The topic's name after the router: only a whole match is renamed.

    >>> renamed(r"srv\\.", "p.", "srv.t"), renamed("(.*)", "x-$1", "orders")
    ('srv.t', 'x-orders')
    """
    return replace_first(pattern, replacement, topic) if matches(pattern, topic) else topic


def _topic(options: Options, topic: str) -> str:
    settings = options.settings
    return renamed(settings.required("regex"), _replacement(options), topic)


def _undo(options: Options, topic: str, words: tuple[str, ...]) -> tuple[str, ...] | Unpredictable:
    return undo(options.settings.required("regex"), _replacement(options), topic, words)


def _form(options: Options, topic: str) -> str:
    return form(options.settings.required("regex"), _replacement(options), topic)


def form(pattern: str, replacement: str, topic: str) -> str:
    """What is known of the new name while the old one is not."""
    return f"{replacement} where {pattern} matches, or {topic}"


def _replacement(options: Options) -> str:
    # An empty replacement is allowed and means something, so it is not "absent".
    return options.settings.get("replacement", "")


TRANSFORM = Transform(
    name="RegexRouter",
    classes=(
        "org.apache.kafka.connect.transforms.RegexRouter",
        "io.confluent.connect.cloud.transforms.TopicRegexRouter",
    ),
    reads=("regex", "replacement"),
    topic=_topic,
    form=_form,
    undo_topic=_undo,
)
