"""What KCQL's names mean in each system: the server of the config, the table of the statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names import cloud, files, messaging, mongodb
from mainstem.names.lake import in_hive_metastore
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.contact_points import with_port

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.kcql import Statement
    from mainstem.watch.transforms.settings import Settings

    Named = Callable[[Settings, str], DatasetName]


class Place(Struct, frozen=True):
    """A system that KCQL statements name things of."""

    read_from: Named
    keeps_fields: bool = False
    """Whether the fields of a value are written under their own names."""

    in_folders: bool = False
    """Whether names are ``bucket:prefix``, and a topic has a folder of its own below the prefix."""

    def written_to(self, config: Settings, statement: Statement, topic: str) -> DatasetName:
        """What a sink's statement writes the records of one topic to."""
        target = statement.target
        if target is None or "$" in target or "WITHTARGET" in statement.clauses:
            raise CannotTell("each record says where it goes")
        if "WITHINDEXSUFFIX" in statement.clauses:
            raise CannotTell("the index's name ends in the date of writing")
        if not self.in_folders:
            return self.read_from(config, topic if target == "*" else target)
        # Partitioned files lie in folders named after values, which come before the topic's.
        below = "" if "PARTITIONBY" in statement.clauses else topic
        separator = "" if ":" in target else ":"
        return self.read_from(config, f"{target}{separator}/{below}")


def _cassandra(config: Settings, table: str) -> DatasetName:
    hosts = config.required("connect.cassandra.contact.points", "connect.cassandra.host")
    servers = with_port(hosts, config.port("connect.cassandra.port"))
    if "." in table:
        return on_server("cassandra", servers, table)
    return on_server("cassandra", servers, config.required("connect.cassandra.key.space"), table)


def _mongo(config: Settings, collection: str) -> DatasetName:
    address = config.required("connect.mongo.connection")
    return mongodb.collection(address, config.required("connect.mongo.db"), collection)


def _cosmos(prefix: str) -> Named:
    def container(config: Settings, name: str) -> DatasetName:
        endpoint = config.required(f"{prefix}.endpoint")
        return cloud.cosmos(endpoint, config.required(f"{prefix}.db"), name)

    return container


def _search(system: str, prefix: str) -> Named:
    def index(config: Settings, name: str) -> DatasetName:
        hosts = config.required(f"{prefix}.hosts", f"{prefix}.url")
        return on_server(system, with_port(hosts, config.port(f"{prefix}.port") or "9300"), name)

    return index


def _redis(config: Settings, key: str) -> DatasetName:
    host = config.required("connect.redis.host")
    return on_server("redis", with_port(host, config.port("connect.redis.port")), key)


def _influx(config: Settings, measurement: str) -> DatasetName:
    url = config.required("connect.influx.url")
    return on_server("influxdb", url, config.required("connect.influx.db"), measurement)


def _jms(config: Settings, destination: str) -> DatasetName:
    return on_server("jms", config.required("connect.jms.url"), destination)


def _mqtt(config: Settings, topic: str) -> DatasetName:
    return on_server("mqtt", config.required("connect.mqtt.hosts"), topic)


def _kudu(config: Settings, table: str) -> DatasetName:
    return on_server("kudu", config.required("connect.kudu.master"), table)


def _hive(config: Settings, table: str) -> DatasetName:
    metastore = config.required("connect.hive.metastore.uris", "connect.hive.hive.metastore.uris")
    database = config.text("connect.hive.database.name", "default")
    return in_hive_metastore(metastore, f"{database}.{table}")


def _s3(_config: Settings, name: str) -> DatasetName:
    bucket, _, prefix = name.partition(":")
    return files.s3(bucket, files.join_path(prefix))


def _gcs(_config: Settings, name: str) -> DatasetName:
    bucket, _, prefix = name.partition(":")
    return files.gcs(bucket, files.join_path(prefix))


def _data_lake(config: Settings, name: str) -> DatasetName:
    container, _, prefix = name.partition(":")
    account = config.required("connect.datalake.azure.account.name")
    return files.azure_data_lake(container, account, files.join_path(prefix))


def _pubsub(config: Settings, subscription: str) -> DatasetName:
    project = config.required("connect.pubsub.gcp.project.id")
    return messaging.pubsub_subscription(project, subscription)


def _event_hubs(config: Settings, hub: str) -> DatasetName:
    servers = config.required("connect.eventhubs.source.connection.settings.bootstrap.servers")
    return messaging.event_hub(servers, hub)


def _service_bus(config: Settings, name: str) -> DatasetName:
    # Only the endpoint of the connection string gets here: the rest is a secret.
    endpoint = config.required("connect.servicebus.connection.string").removeprefix("Endpoint=")
    return messaging.service_bus(endpoint.rstrip("/"), name)


PLACES: dict[str, Place] = {
    "cassandra": Place(_cassandra, keeps_fields=True),
    "cosmosdb": Place(_cosmos("connect.cosmosdb"), keeps_fields=True),
    "documentdb": Place(_cosmos("connect.documentdb"), keeps_fields=True),
    "datalake": Place(_data_lake, keeps_fields=True, in_folders=True),
    "elastic": Place(_search("elasticsearch", "connect.elastic"), keeps_fields=True),
    "eventhubs": Place(_event_hubs),
    "gcpstorage": Place(_gcs, keeps_fields=True, in_folders=True),
    "hive": Place(_hive, keeps_fields=True),
    "influx": Place(_influx),
    "jms": Place(_jms),
    "kudu": Place(_kudu, keeps_fields=True),
    "mongo": Place(_mongo, keeps_fields=True),
    "mqtt": Place(_mqtt),
    "opensearch": Place(_search("opensearch", "connect.opensearch"), keeps_fields=True),
    "pubsub": Place(_pubsub),
    "redis": Place(_redis),
    "s3": Place(_s3, keeps_fields=True, in_folders=True),
    "servicebus": Place(_service_bus),
}
"""By the word after ``connect.`` in the key that holds the KCQL."""

READS = (
    "connect.cassandra.contact.points",
    "connect.cassandra.host",
    "connect.cassandra.key.space",
    "connect.cassandra.port",
    "connect.cosmosdb.db",
    "connect.cosmosdb.endpoint",
    "connect.datalake.azure.account.name",
    "connect.documentdb.db",
    "connect.documentdb.endpoint",
    "connect.elastic.hosts",
    "connect.elastic.port",
    "connect.elastic.url",
    "connect.eventhubs.source.connection.settings.bootstrap.servers",
    "connect.hive.database.name",
    "connect.hive.hive.metastore.uris",
    "connect.hive.metastore.uris",
    "connect.influx.db",
    "connect.influx.url",
    "connect.jms.url",
    "connect.kudu.master",
    "connect.mongo.connection",
    "connect.mongo.db",
    "connect.mqtt.hosts",
    "connect.opensearch.hosts",
    "connect.opensearch.port",
    "connect.pubsub.gcp.project.id",
    "connect.redis.host",
    "connect.redis.port",
    "connect.servicebus.connection.string",
)
