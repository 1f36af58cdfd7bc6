"""Field trees as text, which tests can be read by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mainstem.watch.schema_registry.fields import Field


def lines(fields: Iterable[Field], above: str = "") -> list[str]:
    """One line per field: its path, its type, and a question mark where it is optional."""
    return list(_lines(fields, above))


def _lines(fields: Iterable[Field], above: str) -> Iterator[str]:
    for field in fields:
        path = f"{above}{field.name}"
        yield f"{path} {field.type}{'?' if field.optional else ''}"
        yield from _lines(field.fields, f"{path}.")
