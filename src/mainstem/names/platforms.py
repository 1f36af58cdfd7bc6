"""DataHub's word for the system that a namespace stands for, and instances of it."""

from __future__ import annotations

from functools import lru_cache

_PLATFORM_OF_SCHEME = {
    "abfss": "abs",
    "arn": "glue",
    "awsathena": "athena",
    "azurecosmos": "cosmosdb",
    "gs": "gcs",
    "mongodb+srv": "mongodb",
    "sap": "hana",
    "sqlserver": "mssql",
    "wasbs": "abs",
}
"""The schemes that DataHub calls otherwise."""

_SCHEME_OF_PLATFORM = {"athena": "awsathena", "gcs": "gs", "hana": "sap", "mssql": "sqlserver"}

_WITHOUT_INSTANCE = frozenset(
    {"abfss", "arn", "bigquery", "dbfs", "file", "gs", "pubsub", "s3", "s3a", "s3n", "wasbs"}
)
"""What follows the scheme here is a bucket, an account or nothing: part of the dataset's name."""


@lru_cache(maxsize=1024)
def platform_of(namespace: str) -> str:
    """DataHub's platform of a dataset namespace.

    >>> platform_of("sqlserver://db:1433"), platform_of("mysql://db:3306"), platform_of("bigquery")
    ('mssql', 'mysql', 'bigquery')
    """
    scheme = namespace.partition(":")[0].lower()
    return _PLATFORM_OF_SCHEME.get(scheme, scheme)


def cluster_of(namespace: str) -> str | None:
    """The cluster or server of a namespace, with its scheme; None where it names a bucket or none.

    >>> cluster_of("kafka://b1:9092"), cluster_of("kafka-connect://prod"), cluster_of("s3://lake")
    ('kafka://b1:9092', 'kafka-connect://prod', None)
    """
    scheme, _, rest = namespace.partition("://")
    authority = rest.partition("/")[0]
    if not authority or scheme.lower() in _WITHOUT_INSTANCE:
        return None
    return f"{scheme.lower()}://{authority}"


def namespace_of_platform(platform: str) -> str:
    """The namespace of a platform of which nobody says where it is.

    >>> namespace_of_platform("mssql")
    'sqlserver'
    """
    return _SCHEME_OF_PLATFORM.get(platform.lower(), platform.lower())


def with_instance(namespace: str, instance: str) -> str:
    """The namespace with a platform instance in the place of its server.

    >>> with_instance("mysql://db-1:3306", "core"), with_instance("s3://bucket", "core")
    ('mysql://core', 's3://bucket')
    """
    scheme = namespace.partition(":")[0]
    return namespace if scheme in _WITHOUT_INSTANCE else f"{scheme}://{instance}"
