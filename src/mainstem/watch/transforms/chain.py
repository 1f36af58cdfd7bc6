"""A connector's transforms in their order: where a topic goes, and where it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms import TRANSFORMS
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.predicates import READS as PREDICATE_READS
from mainstem.watch.transforms.predicates import holds
from mainstem.watch.transforms.record import Record, Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.watch.transforms.settings import Settings

_BY_CLASS = {name: transform for transform in TRANSFORMS for name in transform.classes}
_CLASS_NAME = re.compile(r"[a-z][\w]*(?:\.\w+)+(?:\$\w+)?")


@dataclass(frozen=True, slots=True)
class Step:
    """One transform of a chain, under the condition that its predicate sets."""

    alias: str
    kind: str
    """The simple name of its class, for people."""

    transform: Transform | None
    """None where the class is not one we know; it may do anything."""

    options: Options
    config: Settings

    def applies(self, topic: str) -> bool | None:
        """Whether it applies to a topic's records; None where that depends on the record."""
        if self.transform and not self.transform.applies_to(self.options, topic):
            return False
        predicate = self.options.settings.first("predicate")
        if predicate is None:
            return True
        held = holds(self.config, predicate, topic)
        negate = self.options.settings.flag("negate", default=False)
        return held if held is None else held is not negate

    def topic(self, topic: str) -> str | Unpredictable:
        """The topic's name after this step."""
        try:
            return self._after(topic)
        except CannotTell as unknown:
            return Unpredictable(f"transform {self.alias}: {unknown.reason}")

    def _after(self, topic: str) -> str | Unpredictable:
        applies = self.applies(topic)
        if applies is False:
            return topic
        if self.transform is None:
            return Unpredictable(f"transform {self.alias} ({self.kind}) is not known")
        after = self.transform.topic(self.options, topic)
        if isinstance(after, Unpredictable):
            return Unpredictable(f"transform {self.alias} ({self.kind}): {after.reason}")
        if applies is None and after != topic:
            return Unpredictable(f"transform {self.alias} renames the topic of some records only")
        return after

    def undo(self, topic: str, words: tuple[str, ...]) -> tuple[str, ...] | Unpredictable:
        """The names that this step turns into the topic given."""
        if self.transform is None:
            return Unpredictable(f"transform {self.alias} ({self.kind}) is not known")
        try:
            before = self.transform.undo_topic(self.options, topic, words)
            if isinstance(before, Unpredictable):
                return before
            candidates = dict.fromkeys([*before, topic])
            return tuple(name for name in candidates if self._may_become(name, topic))
        except CannotTell as unknown:
            return Unpredictable(f"transform {self.alias}: {unknown.reason}")

    def _may_become(self, name: str, topic: str) -> bool:
        after = self._after(name)
        return isinstance(after, Unpredictable) or after == topic


@dataclass(frozen=True, slots=True)
class Route:
    """A topic's name after each step, until the end or the step that makes it unpredictable."""

    start: str
    after_steps: tuple[tuple[str, str | Unpredictable], ...] = ()

    @property
    def end(self) -> str | Unpredictable:
        """The name at the end of the chain."""
        return self.after_steps[-1][1] if self.after_steps else self.start


@dataclass(frozen=True, slots=True)
class Chain:
    """The transforms that ``transforms`` names, in its order; others are switched off."""

    steps: tuple[Step, ...] = ()

    def route(self, topic: str) -> Route:
        """Where records of a topic go."""
        passed: list[tuple[str, str | Unpredictable]] = []
        current = topic
        for step in self.steps:
            after = step.topic(current)
            passed.append((step.alias, after))
            if isinstance(after, Unpredictable):
                break
            current = after
        return Route(topic, tuple(passed))

    def undo(self, topic: str, words: tuple[str, ...] = ()) -> tuple[str, ...] | Unpredictable:
        """The names a topic may have had before the chain; none where it cannot come out of it."""
        names: tuple[str, ...] = (topic,)
        for step in reversed(self.steps):
            earlier: dict[str, None] = {}
            for name in names:
                before = step.undo(name, words)
                if isinstance(before, Unpredictable):
                    return before
                earlier.update(dict.fromkeys(before))
            names = tuple(earlier)
        return names

    def forward(self, topic: str, record: Record) -> Record:
        """A sink's record after the chain, from the one that lies in the topic."""
        return _walk(self.steps, self._names_at_steps(topic), record, lambda kind: kind.forward)

    def backward(self, topic: str, record: Record) -> Record:
        """A source's record before the chain, from the one that lies in the topic.

        ``topic`` is the name before the chain, since predicates ask for the name at their step.
        """
        names = self._names_at_steps(topic)
        steps = tuple(reversed(self.steps))
        return _walk(steps, tuple(reversed(names)), record, lambda kind: kind.backward)

    def _names_at_steps(self, topic: str) -> tuple[str | Unpredictable, ...]:
        route = self.route(topic)
        names: list[str | Unpredictable] = [topic, *(after for _, after in route.after_steps)]
        names += [names[-1]] * (len(self.steps) - len(names))
        return tuple(names[: len(self.steps)])


def chain_of(config: Settings) -> Chain:
    """The chain of a connector's config; a placeholder in it makes its step unpredictable.

    >>> from mainstem.watch.transforms.settings import Settings
    >>> chain_of(Settings({"_transforms": "off"})).steps
    ()
    """
    try:
        aliases = config.names("transforms")
    except CannotTell:
        aliases = ("transforms",)
    return Chain(tuple(_step(config, alias) for alias in aliases))


def reads() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The config keys that chains are made of: exact names, and patterns."""
    options = {name for transform in TRANSFORMS for name in transform.reads}
    options |= {"type", "predicate", "negate"}
    return ("transforms", "predicates"), (
        rf"transforms\..+\.(?:{'|'.join(map(re.escape, sorted(options)))})",
        rf"predicates\..+\.(?:{'|'.join(map(re.escape, PREDICATE_READS))})",
    )


def _step(config: Settings, alias: str) -> Step:
    settings = config.under(f"transforms.{alias}.")
    try:
        class_name = settings.text("type", "")
    except CannotTell:
        class_name = ""
    bare, _, side = class_name.partition("$")
    known = _CLASS_NAME.fullmatch(class_name)
    return Step(
        alias,
        class_name.rpartition(".")[2] if known else "no class name",
        _BY_CLASS.get(bare),
        Options(settings, Side.KEY if side == "Key" else Side.VALUE),
        config,
    )


def _walk(
    steps: tuple[Step, ...],
    names: tuple[str | Unpredictable, ...],
    record: Record,
    direction: Callable[[Transform], Callable[[Options, Record], Record]],
) -> Record:
    for step, topic in zip(steps, names, strict=True):
        after = _one_step(step, topic, record, direction)
        if after is None:
            unknown = NoSchema(f"what transform {step.alias} does to the fields is not known")
            return Record(unknown, unknown)
        record = after
    return record


def _one_step(
    step: Step,
    topic: str | Unpredictable,
    record: Record,
    direction: Callable[[Transform], Callable[[Options, Record], Record]],
) -> Record | None:
    try:
        applies = None if isinstance(topic, Unpredictable) else step.applies(topic)
        if applies is False:
            return record
        after = direction(step.transform)(step.options, record) if step.transform else None
    except CannotTell:
        return None
    if after is None or not after.is_possible or (applies is None and after != record):
        return None
    return after
