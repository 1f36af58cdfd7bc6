"""Write the list of Maven files that the lab runs: resolve, download, hash.

Run it after changing a version below, and read the diff. The mainstem itself resolves nothing:
it fetches exactly what the list names.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from jgo.maven import MavenContext

from mainstem.lab.services.artefacts import PINS, sha256_of
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.library import (
    APICURIO,
    AVRO,
    CAMEL_S3,
    DEBEZIUM_JDBC,
    DEBEZIUM_POSTGRES,
    DELTA,
    ICEBERG,
    KAFKA,
    SPARK,
    SPARK_AGENT,
    SPARK_LAKE,
)
from mainstem.lab.services.maven import HTTP_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Iterable

KAFKA_VERSION = "4.3.1"
KAFKA_PARTS = (
    "kafka_2.13",
    "connect-runtime",
    "connect-json",
    "connect-file",
    "connect-transforms",
    "connect-mirror",
    "connect-basic-auth-extension",
    "kafka-tools",
)
# Without a binding for slf4j neither broker nor worker writes a log.
LOGGING = "org.apache.logging.log4j:log4j-slf4j-impl:2.25.4"
DEBEZIUM_VERSION = "3.6.1.Final"
# What Spark 4.1.3 is given beside its own jars. The token provider and Avro are of the nearest
# version that can be had; with dependencies, a second Spark would come along.
SPARK_FILES = (
    "org.apache.commons:commons-pool2:2.12.1",
    "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    "org.apache.kafka:kafka-clients:3.9.1",
    "org.apache.spark:spark-avro_2.13:4.1.1",
    "org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.3",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.1.0-preview1",
    "org.postgresql:postgresql:42.7.8",
)
# 1.54.0 cannot be had from Maven Central.
AGENT_FILES = ("io.openlineage:openlineage-spark_2.13:1.53.0",)
DELTA_FILES = ("io.delta:delta-spark_4.1_2.13:4.1.0", "io.delta:delta-storage:4.1.0")
# The sink was not released with the others.
DEBEZIUM_JDBC_VERSION = "3.6.0.Final"
APICURIO_VERSION = "3.3.3"
ICEBERG_VERSION = "1.12.0"
# A bundle of Amazon's SDK in place of its forty jars, and a catalog that needs no server.
LAKE_FILES = (
    f"org.apache.iceberg:iceberg-aws-bundle:{ICEBERG_VERSION}",
    "org.xerial:sqlite-jdbc:3.50.3.0",
)
AVRO_FILES = ("com.snowflake:snowflake-kafka-connector:2.5.0",)
CAMEL = (
    "org.apache.camel.kafkaconnector:camel-kafka-connector:0.11.0",
    "org.apache.camel:camel-aws2-s3:3.11.1",
)
ICEBERG_SINK = (
    f"org.apache.iceberg:iceberg-kafka-connect:{ICEBERG_VERSION}",
    f"org.apache.iceberg:iceberg-aws:{ICEBERG_VERSION}",
    f"org.apache.iceberg:iceberg-orc:{ICEBERG_VERSION}",
    f"org.apache.iceberg:iceberg-parquet:{ICEBERG_VERSION}",
)
# Iceberg expects Hadoop to be there already, whatever the table lies on; shaded, it is two jars.
HADOOP_FILES = (
    "org.apache.hadoop:hadoop-client-api:3.4.2",
    "org.apache.hadoop:hadoop-client-runtime:3.4.2",
)
# What a worker has itself, and what neither a sink to S3 nor one to Iceberg on S3 calls.
NEEDLESS = re.compile(
    r"org\.apache\.kafka:|org\.slf4j:|io\.apicurio:|com\.squareup|org\.jetbrains|com\.worldturner"
    r"|com\.google\.protobuf:|io\.netty:|com\.typesafe\.netty:|netty-nio-client:|camel-kafka:"
    r"|org\.codehaus\.jackson:|javax\.ws\.rs:|org\.jboss\.spec"
)
NEEDLESS_FOR_CAMEL = re.compile(
    rf"{NEEDLESS.pattern}|org\.apache\.avro:|jackson-dataformat-avro:|paranamer:|commons-compress:"
    r"|org\.tukaani:|org\.lz4:|snappy-java:|zstd-jni:"
)


def with_dependencies(
    context: MavenContext,
    coordinates: Iterable[str],
    without: re.Pattern[str] = re.compile(r"(?!)"),
) -> dict[str, str]:
    # The "!" makes jgo take a coordinate for itself and not for a list of versions of others.
    wanted = [context.create_dependency(f"{coordinate}!") for coordinate in coordinates]
    for dependency in wanted:
        dependency.scope = "compile"
    roots, others = context.resolver.resolve(wanted)
    artefacts = (dependency.artifact for dependency in (*roots, *others))
    kept = [each for each in artefacts if not without.search(str(each))]
    return {str(each): sha256_of(each.resolve()) for each in sorted(kept, key=str)}


def archive_of(
    context: MavenContext, group: str, name: str, version: str, classifier: str
) -> dict[str, str]:
    component = context.project(group, name).at_version(version)
    archive = component.artifact(classifier=classifier, packaging="tar.gz")
    return {str(archive): sha256_of(archive.resolve())}


def single_files(context: MavenContext, coordinates: tuple[str, ...]) -> dict[str, str]:
    parts = (coordinate.split(":") for coordinate in coordinates)
    jars = [context.project(group, name).at_version(version) for group, name, version in parts]
    files = [jar.artifact(packaging="jar") for jar in jars]
    return {str(file): sha256_of(file.resolve()) for file in files}


def main() -> None:
    context = MavenContext(repo_cache=mainstem_home(os.environ) / "maven", timeout=HTTP_TIMEOUT)
    kafka = [f"org.apache.kafka:{part}:{KAFKA_VERSION}" for part in KAFKA_PARTS]
    debezium = ("io.debezium", "debezium-connector-postgres", DEBEZIUM_VERSION, "plugin")
    jdbc = ("io.debezium", "debezium-connector-jdbc", DEBEZIUM_JDBC_VERSION, "plugin")
    apicurio = ("io.apicurio", "apicurio-registry-app", APICURIO_VERSION, "all")
    pins = {
        KAFKA: with_dependencies(context, [*kafka, LOGGING]),
        SPARK: single_files(context, SPARK_FILES),
        DELTA: single_files(context, DELTA_FILES),
        SPARK_AGENT: single_files(context, AGENT_FILES),
        DEBEZIUM_POSTGRES: archive_of(context, *debezium),
        DEBEZIUM_JDBC: archive_of(context, *jdbc),
        APICURIO: archive_of(context, *apicurio),
        AVRO: single_files(context, AVRO_FILES),
        CAMEL_S3: with_dependencies(context, CAMEL, NEEDLESS_FOR_CAMEL),
        ICEBERG: with_dependencies(context, ICEBERG_SINK, NEEDLESS)
        | single_files(context, (*HADOOP_FILES, *LAKE_FILES)),
        SPARK_LAKE: single_files(context, LAKE_FILES),
    }
    PINS.write_text(json.dumps(pins, indent=2) + "\n")
    print(f"{sum(map(len, pins.values()))} files pinned in {PINS.name}")


if __name__ == "__main__":
    main()
