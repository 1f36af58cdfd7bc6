"""What a single message transform answers: the topic, the fields forward, the fields backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.watch.transforms.record import Nesting, Record, Side
    from mainstem.watch.transforms.settings import Settings


class Unpredictable(Struct, frozen=True):
    """A topic's name that cannot be told from config, and why; the old name is never kept."""

    reason: str
    form: str = ""
    """What config says of the name all the same, for people: ``events.${routedByValue}``."""


class Options(Struct, frozen=True):
    """One transform's own settings, and the half of the record that it works on."""

    settings: Settings
    side: Side


def every_topic(_options: Options, _topic: str) -> bool:
    """True: most transforms treat the records of all topics alike."""
    return True


def keeps_topic(_options: Options, topic: str) -> str | Unpredictable:
    """The topic as it is."""
    return topic


def came_from_itself(
    _options: Options, topic: str, _words: tuple[str, ...]
) -> tuple[str, ...] | Unpredictable:
    """The topic as it was."""
    return (topic,)


def keeps_fields(_options: Options, record: Record) -> Record:
    """The record as it is."""
    return record


def keeps_nesting(_options: Options, nesting: Nesting) -> Nesting | None:
    """The same: the transform leaves what holds fields, and what it is called."""
    return nesting


class Transform(Struct, frozen=True):
    """A kind of transform: one file, one ``TRANSFORM = Transform(...)``."""

    name: str
    classes: tuple[str, ...]
    """Every class it is known under, without ``$Key`` and ``$Value``."""

    reads: tuple[str, ...] = ()
    """The options it needs, without ``transforms.<alias>.``."""

    applies_to: Callable[[Options, str], bool] = every_topic
    """Whether it does anything at all to the records of a topic, by its own options."""

    takes_outbox_alone: bool = False
    """Whether it is for the rows of an outbox table; heartbeats and the like it leaves alone."""

    topic: Callable[[Options, str], str | Unpredictable] = keeps_topic
    """The topic's name after it."""

    form: Callable[[Options, str], str] | None = None
    """What config says of the name after it, for people, where the name cannot be told.

    The second argument is the topic's name before it, or ``${topic}``.
    """

    undo_topic: Callable[[Options, str, tuple[str, ...]], tuple[str, ...] | Unpredictable] = (
        came_from_itself
    )
    """The names a topic may have had before it; every answer is checked by ``topic``.

    The third argument are the words that a part which the transform drops can be, if all are known.
    """

    forward: Callable[[Options, Record], Record] = keeps_fields
    """The record after it; each field keeps where it came from."""

    backward: Callable[[Options, Record], Record] = keeps_fields
    """The record before it, of which it made the one given; what it inserted is gone."""

    nesting: Callable[[Options, Nesting], Nesting | None] | None = None
    """What holds fields after it; nothing said is as before, if it touches no field at all."""

    drops: Callable[[Options], tuple[str, ...]] | None = None
    """For one that drops records: the parts of a record that it decides by, beside its predicate.

    Without any it drops every record that its predicate lets it have.
    """

    def nesting_after(self, options: Options, nesting: Nesting) -> Nesting | None:
        """What holds fields behind it, from what held them before."""
        if self.nesting is not None:
            return self.nesting(options, nesting)
        return nesting if self.forward is keeps_fields else None
