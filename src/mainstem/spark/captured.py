"""What was copied out of the JVM about one query: plain data, from which lineage is thought out.

It stays in the driver's process: a plan's text holds the query's literals.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

READ_OPTIONS = frozenset(
    {
        "assign",
        "dbtable",
        "kafka.bootstrap.servers",
        "path",
        "query",
        "subscribe",
        "subscribepattern",
        "topic",
        "url",
    }
)
"""The only options of a source or sink that are ever copied; their names in lower case."""

CATALOG_OPTIONS = ("type", "catalog-impl", "warehouse", "uri")
"""The only settings of a catalog that are ever copied."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """The catalog that knows a table; nothing is known of the built-in one but its warehouse."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a relation's rows lie, as its table, relation or sink says it."""

    kind: str
    """The simple name of the table's, relation's or sink's class."""

    table: tuple[str, ...] = ()
    """The name inside the catalog: namespace parts, then the table."""

    locations: tuple[str, ...] = ()
    catalog: Catalog | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Allow-listed ones; a JDBC URL among them may hold a password, so none is ever printed."""


@dataclass(frozen=True, slots=True)
class CapturedPlan:
    """One analysed plan with what its text does not say."""

    plan: str = field(repr=False)
    """``toJSON`` of the analysed plan: structure, expressions and ids, but no table's identity."""

    leaves: Mapping[int, Place] = field(default_factory=dict)
    """By the expression id of the leaf's first column."""

    target: Place | None = None
    """Where a command or a stream writes."""

    mode: str | None = None
    """Spark's word for what happens to the target: a save mode, a command or an output mode."""

    schema: str | None = field(default=None, repr=False)
    """What is written, as JSON of a Spark schema."""


def with_topics(captured: CapturedPlan, topics: Iterable[str]) -> CapturedPlan:
    """The same plan once the topics behind a pattern have been seen, in a stream's offsets."""
    seen = ",".join(sorted(topics))
    leaves = {
        column: replace(place, options={**place.options, "subscribe": seen})
        if "subscribepattern" in place.options
        else place
        for column, place in captured.leaves.items()
    }
    return replace(captured, leaves=leaves)


def to_json(captured: CapturedPlan) -> dict[str, Any]:
    """The captured plan as JSON data, of which ``from_json`` makes an equal one."""
    return {
        "plan": captured.plan,
        "leaves": {str(column): _place_json(place) for column, place in captured.leaves.items()},
        "target": _place_json(captured.target) if captured.target else None,
        "mode": captured.mode,
        "schema": captured.schema,
    }


def from_json(data: Mapping[str, Any]) -> CapturedPlan:
    """The captured plan that ``to_json`` wrote."""
    return CapturedPlan(
        data["plan"],
        {int(column): _place(place) for column, place in data["leaves"].items()},
        _place(data["target"]) if data["target"] else None,
        data["mode"],
        data["schema"],
    )


def _place_json(place: Place) -> dict[str, Any]:
    catalog = place.catalog
    return {
        "kind": place.kind,
        "table": list(place.table),
        "locations": list(place.locations),
        "catalog": {"name": catalog.name, "options": dict(catalog.options)} if catalog else None,
        "options": dict(place.options),
    }


def _place(data: Mapping[str, Any]) -> Place:
    catalog = Catalog(**data["catalog"]) if data["catalog"] else None
    return Place(
        data["kind"], tuple(data["table"]), tuple(data["locations"]), catalog, data["options"]
    )
