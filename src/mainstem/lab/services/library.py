"""Sets of Java files, laid out once under the product's home and found there the next time."""

from __future__ import annotations

import fcntl
import os
import shutil
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.lab.services.artefacts import fingerprint, pinned
from mainstem.lab.services.maven import JgoRepository, Progress, Repository, fetch_all
from mainstem.lab.services.plugins import CONVERTER, SINK, Services, write_services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mainstem.lab.services.artefacts import Artefact

KAFKA = "kafka"
"""The broker, Connect, its own connectors and transforms, and all they need."""
DEBEZIUM_POSTGRES = "debezium-postgres"
"""The source connector for PostgreSQL, as a plug-in directory."""
SPARK = "spark"
"""What a Spark session needs for Kafka, Iceberg, Avro and PostgreSQL."""
DELTA = "spark-delta"
"""What lets that session read and write Delta tables as well."""
SPARK_AGENT = "spark-agent"
"""OpenLineage's own listener for Spark."""
DEBEZIUM_JDBC = "debezium-jdbc"
"""The sink connector for databases, with PostgreSQL's driver, as a plug-in directory."""
APICURIO = "apicurio"
"""A schema registry that also answers Confluent's API."""
AVRO = "avro"
"""Confluent's Avro converter, which Maven Central has only inside Snowflake's connector."""
CAMEL_S3 = "camel-s3"
"""Camel's connectors with its S3 component, as a plug-in directory."""
ICEBERG = "iceberg"
"""The Iceberg sink connector with S3 and a catalog in SQLite, as a plug-in directory."""
SPARK_LAKE = "spark-lake"
"""What lets a Spark session use that S3 and that catalog."""

PLUGINS_OF_JARS: dict[str, Services] = {
    AVRO: {CONVERTER: "io.confluent.connect.avro.AvroConverter"},
    CAMEL_S3: {SINK: "org.apache.camel.kafkaconnector.CamelSinkConnector"},
    ICEBERG: {},
}
"""The plug-ins whose jars are laid out here, and what each offers without listing it itself."""


class Library:
    """The sets of Java files below one home; complete directories only."""

    def __init__(
        self,
        home: Path,
        repository: Callable[[Path], Repository] = JgoRepository,
        pins: Callable[[str], tuple[Artefact, ...]] = pinned,
    ) -> None:
        self._home = home
        self._repository = repository
        self._pins = pins

    def directory(self, name: str) -> Path:
        """Where the set stands, or will stand once it is complete."""
        return self._home / "java" / f"{name}-{fingerprint(self._pins(name))}"

    def ensure(self, name: str, progress: Progress = lambda _name, _done, _total: None) -> Path:
        """The directory of the set; fetched, checked and laid out if it is not there."""
        place = self.directory(name)
        if place.exists():
            return place
        with _one_at_a_time(self._home / "java.lock"):
            if not place.exists():
                self._lay_out(name, place, progress)
        return place

    def _lay_out(self, name: str, place: Path, progress: Progress) -> None:
        repository = self._repository(self._home / "maven")
        files = fetch_all(self._pins(name), repository, progress)
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{name}-"))
        offered = PLUGINS_OF_JARS.get(name)
        # Connect takes each entry of a plug-in directory for one plug-in.
        inside = unfinished if offered is None else unfinished / name
        inside.mkdir(exist_ok=True)
        for file in files:
            _put(file, inside)
        if offered:
            write_services(inside, offered)
        unfinished.chmod(0o755)
        unfinished.rename(place)


def _put(file: Path, directory: Path) -> None:
    if file.name.endswith(".tar.gz"):
        with tarfile.open(file) as archive:
            # Python 3.11.2, which Debian has, knows no filters; the archive's digest was checked
            if hasattr(tarfile, "data_filter"):
                archive.extraction_filter = tarfile.data_filter
            archive.extractall(directory)  # noqa: S202
        return
    try:
        os.link(file, directory / file.name)
    except OSError:
        shutil.copyfile(file, directory / file.name)


@contextmanager
def _one_at_a_time(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
