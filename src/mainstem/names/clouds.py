"""Stores that a cloud runs: a region, a project or an account instead of a server."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority
from mainstem.names.servers import dotted

_REDSHIFT_HOST = re.compile(
    r"(?P<cluster>[^.:]+)\.[^.:]+\.(?P<region>[a-z0-9-]+)\.redshift(?:-serverless)?\.amazonaws\.com(?:\.cn)?(?::(?P<port>\d+))?"
)
_WEB_PORTS = {"http": 80, "https": 443}


def bigquery(project: str, dataset: str, table: str) -> DatasetName:
    """A BigQuery table."""
    return DatasetName("bigquery", dotted(project, dataset, table))


def snowflake(account_host: str, database: str, schema: str, table: str) -> DatasetName:
    """A Snowflake table; the account may be given as its URL."""
    return DatasetName(
        f"snowflake://{snowflake_account(account_host)}", dotted(database, schema, table)
    )


def snowflake_account(host: str) -> str:
    """The account in a Snowflake host name.

    >>> snowflake_account("https://xy12345.eu-west-3.aws.snowflakecomputing.com:443")
    'xy12345.eu-west-3.aws'
    """
    return re.sub(r":\d+$", "", authority(host)).removesuffix(".snowflakecomputing.com")


def redshift(host: str, database: str, schema: str, table: str) -> DatasetName:
    """A Redshift table; the cluster and region are taken out of its endpoint."""
    return DatasetName(redshift_namespace(host), dotted(database, schema, table))


def redshift_namespace(host: str) -> str:
    """The namespace of a Redshift endpoint.

    >>> redshift_namespace("shop.abc123.eu-west-3.redshift.amazonaws.com")
    'redshift://shop.eu-west-3:5439'
    """
    servers = authority(host, 5439)
    found = _REDSHIFT_HOST.fullmatch(servers)
    if found is None:
        return f"redshift://{servers}"
    return f"redshift://{found['cluster']}.{found['region']}:{found['port']}"


def athena(region: str, catalog: str, database: str, table: str) -> DatasetName:
    """A table that Athena queries."""
    return DatasetName(
        f"awsathena://athena.{_present(region)}.amazonaws.com", dotted(catalog, database, table)
    )


def glue(region: str, account: str, database: str, table: str) -> DatasetName:
    """A table of a Glue catalog."""
    return DatasetName(
        f"arn:aws:glue:{_present(region)}:{_present(account)}",
        f"table/{_present(database)}/{_present(table)}",
    )


def spanner(project: str, instance: str, database: str, schema: str, table: str) -> DatasetName:
    """A Spanner table; tables outside any named schema have the schema ``default``."""
    return DatasetName(
        f"spanner://{_present(project)}:{_present(instance)}", dotted(database, schema, table)
    )


def bigtable(project: str, instance: str, table: str) -> DatasetName:
    """A Bigtable table."""
    return DatasetName(f"bigtable://{_present(project)}:{_present(instance)}", _present(table))


def cosmos(endpoint: str, database: str, container: str) -> DatasetName:
    """A Cosmos DB container; the endpoint's default port is left out."""
    host = re.sub(r":443$", "", authority(endpoint))
    return DatasetName(
        f"azurecosmos://{host}/dbs/{_present(database)}", f"colls/{_present(container)}"
    )


def dynamodb(region: str, table: str) -> DatasetName:
    """A DynamoDB table."""
    return DatasetName(f"dynamodb://{_present(region)}", _present(table))


def kinesis(region: str, stream: str) -> DatasetName:
    """A Kinesis stream."""
    return DatasetName(f"kinesis://{_present(region)}", _present(stream))


def sqs(region: str, queue: str) -> DatasetName:
    """An SQS queue."""
    return DatasetName(f"sqs://{_present(region)}", _present(queue))


def pubsub_topic(project: str, topic: str) -> DatasetName:
    """A topic of Google Pub/Sub."""
    return DatasetName("pubsub", f"topic:{_present(project)}:{_present(topic)}")


def pubsub_subscription(project: str, subscription: str) -> DatasetName:
    """A subscription of Google Pub/Sub."""
    return DatasetName("pubsub", f"subscription:{_present(project)}:{_present(subscription)}")


def http_endpoint(url: str) -> DatasetName:
    """What an HTTP URL names: its path, without user info and query.

    >>> http_endpoint("https://me:secret@API.example.com/v1/orders?token=x")
    DatasetName(namespace='https://api.example.com:443', name='/v1/orders')
    """
    scheme, separator, rest = url.strip().partition("://")
    if not separator or scheme.lower() not in _WEB_PORTS:
        raise CannotTell("the address is no http or https URL")
    server = authority(rest, _WEB_PORTS[scheme.lower()])
    path = re.split(r"[?#]", rest, maxsplit=1)[0].rpartition("@")[2].partition("/")[2]
    return DatasetName(f"{scheme.lower()}://{server}", f"/{path}")


def _present(text: str) -> str:
    if not text.strip():
        raise CannotTell("a part of the name is missing")
    return text
