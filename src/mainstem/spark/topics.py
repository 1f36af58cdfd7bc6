"""Writing to Kafka: which topic, and which of its columns, spelt as connectors spell them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mainstem.spark.captured import Place
    from mainstem.spark.tree import Node
    from mainstem.spark.values import Value


def topic_literals(target: Place, root: Node) -> Place:
    """The target with its topics: its option, else what the query writes in column ``topic``.

    A topic that is put together row by row is not known, and then none is told.
    """
    if "topic" in target.options:
        return target
    found = [
        _texts(column)
        for projection in _last_projections(root.tree("query") or root)
        for column in projection.trees("projectList")
        if column.text("name") == "topic"
    ]
    topics = {topic for each in found for topic in each or ()} if None not in found else set()
    return replace(target, options={**target.options, "topic": ",".join(sorted(topics))})


def _texts(expression: Node) -> list[str] | None:
    """The texts that an expression may be; None where it may be any other."""
    match expression.name:
        case "Literal":
            return [expression.text("value")]
        case "Alias" | "Cast":
            choices = expression.children
        case "If":
            choices = expression.children[1:]
        case "CaseWhen":
            # Conditions and values take turns; what else there is comes last.
            choices = (*expression.children[1::2], *expression.children[-1:])
        case "Coalesce":
            choices = expression.children
        case _:
            return None
    found = [_texts(choice) for choice in choices]
    return None if None in found else [text for each in found for text in each or ()]


def _last_projections(plan: Node) -> Iterator[Node]:
    if plan.name == "Project":
        yield plan
    elif plan.name == "Union" or len(plan.children) == 1:
        for child in plan.children:
            yield from _last_projections(child)


def payload_columns(columns: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The columns of a topic that these columns of a query become."""
    for name, value in columns.items():
        lower = name.lower()
        if lower == "topic":
            continue
        if value.fields is None or lower not in ("key", "value"):
            yield f"${lower}", value
        else:
            yield from _fields("" if lower == "value" else "$key.", value)


def _fields(prefix: str, value: Value) -> Iterator[tuple[str, Value]]:
    for name, part in (value.fields or {}).items():
        yield f"{prefix}{name}", part
        if part.fields is not None:
            yield from _fields(f"{prefix}{name}.", part)
