"""Tables that are files in a lake: by a location's URL, and by an Iceberg catalog's rules."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names import files
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority

_LOCATION = re.compile(r"([A-Za-z][A-Za-z0-9+]*):(?://([^/?#&;]*))?(/[^?#&;]*)?(?:[?#&;].*)?$")
_CATALOG = re.compile(r"(https?)://([^/?#]+)([^?#&;]*)(?:[?#&;].*)?", re.IGNORECASE)
_TABLE_BUCKET = re.compile(r"arn:[\w-]+:s3tables:[\w-]+:\d+:bucket/[\w.-]+")
_BUCKET = re.compile(r"[\w.-]+")
_BUCKETS = {"s3": files.s3, "s3a": files.s3, "s3n": files.s3, "gs": files.gcs}
_CONTAINERS = {"abfs": "abfss", "abfss": "abfss", "wasb": "wasbs", "wasbs": "wasbs"}


def at_location(location: str, *below: str) -> DatasetName:
    """The dataset at a location's URL or path, or at a path below it.

    >>> at_location("s3a://lake/warehouse/", "shop", "orders")
    DatasetName(namespace='s3://lake', name='warehouse/shop/orders')
    >>> at_location("/tmp/warehouse", "shop").namespace
    'file'
    """
    if location.startswith("/"):
        return files.local_file(files.join_path(location, *below))
    found = _LOCATION.match(location.strip())
    if found is None:
        raise CannotTell("the location is neither a URL nor an absolute path")
    scheme, place = found[1].lower(), found[2] or ""
    if "@" in (found[3] or "") or (scheme in _BUCKETS and not _BUCKET.fullmatch(place)):
        # Hadoop once took credentials in front of the bucket: s3://key:secret@bucket.
        raise CannotTell("the location may hold a credential")
    path = files.join_path(found[3] or "/", *below)
    if scheme in _BUCKETS:
        return _BUCKETS[scheme](place, path)
    if scheme in _CONTAINERS:
        return _in_container(_CONTAINERS[scheme], place, path)
    if scheme == "hdfs":
        return files.hdfs(f"hdfs://{place}", path)
    if scheme == "file":
        return files.local_file(path)
    raise CannotTell("the location's kind of store is not known")


def hive_location(warehouse: str, database: str, table: str) -> DatasetName:
    """Where a Hive metastore puts a table: ``{db}.db`` below the warehouse, but not for default.

    >>> hive_location("s3://lake/wh", "shop", "orders").name
    'wh/shop.db/orders'
    """
    folder = () if database.lower() == "default" else (f"{database}.db",)
    return at_location(warehouse, *folder, table)


def in_hive_metastore(uri: str, table: str) -> DatasetName:
    """A table by its metastore's address, which is what catalogs call it."""
    return DatasetName(f"hive://{authority(uri, 9083)}", table)


def in_warehouse(warehouse: str, table: str) -> DatasetName:
    """A table by the name that a catalog without a server, which is its warehouse, calls it.

    >>> in_warehouse("s3a://lake/wh/", "shop.orders")
    DatasetName(namespace='s3://lake/wh', name='shop.orders')
    >>> in_warehouse("file:///data/wh", "shop.orders").namespace
    'file:/data/wh'
    """
    place = at_location(warehouse)
    if place.namespace == "file":
        return DatasetName(f"file:{place.name}", table)
    path = place.name.strip("/")
    return DatasetName(f"{place.namespace}/{path}" if path else place.namespace, table)


def in_catalog(uri: str, table: str) -> DatasetName:
    """A table by the address of the catalog service that knows it, and by the service's name.

    >>> in_catalog("https://u:p@Catalog/iceberg/", "shop.orders")
    DatasetName(namespace='https://catalog/iceberg', name='shop.orders')
    """
    found = _CATALOG.fullmatch(uri.strip())
    if found is None or "@" in found[3]:
        raise CannotTell("the catalog's address is not an HTTP URL")
    return DatasetName(f"{found[1].lower()}://{authority(found[2])}{found[3].rstrip('/')}", table)


def in_glue(region: str, account: str, database: str, table: str) -> DatasetName:
    """A table of the AWS Glue data catalog."""
    from openlineage.client.naming import dataset as official  # noqa: PLC0415 - heavy

    named = official.AWSGlue(region, account, database, table)
    return DatasetName(named.get_namespace(), named.get_name())


def in_table_bucket(bucket: str, table: str) -> DatasetName:
    """A table of Amazon S3 Tables, by the ARN of its table bucket; its files lie where AWS says.

    >>> in_table_bucket("arn:aws:s3tables:eu-west-3:000000000000:bucket/lake", "shop.orders").name
    'shop.orders'
    """
    if not _TABLE_BUCKET.fullmatch(bucket):
        raise CannotTell("the warehouse is not the ARN of a table bucket")
    return DatasetName(bucket, table)


def _in_container(scheme: str, place: str, path: str) -> DatasetName:
    container, at, host = place.partition("@")
    if not at or ":" in container:
        raise CannotTell("the location does not say a container and an account")
    return DatasetName(f"{scheme}://{container}@{authority(host)}", path.strip("/") or "/")
