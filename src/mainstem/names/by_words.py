"""A dataset from the words that a person types: what it is, where, and its name there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import cloud, files, kafka, lake, messaging, web
from mainstem.names.dataset import DatasetName
from mainstem.names.jdbc import jdbc_dataset, jdbc_location
from mainstem.names.jdbc.tables import jdbc_table
from mainstem.names.servers import DEFAULT_PORTS, server_namespace
from mainstem.names.warehouse_hosts import redshift_namespace, snowflake_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_WHERE_AND_WHAT: Mapping[str, Callable[[str, str], DatasetName]] = {
    "abfss": lambda place, path: files.azure_data_lake(
        *_two(place, "@", "CONTAINER@ACCOUNT"), path
    ),
    "athena": lambda region, name: cloud.athena(region, *_three(name, "CATALOG.DATABASE.TABLE")),
    "bigtable": lambda place, table: cloud.bigtable(*_two(place, ":", "PROJECT:INSTANCE"), table),
    "cosmos": lambda host, name: cloud.cosmos(host, *_two(name, ".", "DATABASE.CONTAINER")),
    "dynamodb": cloud.dynamodb,
    "eventhubs": messaging.event_hub,
    "firehose": lambda region, stream: messaging.firehose_stream(stream, region),
    "kusto": lambda host, name: cloud.kusto(host, *_two(name, ".", "DATABASE.TABLE")),
    "glue": lambda place, name: lake.in_glue(
        *_two(place, ":", "REGION:ACCOUNT"), *_two(name, ".", "DATABASE.TABLE")
    ),
    "gs": files.gcs,
    "hdfs": files.hdfs,
    "kafka": lambda servers, topic: kafka.topic(kafka.cluster_namespace(servers), topic),
    "kinesis": lambda region, stream: messaging.kinesis_stream(stream, region),
    "lambda": lambda region, function: messaging.lambda_function(function, region),
    "pubsub-subscription": messaging.pubsub_subscription,
    "pubsub-topic": messaging.pubsub_topic,
    "redshift": lambda host, name: DatasetName(redshift_namespace(host), name),
    "s3": files.s3,
    "servicebus": messaging.service_bus,
    "sftp": files.remote_file,
    "snowflake": lambda account, name: DatasetName(snowflake_namespace(account), name),
    "sns": lambda region, topic: messaging.sns_topic(topic, region),
    "spanner": lambda place, name: cloud.spanner(
        *_two(place, ":", "PROJECT:INSTANCE"), *_two(name, ".", "DATABASE.TABLE")
    ),
    "sqs": lambda region, queue: messaging.sqs_queue(queue, region),
    "wasbs": lambda place, path: files.azure_blob(*_two(place, "@", "CONTAINER@ACCOUNT"), path),
}
_WHAT_ALONE: Mapping[str, Callable[[str], DatasetName]] = {
    "bigquery": lambda name: DatasetName("bigquery", name),
    "file": files.local_file,
    "http": web.http_endpoint,
    "location": lake.at_location,
}
_BUCKETS = frozenset({"abfss", "gs", "s3", "wasbs"})
_JDBC_WORDS = 2
_STORE_WORDS = 3


def kinds() -> tuple[str, ...]:
    """The words that a store may be called by, besides JDBC URLs."""
    return tuple(sorted({*_WHERE_AND_WHAT, *_WHAT_ALONE, *DEFAULT_PORTS}))


def dataset_from_words(words: Sequence[str]) -> DatasetName:
    """The dataset that a JDBC URL and a table, or a kind, a place and a name mean.

    >>> dataset_from_words(["kafka", "b1:9092,b2:9092", "orders"])
    DatasetName(namespace='kafka://b1:9092', name='orders')
    >>> dataset_from_words(["glue", "eu-west-3:000000000000", "shop.orders"])
    DatasetName(namespace='arn:aws:glue:eu-west-3:000000000000', name='table/shop/orders')
    """
    first = words[0].lower() if words else ""
    if not all(word.strip() for word in words):
        raise CannotTell(f"a word is empty in: {' '.join(map(repr, words))}")
    if is_jdbc(words):
        return jdbc_dataset(words[0], words[1])
    if first in _WHAT_ALONE and _is_without_place(words):
        return _WHAT_ALONE[first](words[-1])
    if first in _WHERE_AND_WHAT and len(words) == _STORE_WORDS:
        return _WHERE_AND_WHAT[first](_place(first, words[1]), words[2])
    if first in DEFAULT_PORTS and len(words) == _STORE_WORDS:
        return DatasetName(server_namespace(first, words[1]), words[2])
    raise CannotTell(_what_is_expected(first))


def _is_without_place(words: Sequence[str]) -> bool:
    """Whether the place, which some kinds have none of, is left out or a hyphen."""
    return len(words) == _STORE_WORDS - 1 or (len(words) == _STORE_WORDS and words[1] == "-")


def _place(kind: str, place: str) -> str:
    if kind in _BUCKETS and "://" in place:
        raise CannotTell(
            f"the place {place!r} is a URL; after {kind} it is the bucket's name alone"
        )
    return place


def _what_is_expected(first: str) -> str:
    if first in _WHAT_ALONE:
        return f"after {first}, a name alone is expected"
    if first in kinds():
        return f"after {first}, a place and a name are expected, such as: kafka b1:9092 orders"
    return (
        f"{first!r} is no kind of store: a JDBC URL and a table are expected, or a kind, a place "
        f"and a name, such as: kafka b1:9092 orders; kinds without a place: "
        f"{', '.join(_WHAT_ALONE)}; kinds: {', '.join(kinds())}"
    )


def connector_name_differs(words: Sequence[str]) -> str | None:
    """A sentence where a connector's table of these words has a longer name than Spark's.

    >>> connector_name_differs(["jdbc:postgresql://db/shop", "orders"])
    "the table names no schema: Spark says shop.orders, and a connector's is shop.public.orders"
    """
    if not is_jdbc(words):
        return None
    spark = jdbc_dataset(words[0], words[1])
    try:
        connectors = jdbc_table(jdbc_location(words[0]), words[1].split("."))
    except CannotTell as unknown:
        return f"a connector's table of these words cannot be told: {unknown.reason}"
    if spark == connectors:
        return None
    return (
        f"the table names no schema: Spark says {spark.name}, "
        f"and a connector's is {connectors.name}"
    )


def is_jdbc(words: Sequence[str]) -> bool:
    """Whether the words are a JDBC URL and a table."""
    return len(words) == _JDBC_WORDS and words[0].lower().startswith("jdbc:")


def _two(text: str, separator: str, form: str) -> tuple[str, str]:
    one, _, other = text.partition(separator)
    if not one.strip() or not other.strip():
        raise CannotTell(f"{text!r} is not of the form {form}")
    return one, other


def _three(text: str, form: str) -> tuple[str, str, str]:
    parts = text.split(".")
    if len(parts) != _STORE_WORDS or not all(part.strip() for part in parts):
        raise CannotTell(f"{text!r} is not of the form {form}")
    return parts[0], parts[1], parts[2]


def words_of_line(line: str) -> list[str]:
    r"""The words of one line; a JDBC URL may hold blanks and backslashes.

    >>> words_of_line("jdbc:sqlserver://h\\i dbo.t")
    ['jdbc:sqlserver://h\\i', 'dbo.t']
    """
    text = line.strip()
    words = text.split("\t") if "\t" in text else text.split()
    if text.lstrip("'\"").lower().startswith("jdbc:") and len(words) > _JDBC_WORDS:
        words = text.rsplit(maxsplit=1)
    return [word.strip().strip("'\"") for word in words]
