"""``mainstem pipeline ask``: what people want to know, as tables or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import cyclopts
from cyclopts import Parameter

from mainstem.cli.pipeline_session import Place, built, session
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from mainstem.pipeline.jobs.target import Target

app = cyclopts.App(name="ask", help="Ask the tables: impact, orphans, stale, changed.")
HERE = Place()
LAST_DAYS = 7
Json = Annotated[
    bool, Parameter(name="--json", negative="", help="Print every row as JSON for machines.")
]


@app.command
def impact(node: str, /, *, place: Place = HERE, as_json: Json = False) -> None:
    """What lies downstream of a dataset, a job or a column.

    Parameters
    ----------
    node
        dataset:NAMESPACE:NAME, job:NAMESPACE:NAME or datasetField:NAMESPACE:NAME:COLUMN; any
        name that a dataset is known by.
    """
    from mainstem.names.node_id import NodeKind, parse_node_id
    from mainstem.pipeline.jobs import ask

    asked = parse_node_id(node)
    if asked.kind is NodeKind.RUN:
        raise BadRecipe("ask impact", [f"{node!r} is a run; ask for a dataset, a job or a column"])
    _answer("impact", place, lambda tables: ask.impact(tables, asked), as_json=as_json)


@app.command
def orphans(*, place: Place = HERE, as_json: Json = False) -> None:
    """Datasets that nobody reads; those that are still written come first."""
    from mainstem.pipeline.jobs import ask

    _answer("orphans", place, ask.orphans, as_json=as_json)


@app.command
def stale(
    *,
    at: datetime | None = None,
    times: Annotated[float, Parameter(validator=cyclopts.validators.Number(gt=0))] = 3.0,
    place: Place = HERE,
    as_json: Json = False,
) -> None:
    """Jobs that no longer run, each measured by its own rhythm.

    Parameters
    ----------
    at
        The moment to look from; now.
    times
        For how many of its usual gaps a job must have been silent.
    """
    from mainstem.clock import now
    from mainstem.pipeline.jobs import ask

    moment = now() if at is None else _in_utc(at)
    _answer(
        "stale", place, lambda tables: ask.stale(tables, at=moment, times=times), as_json=as_json
    )


@app.command
def changed(
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    place: Place = HERE,
    as_json: Json = False,
) -> None:
    """Schemas that changed in a period, and whom that touches.

    Parameters
    ----------
    since
        When the period begins; a week before its end.
    until
        When the period ends; now.
    """
    from mainstem.clock import now
    from mainstem.pipeline.jobs import ask

    end = now() if until is None else _in_utc(until)
    begin = end - timedelta(days=LAST_DAYS) if since is None else _in_utc(since)
    if begin >= end:
        raise BadRecipe("ask changed", [f"--since is {begin}; it must be before --until, {end}"])
    _answer(
        "changed",
        place,
        lambda tables: ask.changed(tables, since=begin, until=end),
        as_json=as_json,
    )


def _answer(
    view: str, place: Place, question: Callable[[Target], DataFrame], *, as_json: bool
) -> None:
    from mainstem.cli.pipeline_answers import print_answer, print_json

    with session(place, f"ask-{view}", brief=True) as spark:
        found = question(built(spark, place)).collect()
    rows = [{name: _told(value) for name, value in row.asDict().items()} for row in found]
    if as_json:
        print_json(view, rows)
    else:
        print_answer(view, rows)


def _told(value: object) -> object:
    """A value of Spark's, which hands times over in the zone of this machine."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _in_utc(moment: datetime) -> datetime:
    """A moment without a zone is meant in UTC, as every time in the tables is."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
