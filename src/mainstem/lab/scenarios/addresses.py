"""Where the pieces of a run are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from pathlib import Path


class Addresses(Struct, frozen=True):
    """Everything that a configuration names; the secrets are told to nobody."""

    postgres_host: str
    postgres_port: int
    bootstrap: str
    second_bootstrap: str
    """Another listener of the same Kafka."""
    registry: str
    s3: str
    catalog: Path
    """The file in which Iceberg's catalog keeps where each table is."""
    password: str
    """Asked for by nobody: the tests look for it in what was told."""
    secret_key: str
    """The same for S3."""
