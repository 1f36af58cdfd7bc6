"""What each Camel component reads or writes, by its options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import cloud, files, kafka, messaging
from mainstem.names.servers import on_server
from mainstem.names.web import http_endpoint
from mainstem.watch.resolvers.camel import sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.camel.endpoint import CamelEndpoint

_CQL_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE)\s+(?:\"?(\w+)\"?\.)?\"?(\w+)\"?", re.IGNORECASE)
_MADE_UP = frozenset({"counter", "cron", "quartz", "scheduler", "timer"})


def datasets_of(endpoint: CamelEndpoint, *, reads: bool) -> tuple[DatasetName, ...]:
    """What an endpoint names; ``reads`` tells a source's endpoint from a sink's."""
    if endpoint.component in sql.COMPONENTS:
        return sql.tables_of(endpoint, reads=reads)
    if endpoint.component in _MADE_UP:
        return ()
    by_direction = _BY_DIRECTION.get(endpoint.component)
    if by_direction is not None:
        return (by_direction(endpoint, reads),)
    named = _PLACES.get(endpoint.component)
    if named is None:
        raise CannotTell("what this Camel component stores is not known")
    return (named(endpoint),)


def _s3(endpoint: CamelEndpoint) -> DatasetName:
    bucket = endpoint.required("bucketnameorarn", "bucketname").rpartition(":")[2]
    return files.s3(bucket, endpoint.first("prefix", "keyname") or "")


def _gcs(endpoint: CamelEndpoint) -> DatasetName:
    return files.gcs(endpoint.required("bucketnameorarn", "bucketname"), "")


def _azure_blob(endpoint: CamelEndpoint) -> DatasetName:
    path = endpoint.first("blobname", "prefix") or ""
    return files.azure_blob(
        endpoint.required("containername"), endpoint.required("accountname"), path
    )


def _data_lake(endpoint: CamelEndpoint) -> DatasetName:
    container = endpoint.required("filesystemname")
    path = files.join_path(
        endpoint.first("directoryname", "path") or "", endpoint.first("filename") or ""
    )
    return files.azure_data_lake(container, endpoint.required("accountname"), path)


def _local_file(endpoint: CamelEndpoint) -> DatasetName:
    path = endpoint.required("directoryname", "path")
    if not path.startswith("/"):
        raise CannotTell("the folder is relative to one that only the worker knows")
    return files.local_file(files.join_path(path, endpoint.first("filename") or ""))


def _remote_file(endpoint: CamelEndpoint) -> DatasetName:
    folder = "/" + (endpoint.first("directoryname") or "").strip("/")
    path = files.join_path(folder, endpoint.first("filename") or "") or "/"
    return files.remote_file(endpoint.required("host", "connectionhost"), path)


def _kinesis(endpoint: CamelEndpoint) -> DatasetName:
    return messaging.kinesis_stream(
        endpoint.required("streamname", "stream"), endpoint.first("region")
    )


def _firehose(endpoint: CamelEndpoint) -> DatasetName:
    return messaging.firehose_stream(endpoint.required("streamname"), endpoint.first("region"))


def _sqs(endpoint: CamelEndpoint) -> DatasetName:
    return messaging.sqs_queue(endpoint.required("queuenameorarn"), endpoint.first("region"))


def _sns(endpoint: CamelEndpoint) -> DatasetName:
    return messaging.sns_topic(endpoint.required("topicnameorarn"), endpoint.first("region"))


def _lambda(endpoint: CamelEndpoint) -> DatasetName:
    return messaging.lambda_function(endpoint.required("function"), endpoint.first("region"))


def _dynamodb(endpoint: CamelEndpoint) -> DatasetName:
    return cloud.dynamodb(endpoint.required("region"), endpoint.required("tablename", "table"))


def _event_hub(endpoint: CamelEndpoint) -> DatasetName:
    return messaging.event_hub(
        endpoint.required("namespace", "namespacename"), endpoint.required("eventhubname")
    )


def _http(endpoint: CamelEndpoint) -> DatasetName:
    url = endpoint.required("httpuri", "url")
    return http_endpoint(url if "://" in url else f"{endpoint.component}://{url}")


def _jms(endpoint: CamelEndpoint) -> DatasetName:
    broker = endpoint.required("brokerurl", "remoteuri")
    return on_server("jms", broker, endpoint.required("destinationname"))


def _ibm_mq(endpoint: CamelEndpoint) -> DatasetName:
    server = f"{endpoint.required('servername')}:{endpoint.first('serverport') or '1414'}"
    return on_server("ibmmq", server, endpoint.required("destinationname"))


def _mqtt(endpoint: CamelEndpoint) -> DatasetName:
    return on_server("mqtt", endpoint.required("brokerurl"), endpoint.required("topic"))


def _mongodb(endpoint: CamelEndpoint) -> DatasetName:
    hosts = endpoint.required("hosts")
    return on_server(
        "mongodb", hosts, endpoint.required("database"), endpoint.required("collection")
    )


def _cassandra(endpoint: CamelEndpoint) -> DatasetName:
    host = endpoint.required("hosts", "connectionhost")
    table = _CQL_TABLE.search(endpoint.required("cql", "query"))
    if table is None:
        raise CannotTell("the CQL names no table")
    server = f"{host}:{endpoint.first('port', 'connectionport') or '9042'}"
    keyspace = table[1] or endpoint.required("keyspace")
    return on_server("cassandra", server, keyspace, table[2])


def _elasticsearch(endpoint: CamelEndpoint) -> DatasetName:
    return on_server(
        "elasticsearch", endpoint.required("hostaddresses"), endpoint.required("indexname")
    )


def _kafka(endpoint: CamelEndpoint) -> DatasetName:
    servers = endpoint.required("brokers", "bootstrapservers")
    return kafka.topic(kafka.cluster_namespace(servers), endpoint.required("topic"))


def _pubsub(endpoint: CamelEndpoint, reads: bool) -> DatasetName:
    project = endpoint.required("projectid")
    name = endpoint.required("destinationname", "subscriptionname", "topicid")
    named = messaging.pubsub_subscription if reads else messaging.pubsub_topic
    return named(project, name)


def _rabbitmq(endpoint: CamelEndpoint, reads: bool) -> DatasetName:
    host = endpoint.required("hostname", "host", "addresses")
    port = endpoint.first("portnumber", "port")
    name = ("queue", "queues", "exchangename") if reads else ("exchangename", "queue")
    return on_server("amqp", f"{host}:{port}" if port else host, endpoint.required(*name))


_BY_DIRECTION: dict[str, Callable[[CamelEndpoint, bool], DatasetName]] = {
    "googlepubsub": _pubsub,
    "rabbitmq": _rabbitmq,
}
_PLACES: dict[str, Callable[[CamelEndpoint], DatasetName]] = {
    "awsddb": _dynamodb,
    "awskinesis": _kinesis,
    "awskinesisfirehose": _firehose,
    "awslambda": _lambda,
    "awss3": _s3,
    "awssns": _sns,
    "awssqs": _sqs,
    "azureeventhubs": _event_hub,
    "azurestorageblob": _azure_blob,
    "azurestoragedatalake": _data_lake,
    "cql": _cassandra,
    "elasticsearch": _elasticsearch,
    "file": _local_file,
    "filewatch": _local_file,
    "ftp": _remote_file,
    "googlestorage": _gcs,
    "http": _http,
    "https": _http,
    "jms": _jms,
    "jmsibmmq": _ibm_mq,
    "kafka": _kafka,
    "minio": _s3,
    "mongodb": _mongodb,
    "mqtt": _mqtt,
}
