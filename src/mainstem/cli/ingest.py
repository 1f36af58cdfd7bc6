"""``mainstem ingest``: one look at Connect clusters by a DataHub recipe, told and delivered."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mainstem.cli.exits import EXIT_BACKEND, EXIT_CONNECT, EXIT_FAILED
from mainstem.errors import BadRecipe, MainstemError

if TYPE_CHECKING:
    from mainstem.cli.ingest_outlets import Outlet
    from mainstem.cli.ingest_report import IngestReport
    from mainstem.outbox import Drainer
    from mainstem.recipe.ingestion import IngestRecipe
    from mainstem.recipe.ingestion_loading import LoadedIngestion
    from mainstem.recipe.model import Recipe
    from mainstem.watch.journal import Journal
    from mainstem.watch.loop.ingest_report import Looks, Told

PREVIEWED = 10
DRAIN_SECONDS = 10.0
PATIENCE_SECONDS = 60.0
"""There is no next look that could take a late answer."""

DATAHUB = "datahub"
"""DataHub's word for reporting to itself."""


def ingest(
    *,
    config: Annotated[Path, Parameter(name=["--config", "-c"])],
    dry_run: bool = False,
    preview: bool = False,
    strict_warnings: bool = False,
    test_source_connection: bool = False,
    report_to: str | None = None,
    json: bool = False,
    journal: Path | None = None,
    verbose: bool = False,
) -> None:
    """Look once at what a DataHub recipe names, tell its lineage, report, and end.

    Parameters
    ----------
    config
        The recipe: source of type kafka-connect, and a sink.
    dry_run
        Look and report, send nothing, remember nothing.
    preview
        Only the first ten connectors of each cluster.
    strict_warnings
        A warning is a failure: exit code 1.
    test_source_connection
        Only ask the clusters whether they answer.
    report_to
        A file for the report as JSON.
    json
        Print the report as JSON.
    journal
        The recipe's state: what it told before, and what waits to be delivered.
    verbose
        Log more.
    """
    import logging

    from mainstem.cli.logs import set_up_logs

    # what was told stands in the report
    set_up_logs(verbose=verbose, normally=logging.WARNING)
    code = follow(
        config,
        dry_run=dry_run,
        preview=preview,
        strict_warnings=strict_warnings,
        test_source_connection=test_source_connection,
        report_to=report_to,
        json=json,
        journal=journal,
    )
    raise SystemExit(code)


def follow(
    config: Path,
    *,
    dry_run: bool = False,
    preview: bool = False,
    strict_warnings: bool = False,
    test_source_connection: bool = False,
    report_to: str | None = None,
    json: bool = False,
    journal: Path | None = None,
) -> int:
    """Follow the recipe once; the exit code."""
    from mainstem.recipe.as_watched import as_watched
    from mainstem.recipe.ingestion_loading import load_ingestion

    loaded = load_ingestion(config, os.environ)
    watched = as_watched(loaded.recipe)
    if test_source_connection:
        return _try_connections(watched, _report_file(report_to), json=json)
    if json and loaded.recipe.sink.type == "console":
        raise BadRecipe(
            "mainstem ingest",
            ["--json and the console sink both print; give --report-to FILE instead"],
        )
    report_file = _report_file(report_to)
    path = journal or loaded.recipe.journal or _state_file(config)
    report = _ingested(loaded, watched, path, config, dry_run=dry_run, preview=preview)
    if report_file is not None:
        report_file.write_bytes(report.as_json())
    _print(report, json=json, on_stderr=loaded.recipe.sink.type == "console")
    return _exit_code(report, strict=strict_warnings)


def _ingested(
    loaded: LoadedIngestion,
    watched: Recipe,
    path: Path,
    config: Path,
    *,
    dry_run: bool,
    preview: bool,
) -> IngestReport:
    from mainstem.cli.ingest_report import IngestReport, words_about_nobody
    from mainstem.watch.loop.ingest_report import report_of, report_of_left
    from mainstem.watch.loop.settings import lets_through

    recipe = loaded.recipe
    with ExitStack() as opened:
        state = opened.enter_context(_copy_of(path)) if dry_run else path
        programme = opened.enter_context(
            _Programme(recipe, state, dry_run=dry_run, preview=preview)
        )
        looks = programme.look(watched, PREVIEWED if preview else None)
        left = programme.settle(looks, str(config.resolve()), preview=preview)
        undelivered, refused = programme.deliver()
    patterns = partial(lets_through, watched.clusters[0].connectors)
    clusters = tuple(
        report_of(name, look, programme.outlet.told_of(name, look), patterns)
        for name, look in looks.items()
    )
    declared = [each.connector_name for each in recipe.source.config.generic_connectors]
    return IngestReport(
        recipe=str(config),
        sink=recipe.sink.type,
        journal=str(path),
        dry_run=dry_run,
        preview=preview,
        told=programme.outlet.told,
        undelivered=undelivered,
        refused=refused,
        ignored=(*loaded.warnings, *words_about_nobody(declared, clusters)),
        clusters=(
            *clusters,
            *(report_of_left(name, told) for name, told in left.items() if told),
        ),
    )


class _Programme:
    """Journal, drainer and outlet, opened together and closed in the right order."""

    def __init__(self, recipe: IngestRecipe, path: Path, *, dry_run: bool, preview: bool) -> None:
        from mainstem import clock
        from mainstem.cli.ingest_outlets import outlet_of
        from mainstem.outbox import Drainer
        from mainstem.watch.journal import Journal

        self.outlet: Outlet = outlet_of(recipe, dry_run=dry_run, preview=preview)
        self.journal: Journal = Journal.open(path)
        self._drainer: Drainer | None = (
            None
            if dry_run
            else Drainer(self.journal.outbox, self.outlet.destinations, clock=clock.now)
        )

    def __enter__(self) -> _Programme:
        if self._drainer:
            self._drainer.start()
        self._refused_before = self._dead_letters()
        return self

    def __exit__(self, *_: object) -> None:
        if self._drainer:
            self._drainer.stop(DRAIN_SECONDS)
        self.journal.close()

    def look(self, recipe: Recipe, at_most: int | None) -> Looks:
        """One look at each cluster."""
        from datetime import timedelta

        from mainstem import clock
        from mainstem.cli.ingest_progress import shown_progress
        from mainstem.watch.loop.cluster import Surroundings
        from mainstem.watch.loop.ingesting import ingest as look_at_all

        with shown_progress([each.name for each in recipe.clusters]) as progress:
            around = Surroundings(
                self.journal,
                clock.now,
                self.outlet.prepare,
                patience=timedelta(seconds=PATIENCE_SECONDS),
                confirms_within=timedelta(seconds=PATIENCE_SECONDS),
                progress=progress,
                tells_runs=self.outlet.tells_runs,
            )
            return look_at_all(recipe, around, os.environ, at_most)

    def settle(self, looks: Looks, recipe: str, *, preview: bool) -> Mapping[str, Told]:
        """Finish telling; what was said of the clusters that the recipe names no longer.

        A cluster that cannot be read may be one of them under another name: then none is left.
        """
        unread = any(isinstance(each, MainstemError) for each in looks.values())
        left = () if preview or unread else self.journal.clusters_left(recipe, looks)
        told = self.outlet.settle(self.journal, looks, left)
        self.journal.note_clusters(recipe, looks)
        return told

    def deliver(self) -> tuple[int, int]:
        """Wait as long as something arrives; how many events wait then, how many are refused."""
        from mainstem.cli.delivery import say_what_waits, say_what_was_refused

        if self._drainer is None:
            return 0, 0
        waits = self._waiting()
        while not self._drainer.drain_until_empty(DRAIN_SECONDS):
            before, waits = waits, self._waiting()
            if waits >= before:
                break
        box = self.journal.outbox
        waits, refused = self._waiting(), self._dead_letters() - self._refused_before
        say_what_waits(box.path, box.status(), "the next ingestion by this recipe sends them")
        if refused > 0:
            say_what_was_refused(box.path, refused)
        return waits, refused

    def _waiting(self) -> int:
        return sum(each.depth for each in self.journal.outbox.status() if each.configured)

    def _dead_letters(self) -> int:
        return sum(each.dead_letters for each in self.journal.outbox.status())


def _state_file(recipe: Path) -> Path:
    """Beside the watcher's own journal, one per recipe file."""
    import hashlib

    from mainstem.outbox.location import default_journal_path

    whole = str(recipe.resolve())
    mark = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return default_journal_path().parent / "ingest" / f"{recipe.stem}-{mark}.db"


@contextmanager
def _copy_of(journal: Path) -> Generator[Path]:
    """The state as it is now, for a run that must leave no trace."""
    import sqlite3
    import tempfile
    from contextlib import closing

    with tempfile.TemporaryDirectory(prefix="mainstem-dry-run-") as folder:
        copy = Path(folder) / "journal.db"
        if journal.exists():
            with (
                closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
        yield copy


def _try_connections(recipe: Recipe, report_file: Path | None, *, json: bool) -> int:
    import orjson

    from mainstem.watch.loop.ingesting import try_connections

    answers = try_connections(recipe, os.environ)
    failed = [name for name, answer in answers.items() if isinstance(answer, MainstemError)]
    told = {
        name: {"capable": False, "failure_reason": str(answer)}
        if isinstance(answer, MainstemError)
        else {"capable": True, "version": answer[0], "connectors": answer[1]}
        for name, answer in answers.items()
    }
    report = orjson.dumps({"schema": 1, "clusters": told}, option=orjson.OPT_INDENT_2)
    if report_file is not None:
        report_file.write_bytes(report)
    if json:
        print(report.decode())
        return EXIT_CONNECT if failed else 0
    for name, answer in answers.items():
        if isinstance(answer, MainstemError):
            print(f"{name}: {answer}")
        else:
            print(f"{name}: Kafka Connect {answer[0]} answers, connectors: {answer[1]}")
    return EXIT_CONNECT if failed else 0


def _report_file(report_to: str | None) -> Path | None:
    """Where the report goes; that it cannot be written there is said before anything is told."""
    if report_to == DATAHUB:
        print("mainstem: --report-to datahub is ignored; give it a file", file=sys.stderr)
    if report_to is None or report_to == DATAHUB:
        return None
    try:
        Path(report_to).open("ab").close()
    except OSError as error:
        problem = f"{report_to}: cannot be written: {error.strerror}"
        raise BadRecipe("--report-to", [problem]) from error
    return Path(report_to)


def _print(report: IngestReport, *, json: bool, on_stderr: bool) -> None:
    if json:
        print(report.as_json().decode())
        return
    from mainstem.cli.ingest_report import print_report

    print_report(report, sys.stderr if on_stderr else sys.stdout)


def _exit_code(report: IngestReport, *, strict: bool) -> int:
    if any(cluster.trouble for cluster in report.clusters):
        return EXIT_CONNECT
    if report.undelivered:
        return EXIT_BACKEND
    failed = report.failures() or (strict and report.warnings())
    return EXIT_FAILED if failed else 0
