"""What a connector's config means: one family per kind of connector, listed here by hand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers import plugins, reports
from mainstem.watch.resolvers.columns import with_columns
from mainstem.watch.resolvers.dead_ends import without_dead_ends
from mainstem.watch.resolvers.declared import with_lifecycle_smt, with_recipe
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.families import (
    aiven_storage,
    aws_messaging,
    azure_messaging,
    azure_sql_dw,
    bigquery,
    bigtable,
    camel,
    cassandra,
    clickhouse,
    confluent_storage_sinks,
    confluent_storage_sources,
    cosmos,
    couchbase,
    databricks,
    datagen,
    datastax,
    debezium,
    debezium_mongodb_sink,
    dynamodb_sink,
    dynamodb_source,
    elasticsearch,
    file_pulse,
    file_sources,
    file_stream,
    generic,
    getindata_iceberg,
    hbase,
    http,
    hudi,
    iceberg,
    influxdb,
    jdbc_sink,
    jdbc_source,
    jms,
    kudu,
    kusto,
    lenses_ftp,
    mirror_maker,
    mongodb_sink,
    mongodb_source,
    mqtt,
    msk_data_generator,
    neo4j,
    opensearch,
    oracle_cdc,
    pubsub,
    questdb,
    rabbitmq,
    redis_sink,
    redis_source,
    redshift,
    replicator,
    saas_entities,
    salesforce,
    sap_hana,
    servicenow,
    singlestore,
    snowflake,
    snowflake_source,
    spanner,
    splunk,
    stream_reactor,
    vertica,
)
from mainstem.watch.resolvers.model import (
    Connector,
    ControlTopic,
    Direction,
    Reads,
    Resolution,
    Resolver,
    Unresolved,
)
from mainstem.watch.resolvers.pick import FamilyPicker
from mainstem.watch.resolvers.tidy import tidy
from mainstem.watch.resolvers.topic_schemas import with_topic_schemas
from mainstem.watch.transforms import chain

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

FAMILIES: tuple[Resolver, ...] = (
    aiven_storage.RESOLVER,
    aws_messaging.RESOLVER,
    azure_messaging.RESOLVER,
    azure_sql_dw.RESOLVER,
    bigquery.RESOLVER,
    bigtable.RESOLVER,
    camel.RESOLVER,
    cassandra.RESOLVER,
    clickhouse.RESOLVER,
    confluent_storage_sinks.RESOLVER,
    confluent_storage_sources.RESOLVER,
    cosmos.RESOLVER,
    couchbase.RESOLVER,
    databricks.RESOLVER,
    datagen.RESOLVER,
    datastax.RESOLVER,
    debezium.RESOLVER,
    debezium_mongodb_sink.RESOLVER,
    dynamodb_sink.RESOLVER,
    dynamodb_source.RESOLVER,
    elasticsearch.RESOLVER,
    file_pulse.RESOLVER,
    file_sources.RESOLVER,
    file_stream.RESOLVER,
    getindata_iceberg.RESOLVER,
    hbase.RESOLVER,
    http.RESOLVER,
    hudi.RESOLVER,
    iceberg.RESOLVER,
    influxdb.RESOLVER,
    jdbc_sink.RESOLVER,
    jdbc_source.RESOLVER,
    jms.RESOLVER,
    kudu.RESOLVER,
    kusto.RESOLVER,
    lenses_ftp.RESOLVER,
    mirror_maker.RESOLVER,
    mongodb_sink.RESOLVER,
    mongodb_source.RESOLVER,
    mqtt.RESOLVER,
    msk_data_generator.RESOLVER,
    neo4j.RESOLVER,
    opensearch.RESOLVER,
    oracle_cdc.RESOLVER,
    pubsub.RESOLVER,
    questdb.RESOLVER,
    rabbitmq.RESOLVER,
    redis_sink.RESOLVER,
    redis_source.RESOLVER,
    redshift.RESOLVER,
    replicator.RESOLVER,
    saas_entities.RESOLVER,
    salesforce.RESOLVER,
    sap_hana.RESOLVER,
    servicenow.RESOLVER,
    singlestore.RESOLVER,
    snowflake.RESOLVER,
    snowflake_source.RESOLVER,
    spanner.RESOLVER,
    splunk.RESOLVER,
    stream_reactor.RESOLVER,
    vertica.RESOLVER,
)
"""Every family that comes with Mainstem; a class that none of them answers for is generic."""

_EVERY_CONNECTOR = (
    "connector.class",
    "topics",
    "topics.regex",
    "errors.deadletterqueue.topic.name",
    "producer.override.bootstrap.servers",
    "consumer.override.bootstrap.servers",
    *reports.READS,
)

TOPICS_TWICE = "topics and topics.regex are both set, which Connect refuses; topics is taken"


def resolve(connector: Connector) -> Resolution | Unresolved:
    """What a connector reads and writes; never raises, whatever the config holds."""
    family = generic.RESOLVER
    notes = connector.notes
    try:
        settings = settings_of(connector)
        connector_class = settings.get("connector.class", "")
        family = _picker().pick(connector_class, settings) or generic.RESOLVER
        direction = direction_of(connector, connector_class)
        notes = (*notes, *_contradictions(connector, connector_class))
        if direction is Direction.SINK and _names_topics_twice(settings):
            notes = (*notes, TOPICS_TWICE)
        known = Connector(  # as replace would make it, in a tenth of its time
            connector.name,
            direction,
            settings,
            connector.kafka_namespace,
            connector.topics,
            connector.tasks,
            connector.provided,
            connector.fields,
            connector.declared,
            notes,
        )
        return _completed(known, family, family.resolve(known))
    except CannotTell as unknown:
        return Unresolved(family.name, unknown.reason, notes)
    except Exception as failure:  # noqa: BLE001 - the one guard: a family's mistake is one connector's
        # The message may quote a config value, so only the kind of failure is told.
        return Unresolved(family.name, f"the {family.name} family failed: {type(failure).__name__}")


def reads() -> Reads:
    """The config keys that any family or transform needs; no others may leave ``connect``."""
    chain_names, chain_patterns = chain.reads()
    names = {*_EVERY_CONNECTOR, *chain_names, *generic.RESOLVER.reads.names}
    patterns = set(chain_patterns)
    for family in _families():
        names.update(family.reads.names)
        patterns.update(family.reads.patterns)
    return Reads(tuple(sorted(names)), tuple(sorted(patterns)))


@cache
def _families() -> tuple[Resolver, ...]:
    others, _ = plugins.load()
    return (*others, *FAMILIES)


@cache
def _picker() -> FamilyPicker:
    return FamilyPicker(_families())


def direction_of(connector: Connector, connector_class: str) -> Direction:
    """What REST says, or where it says nothing what the class and the keys say."""
    if connector.direction is not Direction.UNKNOWN:
        return connector.direction
    simple_name = connector_class.rpartition(".")[2].lower()
    if any(word in simple_name for word in ("source", "cdc", "datagen")):
        return Direction.SOURCE
    named_a_sink = "sink" in simple_name or {"topics", "topics.regex"} & connector.config.keys()
    return Direction.SINK if named_a_sink else Direction.SOURCE


def _contradictions(connector: Connector, connector_class: str) -> tuple[str, ...]:
    """What is odd about the type that was said; it stands, since a class may be called anything."""
    simple_name = connector_class.rpartition(".")[2].lower()
    said = connector.direction
    named = [word for word in (Direction.SOURCE, Direction.SINK) if word in simple_name]
    if said is Direction.UNKNOWN or len(named) != 1 or said in named:
        return ()
    return (f"the type says {said.value}, but the class is called a {named[0].value}",)


def _names_topics_twice(settings: Settings) -> bool:
    try:
        return bool(settings.first("topics.regex") and settings.first("topics"))
    except CannotTell:
        return False


def _completed(
    connector: Connector, family: Resolver, told: Resolution | Unresolved
) -> Resolution | Unresolved:
    """The family's answer with what holds for every connector and what the user says."""
    if isinstance(told, Unresolved):
        if not connector.declared.says_something:
            return replace(told, notes=(*told.notes, *connector.notes))
        told = Resolution(told.family, unresolved=(told.reason,), notes=told.notes)
    told = without_dead_ends(connector, told)
    told = with_lifecycle_smt(connector, told)
    told = with_recipe(connector, told)
    told = with_columns(connector, family.columns, with_topic_schemas(connector, told))
    if connector.notes:
        told = replace(told, notes=(*told.notes, *connector.notes))
    return tidy(told, own_topics=_own_topics(connector))


def _own_topics(connector: Connector) -> tuple[ControlTopic, ...]:
    if connector.direction is not Direction.SINK:
        return ()
    return (*_dead_letters(connector), *reports.report_topics(connector))


def _dead_letters(connector: Connector) -> tuple[ControlTopic, ...]:
    try:
        name = settings_of(connector).first("errors.deadletterqueue.topic.name")
    except CannotTell:
        return ()
    return (control_topic(connector, name, "dead-letter"),) if name else ()
