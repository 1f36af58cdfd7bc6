"""TimestampRouter and its likes: the record's time becomes a part of the topic's name."""

from __future__ import annotations

import re

from mainstem.watch.transforms.model import Options, Transform, Unpredictable

_TOPIC = "${topic}"
_TIMESTAMP = "${timestamp}"
_DATE_TOKEN = re.compile(r"'(?P<quoted>[^']*)'|(?P<letters>([A-Za-z])\3*)|(?P<other>.)", re.DOTALL)
_DIGITS = frozenset("yYMwWDdFuHkKhmsS")
_LONGEST_NUMBER_WORD = 2


def _topic(options: Options, topic: str) -> str | Unpredictable:
    if _TIMESTAMP in _format(options):
        return Unpredictable("the topic's name holds the time of each record")
    return _format(options).replace(_TOPIC, topic)


def _undo(options: Options, topic: str, _words: tuple[str, ...]) -> tuple[str, ...] | Unpredictable:
    before, mark, after = _format(options).partition(_TOPIC)
    if not mark or _TOPIC in after:
        return Unpredictable("the topic's name is not a part of the new one")
    time = _date_pattern(options.settings.get("timestamp.format", "yyyyMMdd"))
    left, right = (re.escape(part).replace(re.escape(_TIMESTAMP), time) for part in (before, after))
    found = re.fullmatch(f"{left}(?P<topic>.+){right}", topic)
    return (found["topic"],) if found else ()


def _form(options: Options, topic: str) -> str:
    return _format(options).replace(_TOPIC, topic)


def _format(options: Options) -> str:
    # An empty format is a format too.
    return options.settings.get("topic.format", "${topic}-${timestamp}")


def _date_pattern(date_format: str) -> str:
    r"""A pattern for what Java's SimpleDateFormat writes.

    >>> _date_pattern("yyyy-MM-dd")
    '[0-9]{4}\\-[0-9]{2}\\-[0-9]{2}'
    """
    return "".join(map(_date_part, _DATE_TOKEN.finditer(date_format)))


def _date_part(token: re.Match[str]) -> str:
    letters = token["letters"]
    if letters is None:
        return re.escape(token["quoted"] or token["other"] or "'")
    if letters[0] not in _DIGITS or (letters[0] == "M" and len(letters) > _LONGEST_NUMBER_WORD):
        return r"[\w+:]+"
    return f"[0-9]{{{len(letters)}}}" if len(letters) > 1 else "[0-9]+"


TRANSFORM = Transform(
    name="TimestampRouter",
    classes=(
        "org.apache.kafka.connect.transforms.TimestampRouter",
        "io.confluent.connect.transforms.MessageTimestampRouter",
    ),
    reads=("topic.format", "timestamp.format"),
    topic=_topic,
    form=_form,
    undo_topic=_undo,
)
