"""``mainstem pipeline``: raw events to graph tables on Spark, and what people ask of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cyclopts
from cyclopts import Parameter

from mainstem.cli.pipeline_ask import app as ask
from mainstem.cli.pipeline_session import BUILD, Place, built, session, target

if TYPE_CHECKING:
    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.build import Built

app = cyclopts.App(
    name="pipeline", help="Any number of OpenLineage events to graph tables, on Spark."
)
app.command(ask)

SCHEMA_VERSION = 1
HERE = Place()
AT_LEAST_ONE = cyclopts.validators.Number(gte=1)
NOT_NEGATIVE = cyclopts.validators.Number(gte=0)
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for machines.")]
Recipe = Annotated[
    Path | None,
    Parameter(name="--recipe", help="A recipe whose namespaces: say which names are one."),
]
KafkaConf = Annotated[
    tuple[str, ...],
    Parameter(name="--kafka-conf", help="KEY=VALUE for the Kafka client; may be said again."),
]


@app.command
def build(
    *sources: str,
    column: str | None = None,
    kafka_conf: KafkaConf = (),
    recipe: Recipe = None,
    place: Place = HERE,
    as_json: Json = False,
) -> None:
    """Bring the tables up to date with what is new in the sources since the last build.

    Parameters
    ----------
    sources
        NDJSON or Parquet files, directories or globs; iceberg:CATALOG.DB.TABLE;
        kafka://HOST:PORT/TOPIC.
    column
        The column of Parquet or Iceberg that holds the events as text.
    """
    from mainstem.cli.pipeline_progress import shown_steps
    from mainstem.cli.pipeline_sources import check_sources, opened

    check_sources(sources, kafka_conf)
    from mainstem.pipeline.jobs.build import build as build_tables

    aliases = _aliases(recipe)
    with session(place, BUILD) as spark, shown_steps(spark) as progress:
        done = build_tables(
            spark,
            opened(spark, sources, column, kafka_conf),
            target(spark, place),
            aliases=aliases,
            progress=progress,
        )
    _tell(done, as_json=as_json)


@app.command
def follow(
    source: str,
    /,
    *,
    checkpoint: str | None = None,
    every: Annotated[float, Parameter(validator=NOT_NEGATIVE)] = 10.0,
    at_once: Annotated[int | None, Parameter(validator=AT_LEAST_ONE)] = None,
    once: bool = False,
    compact_every: Annotated[int, Parameter(validator=NOT_NEGATIVE)] = 50,
    kafka_conf: KafkaConf = (),
    recipe: Recipe = None,
    place: Place = HERE,
    as_json: Json = False,
) -> None:
    """Keep the tables current from a topic or a growing directory, until it is stopped.

    Parameters
    ----------
    source
        kafka://HOST:PORT/TOPIC, or a directory into which finished files are moved.
    checkpoint
        Where the stream remembers how far it is; by default beside the tables.
    every
        Seconds from one batch to the next.
    at_once
        How many files or records a batch takes at most; 1000 files, 500,000 records.
    once
        End when all that is there now was folded.
    compact_every
        After how many batches small files are made few; 0 is never.
    """
    from mainstem.cli.pipeline_follow import follow_until_stopped
    from mainstem.pipeline.jobs.follow import Pace

    aliases = _aliases(recipe)
    with session(place, "follow") as spark:
        follow_until_stopped(
            spark,
            source,
            target(spark, place),
            checkpoint=checkpoint or f"{place.tables.rstrip('/')}/checkpoint",
            kafka_conf=kafka_conf,
            at_once=at_once,
            aliases=aliases,
            pace=Pace(every, once, compact_every),
            told=lambda number, done: _tell(done, as_json=as_json, batch=number),
        )


@app.command
def publish(
    directory: str, /, *, gzip: bool = False, place: Place = HERE, as_json: Json = False
) -> None:
    """Write the events that carry graph and history as NDJSON, for ``mainstem import``.

    Parameters
    ----------
    directory
        A new directory on any file system that Spark knows.
    gzip
        Compress the files.
    """
    from mainstem.pipeline.jobs.publish import publish as publish_events

    with session(place, "publish", brief=True) as spark:
        done = publish_events(built(spark, place), directory, gzip=gzip)
    if as_json:
        _print_json({"events": done.events, "written": done.written, "directory": directory})
    else:
        print(f"{done.written} of {done.events} events carry everything; they are in {directory}")


def _aliases(recipe: Path | None) -> Aliases:
    from mainstem.names.identity import NO_ALIASES, Aliases

    if recipe is None:
        return NO_ALIASES
    import os

    from mainstem.recipe.loading import load

    said = load(recipe, os.environ).namespaces
    return Aliases(namespaces=[(one, other) for one, others in said.items() for other in others])


def _tell(done: Built, *, as_json: bool, batch: int | None = None) -> None:
    counts = {"read": done.read, "events": done.events, "refused": done.refused}
    if as_json:
        _print_json(counts if batch is None else {"batch": batch, **counts})
        return
    refused = f", {done.refused} in quarantine" if done.refused else ""
    words = "" if batch is None else f"batch {batch}: "
    print(f"{words}{done.events} of {done.read} events were new{refused}", flush=True)


def _print_json(told: dict[str, Any]) -> None:
    import orjson

    sys.stdout.write(orjson.dumps({"version": SCHEMA_VERSION, **told}).decode() + "\n")
    sys.stdout.flush()
