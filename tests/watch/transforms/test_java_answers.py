"""What the real Java transforms answered, replayed against ours; ``scripts/java_oracle`` asks.

In an answer ``"int64<after.id"`` is a field of that type whose value came from ``after.id``, and
``"int64"`` one that came from the path it still has; ``"int64<"`` holds no value of the record.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mainstem.watch.schema_registry.fields import Field, NoSchema, TopicFields
from mainstem.watch.transforms.chain import Chain, chain_of
from mainstem.watch.transforms.model import Unpredictable
from mainstem.watch.transforms.record import Node, Record, columns, start
from mainstem.watch.transforms.settings import Settings

KEPT = sorted((Path(__file__).parent / "java_answers").glob("*.json"))

UNKNOWN_TOPICS = {
    "the time of each record": "TimestampRouter writes the time of the record into the name",
    "the value of a field": "route.by.field takes the name out of the data",
    "letters beyond ASCII": "no topic has them, and Java's rules for them depend on its flags",
    "differs from Java to Java": "case and properties of letters changed with Java 15",
    "is not valid": "Java reads [ab&&], [&&ab], a{2}{1} and names of characters; we do not",
    "class of characters that is not known": "Unicode blocks are not told apart",
    "blank in a set": "Java passes over it in its comments mode, the regex module does not",
    "repeated possessively": "Java keeps what the group held in an attempt that failed",
    "repeats once, possessively": "Java does not look into it again, the regex module does",
    "has no regex": "an empty pattern changes no topic; we take it for a missing one",
}
"""Where Java has an answer and we say that the topic is unpredictable: a word of ours, and why."""

MOST_UNKNOWN_TOPICS = 349
MOST_REFUSED_BUT_TOLD = 30


@dataclass(frozen=True)
class Case:
    """One question with what Java answered."""

    question: dict[str, Any]
    topic: str
    answer: str | None
    """The topic's new name; None where Java refused the config or the record."""

    fields: dict[str, str] | None

    @property
    def chain(self) -> Chain:
        """The question's steps as a connector's config says them."""
        steps = self.question["steps"]
        config = {"transforms": ",".join(f"t{at}" for at in range(len(steps)))}
        for at, step in enumerate(steps):
            options = dict(step)
            predicate = options.pop("predicate", None)
            if predicate:
                options["predicate"] = f"p{at}"
                config |= {f"predicates.p{at}.{name}": text for name, text in predicate.items()}
            config |= {f"transforms.t{at}.{name}": text for name, text in options.items()}
        return chain_of(Settings(config))

    @property
    def record(self) -> Record:
        """The record that the question describes."""
        return start(TopicFields(fields(self.question["value"]), fields(self.question["key"])))

    def uses(self, option: str) -> bool:
        """Whether a step has the option."""
        return any(option in step for step in self.question["steps"])


def fields(described: Any) -> tuple[Field, ...]:
    named = {"": described} if isinstance(described, str) else described
    return tuple(
        Field(name, inner.rstrip("?"), optional=inner.endswith("?"))
        if isinstance(inner, str)
        else Field(name, "struct", fields(inner))
        for name, inner in named.items()
    )


def cases(file: Path) -> list[Case]:
    found: list[Case] = []
    for question, answer in json.loads(file.read_text()):
        topics = question.get("topics") or [question["topic"]]
        after = answer.get("topics") or [answer.get("topic")] * len(topics)
        found += [
            Case(question, topic, new_name, answer.get("fields"))
            for topic, new_name in zip(topics, after, strict=True)
        ]
    return found


CASES = {file.stem: cases(file) for file in KEPT}
EVERY_CASE = [case for kept in CASES.values() for case in kept]
OF_FIELDS = [
    pytest.param(kept, id=name) for name, kept in CASES.items() if "value" in kept[0].question
]
OF_TOPICS = [
    pytest.param(kept, id=name)
    for name, kept in CASES.items()
    if name.startswith(("regex", "topic", "timestamp", "by_logical"))
]


def test_the_answers_are_there() -> None:
    assert sum(map(len, CASES.values())) > 5000
    assert len(OF_FIELDS) >= 7


@pytest.mark.parametrize("kept", CASES.values(), ids=CASES)
def test_topics_are_as_java_names_them(kept: list[Case]) -> None:
    for case in kept:
        end = case.chain.route(case.topic).end
        if case.answer is not None and not isinstance(end, Unpredictable):
            assert end == case.answer, case


def test_where_the_topic_is_unknown_the_reason_is_one_of_those_we_know() -> None:
    reasons: Counter[str] = Counter()
    for case in EVERY_CASE:
        end = case.chain.route(case.topic).end
        if case.answer is not None and isinstance(end, Unpredictable):
            (known,) = [words for words in UNKNOWN_TOPICS if words in end.reason] or [end.reason]
            reasons[known] += 1
    assert reasons.keys() == UNKNOWN_TOPICS.keys()
    assert reasons.total() <= MOST_UNKNOWN_TOPICS


@pytest.mark.parametrize("name", ["regex_router", "regex_router_odd", "topic_predicates"])
def test_a_pattern_or_replacement_that_java_refuses_names_no_topic(name: str) -> None:
    refused = [case for case in CASES[name] if case.answer is None]
    assert refused
    for case in refused:
        assert isinstance(case.chain.route(case.topic).end, Unpredictable), case


@pytest.mark.parametrize("kept", OF_TOPICS)
def test_the_topic_before_is_among_those_that_undoing_finds(kept: list[Case]) -> None:
    for case in kept:
        before = case.chain.undo(case.answer) if case.answer else Unpredictable("refused")
        assert isinstance(before, Unpredictable) or case.topic in before, case


@pytest.mark.parametrize("kept", OF_FIELDS)
def test_fields_are_as_java_makes_them(kept: list[Case]) -> None:
    for case in kept:
        if case.fields is None:
            continue
        after = case.chain.forward(case.topic, case.record)
        if isinstance(after.value, NoSchema):
            # A router of which we cannot tell the topic may or may not touch the fields.
            assert isinstance(case.chain.route(case.topic).end, Unpredictable), case
            continue
        ours = dict(columns(after))
        more = may_be_more(case) & ours.keys()
        assert ours.keys() == case.fields.keys() - may_be_missing(case, ours) | more, case
        for path, node in ours.items():
            if path in case.fields:
                assert agrees(path, node, case.fields[path]), (path, node, case)


def may_be_missing(case: Case, ours: dict[str, Node]) -> set[str]:
    # A header of each record says which fields go, so we tell none that could be meant.
    assert case.fields is not None
    return case.fields.keys() - ours.keys() if case.uses("drop.fields.header.name") else set()


def may_be_more(case: Case) -> set[str]:
    # Debezium 3 passes over the old option, Debezium 1 and 2 add the field; it has no origin.
    step = case.question["steps"][0]
    old = step.get("delete.handling.mode") == "rewrite" and not case.uses(
        "delete.tombstone.handling.mode"
    )
    return {"__deleted"} if old and is_change_event(case) else set()


def is_change_event(case: Case) -> bool:
    return "envelope" in case.question


def agrees(path: str, node: Node, told: str) -> bool:
    type_, changed, origin = told.partition("<")
    if node.type != type_:
        return False
    if changed and not origin:
        # Made here, masked, converted beyond recognition, or one of the two booleans.
        made_of_more = all(one.transformation != "IDENTITY" for one in node.origins)
        return made_of_more or type_ == "boolean"
    return [one.path for one in node.origins] == [origin or path] and not node.origins[0].masking


def test_what_java_refuses_is_hidden_but_for_a_few() -> None:
    """We tell fields for records that no worker lets pass, where only the data's type says so."""
    refused = [case for case in EVERY_CASE if "value" in case.question and case.fields is None]
    told = [case for case in refused if list(columns(case.chain.forward(case.topic, case.record)))]
    assert len(told) <= MOST_REFUSED_BUT_TOLD < len(refused) / 4


@pytest.mark.parametrize("kept", OF_FIELDS)
def test_backward_claims_no_way_that_java_did_not_go(kept: list[Case]) -> None:
    for case in kept:
        # Debezium's own connectors, behind which its transforms stand, make change events only.
        if case.fields is None or (is_debezium(case) and not is_change_event(case)):
            continue
        after = case.chain.forward(case.topic, case.record)
        before = case.chain.backward(case.topic, start(as_fields(after)))
        for path, node in columns(before):
            for origin in node.origins:
                if origin.transformation == "IDENTITY" and origin.path in case.fields:
                    type_, _, from_path = case.fields[origin.path].partition("<")
                    same = (from_path or origin.path) == path
                    assert same or type_ == "boolean", (path, origin, case)


def is_debezium(case: Case) -> bool:
    return case.question["steps"][0]["type"].startswith("io.debezium.")


def as_fields(record: Record) -> TopicFields:
    return TopicFields(below(record.value), below(record.key))


def below(node: Node | NoSchema) -> tuple[Field, ...]:
    if isinstance(node, NoSchema):
        return ()
    if not node.is_record:
        return (Field("", node.type),) if node.type != "struct" else ()
    return tuple(
        Field(one.name, one.type, below(one) if one.is_record else ()) for one in node.fields
    )
