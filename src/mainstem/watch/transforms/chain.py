"""A connector's transforms in their order: where a topic goes, and where it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms import TRANSFORMS
from mainstem.watch.transforms.either import either
from mainstem.watch.transforms.model import Options, Transform, Unpredictable, every_topic
from mainstem.watch.transforms.predicates import READS as PREDICATE_READS
from mainstem.watch.transforms.predicates import holds, looks_at
from mainstem.watch.transforms.record import Nesting, Origin, Record, Side, columns
from mainstem.watch.transforms.spelling import READS as SPELLING_READS

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

_BY_CLASS = {name: transform for transform in TRANSFORMS for name in transform.classes}
_CLASS_NAME = re.compile(r"[a-z][\w]*(?:\.\w+)+(?:\$\w+)?")


class Step(Struct, frozen=True):
    """One transform of a chain, under the condition that its predicate sets."""

    alias: str
    kind: str
    """The simple name of its class, for people."""

    transform: Transform | None
    """None where the class is not one we know; it may do anything."""

    options: Options
    config: Settings

    def applies(self, topic: str | Unpredictable) -> bool | None:
        """Whether it applies to a topic's records; None where that depends on the record.

        Where the topic's name is not known, it depends on that too.
        """
        name = None if isinstance(topic, Unpredictable) else topic
        chooses = self.transform is not None and self.transform.applies_to is not every_topic
        if self.transform and chooses and name is not None:
            if not self.transform.applies_to(self.options, name):
                return False
        elif chooses:
            return None
        predicate = self.options.settings.first("predicate")
        if predicate is None:
            return True
        held = holds(self.config, predicate, name)
        negate = self.options.settings.flag("negate", default=False)
        return held if held is None else held is not negate

    def decided_by(self, transformation: str) -> tuple[Origin, ...]:
        """The part of each record that its predicate asks for, as what decides over a field."""
        predicate = self.options.settings.first("predicate")
        part = looks_at(self.config, predicate) if predicate else None
        return (Origin(part, transformation, direct=False),) if part else ()

    @property
    def takes_outbox_alone(self) -> bool:
        """Whether it is for the rows of an outbox table."""
        return self.transform is not None and self.transform.takes_outbox_alone

    def takes_as_outbox(self, topic: str | Unpredictable) -> bool:
        """Whether it may take the records of a topic for those of an outbox table."""
        try:
            return self.takes_outbox_alone and self.applies(topic) is not False
        except CannotTell:
            return True

    def lets_nothing_pass(self, topic: str | Unpredictable) -> bool:
        """Whether it drops every record of a topic."""
        if self.transform is None or self.transform.drops is None:
            return False
        try:
            return self.applies(topic) is True and not self.transform.drops(self.options)
        except CannotTell:
            return False

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
            reason = f"transform {self.alias} ({self.kind}): {after.reason}"
            return Unpredictable(reason, self.form(topic))
        if applies is None and after != topic:
            reason = f"transform {self.alias} renames the topic of some records only"
            return Unpredictable(reason, f"{topic} or {after}")
        return after

    def form(self, topic: str) -> str:
        """What config says of the name after this step; nothing where it says nothing."""
        if self.transform is None or self.transform.form is None:
            return ""
        try:
            told = self.transform.form(self.options, topic)
            for_some = self.options.settings.first("predicate") is not None
        except CannotTell:
            return ""
        return f"{topic} or {told}" if for_some and topic not in told else told

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


class Route(Struct, frozen=True):
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
    _routes: dict[str, Route] = field(
        default_factory=dict[str, Route], init=False, compare=False, repr=False
    )

    def route(self, topic: str) -> Route:
        """Where records of a topic go."""
        known = self._routes.get(topic)
        if known is None:
            known = self._routes[topic] = self._route(topic) if self.steps else Route(topic)
        return known

    def _route(self, topic: str) -> Route:
        passed: list[tuple[str, str | Unpredictable]] = []
        current = topic
        for step in self.steps:
            after = step.topic(current)
            passed.append((step.alias, after))
            if isinstance(after, Unpredictable):
                break
            current = after
        return Route(topic, tuple(passed))

    def end_of_own(self, topic: str) -> str | Unpredictable:
        """Where the connector's own records go, such as heartbeats, which are no table's rows."""
        if not any(step.takes_outbox_alone for step in self.steps):
            return self.route(topic).end
        others = tuple(step for step in self.steps if not step.takes_outbox_alone)
        return Chain(others).route(topic).end

    def takes_as_outbox(self, topic: str) -> bool:
        """Whether a step may take the records of a topic for those of an outbox table."""
        steps = zip(self.steps, self._names_at_steps(topic), strict=True)
        return any(step.takes_as_outbox(name) for step, name in steps)

    def dead_end(self, topic: str) -> Step | None:
        """The step that lets no record of a topic pass, if there is one."""
        steps = zip(self.steps, self._names_at_steps(topic), strict=True)
        return next((step for step, name in steps if step.lets_nothing_pass(name)), None)

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
        filters: dict[Origin, None] = {}
        for step, name in zip(self.steps, self._names_at_steps(topic), strict=True):
            try:
                filters.update(dict.fromkeys(_filters(step, name)))
                record = _forward(step, name, record)
            except CannotTell as unknown:
                return _hidden(step, unknown)
        return replace(record, filters=tuple(filters)) if filters else record

    def backward(
        self, topic: str | Unpredictable, record: Record, nesting: Nesting | None = None
    ) -> Record:
        """A source's record before the chain, from the one that lies in the topic.

        ``topic`` is the name before the chain, since predicates ask for the name at their step;
        ``nesting`` what is known of the value there.
        """
        names = self._names_at_steps(topic)
        known = self._nesting_at_steps(names, nesting)
        filters: dict[Origin, None] = {}
        for step, name, nested in reversed(tuple(zip(self.steps, names, known, strict=True))):
            try:
                # a tombstone is no column's doing
                drops = step.applies(name) is not False
                filters.update(dict.fromkeys(_filters(step, name) if drops else ()))
                record = _backward(step, name, replace(record, nesting=nested))
            except CannotTell as unknown:
                return _hidden(step, unknown)
        return replace(record, nesting=None, filters=tuple(filters)) if self.steps else record

    def _nesting_at_steps(
        self, names: tuple[str | Unpredictable, ...], nesting: Nesting | None
    ) -> list[Nesting | None]:
        known: list[Nesting | None] = []
        for step, name in zip(self.steps, names, strict=True):
            known.append(nesting)
            try:
                applies = step.applies(name)
                if nesting is not None and applies is not False:
                    sure = step.transform if applies else None
                    nesting = sure.nesting_after(step.options, nesting) if sure else None
            except CannotTell:
                nesting = None
        return known

    def _names_at_steps(self, topic: str | Unpredictable) -> tuple[str | Unpredictable, ...]:
        if isinstance(topic, Unpredictable):
            return (topic,) * len(self.steps)
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
    return config.once(_chain)


def _chain(config: Settings) -> Chain:
    try:
        aliases = config.names("transforms")
    except CannotTell:
        aliases = ("transforms",)
    return Chain(tuple(_step(config, alias) for alias in aliases))


def reads() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The config keys that chains are made of: exact names, and patterns."""
    options = {name for transform in TRANSFORMS for name in transform.reads}
    options |= {"type", "predicate", "negate"}
    return ("transforms", "predicates", *SPELLING_READS), (
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


def _filters(step: Step, topic: str | Unpredictable) -> tuple[Origin, ...]:
    """What decides at this step whether a record goes on; one where none does cannot be told."""
    if step.transform is None or step.transform.drops is None:
        return ()
    by_predicate = step.decided_by("FILTER")
    if step.lets_nothing_pass(topic):
        raise CannotTell("it drops every record")
    if step.applies(topic) is False:
        # A tombstone carries no data, but it is the value that makes it one.
        return by_predicate
    parts = step.transform.drops(step.options)
    return (*(Origin(part, "FILTER", direct=False) for part in parts), *by_predicate)


def _forward(step: Step, topic: str | Unpredictable, record: Record) -> Record:
    applies = step.applies(topic)
    if applies is False:
        return record
    if step.transform is None:
        raise CannotTell("the transform is not known")
    after = _possible(step.transform.forward(step.options, record))
    return after if applies else either(record, after, step.decided_by("CONDITIONAL"))


def _backward(step: Step, topic: str | Unpredictable, record: Record) -> Record:
    applies = step.applies(topic)
    if applies is False:
        return record
    if step.transform is None:
        raise CannotTell("the transform is not known")
    before = _possible(step.transform.backward(step.options, record))
    if applies is None and before != record:
        if not _same_fields(before, record):
            raise CannotTell("it applies to some records only")
        return either(record, before, step.decided_by("CONDITIONAL"))
    return before


def _same_fields(one: Record, other: Record) -> bool:
    """Whether a step that may or may not have been there changes no field's name or place."""
    paths = [[path for path, _ in columns(each)] for each in (one, other)]
    return paths[0] == paths[1]


def _possible(record: Record) -> Record:
    if not record.is_possible:
        raise CannotTell("two fields would have one name")
    return record


def _hidden(step: Step, unknown: CannotTell) -> Record:
    reason = f"what transform {step.alias} does to the fields is not known: {unknown.reason}"
    return Record(NoSchema(reason), NoSchema(reason))
