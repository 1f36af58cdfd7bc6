"""``mainstem watch``: look at Connect clusters and emit what they do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mainstem.cli.delivery import say_what_waits, say_what_was_refused
from mainstem.cli.exits import EXIT_BACKEND, EXIT_CONNECT, EXIT_FAILED
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from mainstem.outbox import Caps
    from mainstem.recipe import Recipe

DRAIN_SECONDS = 10.0

GIVING_WAY_SECONDS = 0.0005
"""How long a thread that thinks keeps another waiting; a tenth of Python's own.

Whoever sends an event waits a dozen times, for a socket or the file, and each time comes back to a
look at thousands of connectors that is still being thought about.
"""

ReadRecipe = Callable[[], "Recipe"]


def watch(
    *,
    config: Annotated[Path | None, Parameter(name=["--config", "-c"])] = None,
    connect: str | None = None,
    kafka: str | None = None,
    interval: float | None = None,
    heartbeat: float | None = None,
    journal: Path | None = None,
    admin: str | None = None,
    once: bool = False,
    verbose: bool = False,
) -> None:
    """Watch Kafka Connect clusters and emit OpenLineage events about their connectors.

    Where the events go is the OpenLineage client's own configuration: OPENLINEAGE_URL,
    OPENLINEAGE_CONFIG, openlineage.yml; without any, they are printed.

    Parameters
    ----------
    config
        The recipe, a YAML file.
    connect
        Instead of a recipe: the address of one Connect cluster, its workers separated by commas.
    kafka
        With --connect: HOST:PORT of the Kafka that this Connect cluster works on.
    interval
        With --connect: seconds between two looks (default 10, at least 1).
    heartbeat
        With --connect: seconds between two events of a quiet run (default 300).
    journal
        The file that remembers runs and keeps events until they are delivered.
    admin
        HOST:PORT, or a port of this machine alone, for /healthz, /readyz and /metrics.
    once
        Look once, deliver, and end.
    verbose
        Log more.
    """
    from mainstem.cli.logs import set_up_logs

    set_up_logs(verbose=verbose)

    def read_recipe() -> Recipe:
        return _recipe(config, connect, kafka, interval, heartbeat)

    if once:
        raise SystemExit(_look_once(read_recipe, journal))
    raise SystemExit(_look_for_ever(read_recipe, journal, admin))


def _recipe(
    config: Path | None,
    connect: str | None,
    kafka: str | None,
    interval: float | None,
    heartbeat: float | None,
) -> Recipe:
    from mainstem.recipe import from_flags, load

    if connect is not None and config is None:
        return from_flags(connect, kafka=kafka, interval=interval, heartbeat=heartbeat)
    if config is None or connect is not None:
        raise BadRecipe("mainstem watch", ["give either -c FILE or --connect URL"])
    beside = {"--kafka": kafka, "--interval": interval, "--heartbeat": heartbeat}
    given = [flag for flag, value in beside.items() if value is not None]
    if given:
        raise BadRecipe(
            "mainstem watch",
            [f"{flag} goes with --connect; put it into {config}" for flag in given],
        )
    return load(config, os.environ)


def _look_once(read_recipe: ReadRecipe, journal: Path | None) -> int:
    with _Programme(read_recipe(), journal) as programme:
        box = programme.journal.outbox
        refused_before = sum(each.dead_letters for each in box.status())
        troubles = programme.watcher.once()
        delivered = programme.drainer.drain_until_empty(DRAIN_SECONDS)
        after = box.status()
    refused = sum(each.dead_letters for each in after) - refused_before
    if not delivered:
        say_what_waits(box.path, after, "the next watch with this journal sends them")
    if refused > 0:
        say_what_was_refused(box.path, refused)
    if any(troubles.values()):
        return EXIT_CONNECT
    if not delivered:
        return EXIT_BACKEND
    return EXIT_FAILED if refused > 0 else 0


def _caps(recipe: Recipe) -> Caps:
    from mainstem.outbox import Caps

    age = recipe.outbox.max_age
    return Caps(recipe.outbox.max_bytes, age.total_seconds() if age else None)


def _look_for_ever(read_recipe: ReadRecipe, journal: Path | None, admin: str | None) -> int:
    recipe = read_recipe()
    address = _address(admin) if admin else recipe.admin
    sys.setswitchinterval(GIVING_WAY_SECONDS)
    with _Programme(recipe, journal) as programme, programme.admin_port(address):
        watcher = programme.watcher
        for number in (signal.SIGTERM, signal.SIGINT):
            _on_signal(number, watcher.stop)
        _on_signal(signal.SIGHUP, watcher.take_over)
        watcher.run(read_recipe)
    return 0


class _Programme:
    """Journal, drainer and watcher, opened together and closed in the right order."""

    def __init__(self, recipe: Recipe, journal: Path | None) -> None:
        from mainstem import clock
        from mainstem.outbox import Drainer, destinations_from_configuration, read_configuration
        from mainstem.outbox.location import default_journal_path
        from mainstem.outbox.prepared_bytes import prepare_by
        from mainstem.watch.journal import Journal
        from mainstem.watch.loop.cluster import Surroundings
        from mainstem.watch.loop.metrics import Metrics
        from mainstem.watch.loop.watching import Watcher

        configuration = read_configuration()
        destinations = destinations_from_configuration(configuration)
        path = journal or recipe.journal or default_journal_path()
        self.journal = Journal.open(path, _caps(recipe))
        self.drainer = Drainer(self.journal.outbox, destinations, clock=clock.now)
        self._metrics = Metrics(self.journal.outbox)
        prepare = prepare_by(configuration)
        surroundings = Surroundings(self.journal, clock.now, prepare, self._metrics.count)
        self.watcher = Watcher(recipe, surroundings, os.environ)

    def __enter__(self) -> _Programme:
        self.drainer.start()
        return self

    def admin_port(self, address: tuple[str, int] | None) -> AbstractContextManager[object]:
        """The admin port while it is open; nothing where no address is given."""
        from mainstem.watch.loop.admin import AdminPages, open_admin_port

        if address is None:
            return nullcontext()
        pages = AdminPages(self._metrics, self.journal.outbox, self.watcher.lifeless)
        return open_admin_port(address, pages)

    def __exit__(self, *_: object) -> None:
        self.drainer.stop(DRAIN_SECONDS)
        self.journal.close()


def _address(flag: str) -> tuple[str, int]:
    from mainstem.recipe.address import parse_address

    try:
        return parse_address(flag)
    except ValueError as error:
        raise BadRecipe("mainstem watch", [f"--admin: {flag!r}: {error}"]) from None


def _on_signal(number: signal.Signals, action: Callable[[], None]) -> None:
    def handle(_signal: int, _frame: FrameType | None) -> None:
        action()

    signal.signal(number, handle)
