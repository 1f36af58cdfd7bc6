"""The shop's pipeline on this machine: its services, its steps, and what can be seen of it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString

from mainstem.lab import jobs
from mainstem.lab.checks.backend import BackendGraph, backend_difference
from mainstem.lab.checks.graph import difference, told_by
from mainstem.lab.lines import GrowingFile
from mainstem.lab.scenarios import lake, orders
from mainstem.lab.scenarios.addresses import Addresses
from mainstem.lab.scenarios.connectors import Connectors
from mainstem.lab.scenarios.expected import (
    INGESTION,
    STATISTICS,
    SUMMARY_APPLICATION,
    counting_job,
    expected,
    sources,
)
from mainstem.lab.scenarios.generator import Generator, insert_order
from mainstem.lab.scenarios.patterns import Pattern, agent_settings
from mainstem.lab.scenarios.poison import Poison
from mainstem.lab.scenarios.seeing import has_message, wait_for
from mainstem.lab.services.backend import Backend
from mainstem.lab.services.installing import await_package
from mainstem.lab.services.library import (
    APICURIO,
    AVRO,
    CAMEL_S3,
    DEBEZIUM_POSTGRES,
    ICEBERG,
    KAFKA,
    SPARK,
    SPARK_AGENT,
    SPARK_LAKE,
)
from mainstem.lab.services.objects import ObjectStore
from mainstem.lab.services.openlineage import lineage_environment, write_configuration
from mainstem.lab.services.ports import HOST
from mainstem.lab.services.postgres import PostgresServer
from mainstem.lab.services.spark import spark_environment, write_spark_defaults
from mainstem.lab.services.spark_job import SparkJob
from mainstem.lab.services.stack import Stack
from mainstem.lab.services.watcher import Watcher

if TYPE_CHECKING:
    from mainstem.lab.place import Place
    from mainstem.lab.services.library import Library
    from mainstem.lab.services.service import Service
    from mainstem.lab.steps import Task

_FILES = (KAFKA, DEBEZIUM_POSTGRES, APICURIO, AVRO, CAMEL_S3, ICEBERG, SPARK, SPARK_LAKE)
WRITTEN_BY_STREAMS = (lake.ORDERS_BY_CONNECT, lake.ORDERS)
PLUGINS = (DEBEZIUM_POSTGRES, AVRO, CAMEL_S3, ICEBERG)
JOBS = Path(jobs.__file__).parent
MILESTONES = {"Iceberg sink": "connectors", "statistics on their topic": "spark"}
"""The steps after which a part of the pipeline is there as a whole."""


def files_of(pattern: Pattern) -> tuple[str, ...]:
    """Every set of Java files that the pipeline runs."""
    return (*_FILES, SPARK_AGENT) if pattern is Pattern.LISTENER else _FILES


class Pipeline:
    """PostgreSQL → Debezium → Kafka → S3, Iceberg and Spark, all told to the product's backend."""

    def __init__(
        self,
        place: Place,
        library: Library,
        pattern: Pattern = Pattern.MAINSTEM,
        installer: int | None = None,
    ) -> None:
        self._place = place
        self._library = library
        self.pattern = pattern
        self._installer = installer
        self.stack = Stack(place.services, library, PLUGINS)
        buckets = (lake.BUCKET, orders.ORDERS_BUCKET, orders.ALL_BUCKET)
        self.objects = ObjectStore(place.services / "s3", buckets, secrets.token_hex(16))
        self.backend = Backend(place.services / "serve")
        self._password = secrets.token_hex(16)
        self._started: list[Service] = []

    @cached_property
    def addresses(self) -> Addresses:
        """Where the pieces are; asking starts those that belong to the stack."""
        return Addresses(
            postgres_host=HOST,
            postgres_port=self.stack.postgres.port,
            bootstrap=self.stack.kafka.bootstrap,
            second_bootstrap=self.stack.kafka.second_bootstrap,
            registry=self.stack.registry.url,
            s3=self.objects.url,
            catalog=self._place.services / "catalog.db",
            password=self._password,
            secret_key=self.objects.secret_key,
        )

    @cached_property
    def connectors(self) -> Connectors:
        """The connectors of the worker."""
        return Connectors(self.stack.connect.url)

    @cached_property
    def watcher(self) -> Watcher:
        """The product's watcher, not started by being asked for."""
        return Watcher(
            self._place.services / "watch",
            self.stack.connect.url,
            self.stack.kafka.bootstrap,
            self.stack.registry.url,
            self._place.openlineage,
        )

    @cached_property
    def generator(self) -> Generator:
        """Who orders and bids."""
        return self.ordering()

    @cached_property
    def live_analytics(self) -> SparkJob:
        """The stream that counts."""
        return self.counting(self.addresses.bootstrap)

    @cached_property
    def ingestion(self) -> SparkJob:
        """The stream that fills the lake."""
        return self.taking_in("ingestion", self.addresses.bootstrap)

    @cached_property
    def summary(self) -> SparkJob:
        """The batch job, not started by being asked for."""
        return self._job("summary", (), SUMMARY_APPLICATION)

    @cached_property
    def poison(self) -> Poison:
        """A record that is no order, not written by being asked for."""
        return Poison(self.addresses.bootstrap, orders.ORDERS)

    def tasks(self) -> tuple[Task, ...]:
        """Every step of a start, in order."""
        installer = self._installer
        awaiting = (
            () if installer is None else (("PySpark", lambda: await_package("pyspark", installer)),)
        )
        return (
            ("mainstem serve", self._start_backend),
            ("PostgreSQL", self._start_postgres),
            ("S3", self._start_objects),
            ("Kafka", lambda: self.stack.kafka.bootstrap),
            ("schema registry", lambda: self.stack.registry.url),
            ("Kafka Connect", lambda: self.stack.connect.url),
            ("tables of the shop", self._create_tables),
            ("mainstem watch", self._start_watcher),
            ("Debezium source", lambda: self.add(orders.SOURCE)),
            ("orders and bids", self._start_generator),
            ("S3 sink for orders", lambda: self.add(orders.ORDERS_TO_S3)),
            ("S3 sink for both topics", lambda: self.add(orders.ALL_TO_S3)),
            ("objects in the buckets", self._see_objects),
            *awaiting,
            ("tables of the lake", self._create_lake),
            ("Iceberg sink", lambda: self.add(orders.ORDERS_TO_ICEBERG)),
            ("Spark: ingestion", lambda: self._begin(self.ingestion)),
            ("Spark: live analytics", lambda: self._begin(self.live_analytics)),
            ("rows in the lake", self._see_rows),
            ("Spark: summary", self.summarise),
            # Last: a window is told only when it is over, which takes as long as the batch job.
            ("statistics on their topic", self._see_statistics),
            ("the lineage", self._see_lineage),
        )

    def clear(self) -> None:
        """Remove what an earlier run left on the disk."""
        PostgresServer(self._place.services / "postgres").discard()
        shutil.rmtree(self._place.directory, ignore_errors=True)
        self._place.directory.mkdir(parents=True)

    def services(self) -> tuple[Service, ...]:
        """Every process of a lab that has started."""
        stack = self.stack
        return (stack.postgres, stack.kafka, stack.registry, stack.connect, *self._started)

    def stop(self) -> None:
        """End whoever watches and works first, so that nobody sees the rest go down."""
        if "summary" in vars(self):
            self.summary.stop()
        last = [each for each in self._started if each in (self.backend, self.objects)]
        for service in (*reversed([one for one in self._started if one not in last]), *last):
            service.stop()
        self.stack.stop()

    def add(self, name: str) -> str:
        """Create a connector of the scenario, or give it its configuration back."""
        self.connectors.configure(name, orders.CONNECTORS[name](self.addresses))
        self.connectors.wait_until_running(name)
        return f"connector {name}, RUNNING"

    def order_through(self) -> str:
        """Order something, and wait until it lies in the archive."""
        item = f"lantern {secrets.token_hex(4)}"
        number = insert_order(self._dsn, item)

        def archived() -> bool:
            newest = self.objects.newest(orders.ORDERS_BUCKET, 50)
            return any(item.encode() in body for body in newest)

        wait_for(f"order {number} in the archive", archived)
        return f"order {number}: {item}"

    def change_table(self, statement: LiteralString) -> None:
        """Change a table of the shop."""
        self.stack.postgres.execute(statement, database=orders.DATABASE)

    def restart_what_failed(self) -> None:
        """Start the connectors and Spark jobs again that ended without being asked to."""
        for name, states in self.connectors.states().items():
            if "FAILED" in states:
                self.connectors.restart(name)
                self.connectors.wait_until_running(name)
        for job in (self.ingestion, self.live_analytics):
            if not job.is_alive():
                job.start()

    def restart_until_the_lake_grows(self) -> None:
        """Start again what failed, also what gives up only now, until both tables have new rows."""
        before = {table: len(self._data_files(table)) for table in WRITTEN_BY_STREAMS}

        def as_before() -> list[str]:
            return [each for each in before if len(self._data_files(each)) <= before[each]]

        def grown() -> bool:
            self.restart_what_failed()
            return not as_before()

        wait_for("new orders in the lake", grown, as_before)

    def ordering(self, *told_as: str) -> Generator:
        """A generator, with the namespace and the names by which its tables are told, if any."""
        environment = lineage_environment(self._place.openlineage)
        return Generator(self._place.services / "generator", self._dsn, environment, told_as)

    def counting(self, bootstrap: str) -> SparkJob:
        """A stream that counts, and reaches Kafka by this address."""
        return self._stream("live_analytics", bootstrap, counting_job(self.pattern))

    def taking_in(self, script: str, bootstrap: str) -> SparkJob:
        """A stream that fills the lake, and reaches Kafka by this address."""
        return self._stream(script, bootstrap, INGESTION)

    def run_instead(self, **programs: Service) -> None:
        """End some programs, told by their names here, and run others in their place."""
        for name, program in programs.items():
            before: Service = getattr(self, name)
            before.stop()
            self._started[self._started.index(before)] = program
            vars(self)[name] = program
            program.launch()
        for program in programs.values():
            program.wait_until_ready()

    def summarise(self) -> str:
        """Run the batch job to its end."""
        self.summary.run()
        return f"application {SUMMARY_APPLICATION}, ended"

    @property
    def _dsn(self) -> str:
        return self.stack.postgres.dsn(orders.DATABASE)

    def _begin(self, service: Service) -> str:
        self._started.append(service)
        service.start()
        return f"log: {service.log}"

    def _start_backend(self) -> str:
        self._begin(self.backend)
        write_configuration(self._place.openlineage, self.backend.url, self._place.events)
        return self.backend.url

    def _start_objects(self) -> str:
        self._begin(self.objects)
        return self.objects.url

    def _start_postgres(self) -> str:
        return f"{HOST}:{self.stack.postgres.port}"

    def _create_tables(self) -> str:
        self.stack.postgres.create_database(orders.DATABASE)
        self.stack.postgres.execute(*orders.CREATE_TABLES, database=orders.DATABASE)
        return f"orders and bids in database {orders.DATABASE}"

    def _start_watcher(self) -> str:
        self._begin(self.watcher)
        return f"tells {self.backend.url} and {self._place.events}"

    def _start_generator(self) -> str:
        self._begin(self.generator)
        return "an order and a bid every other second"

    def _see_objects(self) -> str:
        seen: dict[str, int] = {}

        def written() -> bool:
            for bucket in (orders.ORDERS_BUCKET, orders.ALL_BUCKET):
                seen[bucket] = len(self.objects.keys(bucket, ""))
            return all(seen.values())

        wait_for("objects in both buckets", written, lambda: [str(seen)])
        return ", ".join(f"s3://{bucket}: {count}" for bucket, count in seen.items())

    def _create_lake(self) -> str:
        self._job("tables", (), "tables").run()
        return f"Iceberg below s3://{lake.BUCKET}/{lake.FOLDER}"

    def _see_rows(self) -> str:
        def missing() -> list[str]:
            return [each for each in WRITTEN_BY_STREAMS if not self._data_files(each)]

        wait_for("data files of both tables", lambda: not missing(), missing)
        return " and ".join(WRITTEN_BY_STREAMS)

    def _data_files(self, table: str) -> list[str]:
        prefix = f"{lake.FOLDER}/{lake.NAMESPACE}/{table}/data/"
        return self.objects.keys(lake.BUCKET, prefix)

    def _see_statistics(self) -> str:
        wait_for("statistics", lambda: has_message(self.addresses.bootstrap, STATISTICS))
        return STATISTICS

    def differences(self) -> list[str]:
        """Where the events on disk or the backend's API tell another graph than is expected."""
        wanted = expected(self.addresses, self.pattern)
        files = map(GrowingFile, self._place.every_events_file())
        told = told_by(json.loads(line) for file in files for line in file.new_lines())
        backend = BackendGraph(self.backend.url, sources(self.addresses))
        return [*difference(wanted, told), *backend_difference(wanted, backend)]

    def _see_lineage(self) -> str:
        wait_for("the lineage", lambda: not self.differences(), self.differences)
        graph = expected(self.addresses, self.pattern)
        counts = (len(graph.nodes), len(graph.edges), len(graph.columns))
        return "{} datasets, {} edges and {} columns, on disk and by the API".format(*counts)

    def _stream(self, script: str, bootstrap: str, told_as: str) -> SparkJob:
        checkpoint = self._place.services / "checkpoints" / told_as
        arguments = (bootstrap, self.addresses.registry, orders.ORDERS, checkpoint)
        return self._job(script, arguments, told_as)

    def _job(self, script: str, arguments: tuple[str | Path, ...], told_as: str) -> SparkJob:
        by_agent = self.pattern.has_agent(script)
        return SparkJob(
            self._place.services / "spark" / script,
            JOBS / f"{self.pattern.script(script)}.py",
            arguments,
            self._agent_environment(script) if by_agent else self._spark_environment,
            events=self._place.events_of_agent(script) if by_agent else self._place.events,
            told_as=told_as,
        )

    @cached_property
    def _spark_environment(self) -> dict[str, str]:
        directory = self._place.services / "spark"
        return {
            **lineage_environment(self._place.openlineage),
            **spark_environment(directory / "java", os.environ),
            **write_spark_defaults(directory, self._spark_settings(SPARK, SPARK_LAKE)),
            # Where a tracked application keeps what it has not delivered yet.
            "XDG_STATE_HOME": str(directory / "state"),
        }

    def _agent_environment(self, script: str) -> dict[str, str]:
        settings = {
            **self._spark_settings(SPARK, SPARK_LAKE, SPARK_AGENT),
            **agent_settings(self.backend.url, self._place.events_of_agent(script)),
        }
        directory = self._place.services / "spark" / f"agent-of-{script}"
        return {**self._spark_environment, **write_spark_defaults(directory, settings)}

    def _spark_settings(self, *names: str) -> dict[str, str]:
        jars = [self._library.ensure(name) for name in names]
        class_path = os.pathsep.join(f"{each}/*" for each in jars)
        return lake.spark_settings(self.addresses, class_path)
