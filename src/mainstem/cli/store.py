"""The backend's store as the verbs open it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mainstem import clock
from mainstem.cli.garbage import seldom_look_for_cycles

if TYPE_CHECKING:
    from collections.abc import Generator

    from mainstem.sql.connection import Connection

DEFAULT_STORE = "mainstem.db"
MEMORY_SETTINGS = (
    (-8, 1),  # M_ARENA_MAX: no thread has memory of its own
    (-1, 32 * 1024 * 1024),  # M_TRIM_THRESHOLD: so much is kept
    (-3, 32 * 1024 * 1024),  # M_MMAP_THRESHOLD: larger blocks alone go back at once
)
StoreUrl = Annotated[
    str,
    Parameter(
        name="--store",
        env_var="MAINSTEM_STORE",
        help="A SQLite file, or postgresql://USER@HOST:PORT/DATABASE.",
    ),
]


def keep_freed_memory() -> None:
    """Let threads share what one of them freed, and give little of it back to the system.

    Memory that is new is handed over page by page: a tenth of the time that an event takes, and a
    third of a large answer's. Only glibc can be told; elsewhere nothing changes.
    """
    import ctypes

    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        for parameter, value in MEMORY_SETTINGS:
            libc.mallopt(parameter, value)


@contextmanager
def opened(
    store: str, holder: str, *, alone: bool = True, make: bool = False
) -> Generator[Connection]:
    """A migrated store; ``alone`` keeps a server away meanwhile, ``make`` allows a new one."""
    from mainstem.serve.ingest.upkeep import MIGRATIONS, prepare
    from mainstem.sql.migration import migrate
    from mainstem.sql.opening import open_database

    seldom_look_for_cycles()
    database = open_database(store, make=make)
    try:
        if alone:
            with database.hold(holder), database.reader() as connection:
                prepare(database, connection)
                yield connection
        else:
            with database.reader() as connection:
                migrate(database, connection, MIGRATIONS)
                yield connection
    finally:
        database.close()


def present() -> int:
    """The present instant in microseconds."""
    from mainstem.said.times import to_micros

    return to_micros(clock.now())


def existing(files: tuple[Path, ...]) -> list[str]:
    """The files of a list that are not there."""
    return [str(file) for file in files if not file.is_file()]
