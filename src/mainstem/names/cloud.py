"""Stores that a cloud runs: named by project, account or region instead of by server."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority
from mainstem.names.servers import dotted
from mainstem.names.warehouse_hosts import redshift_namespace, snowflake_namespace

_AWS_HOST = re.compile(r"^(?:[a-z0-9-]+\.)*([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?$")

_KUSTO_HOST = ".kusto.windows.net"


def bigquery(project: str, dataset: str, table: str) -> DatasetName:
    """A table of BigQuery.

    >>> bigquery("acme", "sales", "orders")
    DatasetName(namespace='bigquery', name='acme.sales.orders')
    """
    from openlineage.client.naming import dataset as official  # noqa: PLC0415 - heavy

    dotted(project, dataset, table)
    named = official.BigQuery(project, dataset, table)
    return DatasetName(named.get_namespace(), named.get_name())


def snowflake(address: str, database: str, schema: str, table: str) -> DatasetName:
    """A table of a Snowflake account; the address may be a URL, a host or the bare account.

    >>> snowflake("https://acme-eu1.snowflakecomputing.com:443", "DB", "PUBLIC", "T").namespace
    'snowflake://acme-eu1'
    """
    return DatasetName(snowflake_namespace(address), dotted(database, schema, table))


def redshift(server: str, database: str, schema: str, table: str) -> DatasetName:
    """A table of a Redshift cluster.

    >>> redshift("dwh.c1x2.eu-west-3.redshift.amazonaws.com", "dev", "public", "t").namespace
    'redshift://dwh.eu-west-3:5439'
    """
    return DatasetName(redshift_namespace(server), dotted(database, schema, table))


def athena(region: str, catalog: str, database: str, table: str) -> DatasetName:
    """A table that Athena reads.

    >>> athena("eu-west-3", "AwsDataCatalog", "shop", "orders").namespace
    'awsathena://athena.eu-west-3.amazonaws.com'
    """
    from openlineage.client.naming import dataset as official  # noqa: PLC0415 - heavy

    dotted(catalog, database, table)
    named = official.Athena(_present(region).lower(), catalog, database, table)
    return DatasetName(named.get_namespace(), named.get_name())


def spanner(project: str, instance: str, database: str, table: str) -> DatasetName:
    """A table of Spanner; one in the unnamed schema has none in its name either."""
    where = ":".join((_present(project), _present(instance)))
    return DatasetName(f"spanner://{where}", dotted(database, table))


def bigtable(project: str, instance: str, table: str) -> DatasetName:
    """A table of Bigtable."""
    return DatasetName(f"bigtable://{_present(project)}:{_present(instance)}", _present(table))


def cosmos(endpoint: str, database: str, container: str) -> DatasetName:
    """A container of Cosmos DB.

    >>> cosmos("https://Acme.documents.azure.com:443/", "shop", "orders")
    DatasetName(namespace='azurecosmos://acme.documents.azure.com/dbs/shop', name='colls/orders')
    """
    from openlineage.client.naming import dataset as official  # noqa: PLC0415 - heavy

    dotted(database, container)
    named = official.AzureCosmosDB(_host(endpoint), database, container)
    return DatasetName(named.get_namespace(), named.get_name())


def kusto(address: str, database: str, table: str) -> DatasetName:
    """A table of Azure Data Explorer; its address may be the one that takes data in.

    >>> kusto("https://ingest-shop.westeurope.kusto.windows.net", "sales", "Orders")
    DatasetName(namespace='azurekusto://shop.westeurope.kusto.windows.net', name='sales/Orders')
    """
    from openlineage.client.naming import dataset as official  # noqa: PLC0415 - heavy

    dotted(database, table)
    host = _host(address).removeprefix("ingest-")
    if not host.endswith(_KUSTO_HOST):  # of Microsoft Fabric, or of another cloud than the public
        return DatasetName(f"azurekusto://{host}", f"{database}/{table}")
    named = official.AzureDataExplorer(host.removesuffix(_KUSTO_HOST), database, table)
    return DatasetName(named.get_namespace(), named.get_name())


def dynamodb(region: str, table: str) -> DatasetName:
    """A table of DynamoDB."""
    return DatasetName(f"dynamodb://{_present(region).lower()}", _present(table))


def region_of(endpoint: str) -> str | None:
    """The region that an AWS endpoint names, if it names one.

    >>> region_of("https://dynamodb.eu-west-3.amazonaws.com")
    'eu-west-3'
    """
    found = _AWS_HOST.match(_host(endpoint))
    return found[1] if found else None


def _host(address: str) -> str:
    where = authority(address)
    if "," in where:
        raise CannotTell("one address is expected, and several are given")
    return re.sub(r":\d+$", "", where)


def _present(text: str) -> str:
    if not text.strip():
        raise CannotTell("a part of the name is missing")
    return text
