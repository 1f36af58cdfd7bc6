"""Stores that hold files: a namespace for where, a path for what."""

from __future__ import annotations

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority


def local_file(path: str) -> DatasetName:
    """A file on the disk of the machine that reads or writes it.

    >>> local_file("/var/log/app.log")
    DatasetName(namespace='file', name='/var/log/app.log')
    """
    return DatasetName("file", _present(path))


def remote_file(host: str, path: str) -> DatasetName:
    """A file on another machine, reached by SFTP, FTP or the like.

    >>> remote_file("SFTP-1:22", "/upload")
    DatasetName(namespace='file://sftp-1', name='/upload')
    """
    return DatasetName(f"file://{_host_alone(host)}", _present(path))


def s3(bucket: str, path: str) -> DatasetName:
    """A prefix or object in an S3 bucket; no leading slash, but ``/`` for the whole bucket.

    >>> s3("lake", "/raw/orders/").name, s3("lake", "").name
    ('raw/orders', '/')
    """
    return DatasetName(f"s3://{_present(bucket)}", _object_path(path))


def gcs(bucket: str, path: str) -> DatasetName:
    """A prefix or object in a Google Cloud Storage bucket."""
    return DatasetName(f"gs://{_present(bucket)}", _object_path(path))


def azure_blob(container: str, account: str, path: str) -> DatasetName:
    """A path in an Azure Blob Storage container.

    >>> azure_blob("raw", "acme", "topics/orders").namespace
    'wasbs://raw@acme.blob.core.windows.net'
    """
    account_name = _present(account).lower()
    return DatasetName(
        f"wasbs://{_present(container)}@{account_name}.blob.core.windows.net", _object_path(path)
    )


def azure_data_lake(container: str, account: str, path: str) -> DatasetName:
    """A path in a container of Azure Data Lake Storage (generation 2)."""
    account_name = _present(account).lower()
    return DatasetName(
        f"abfss://{_present(container)}@{account_name}.dfs.core.windows.net", _object_path(path)
    )


def azure_data_lake_gen1(account: str, path: str) -> DatasetName:
    """A path in an account of Azure Data Lake Storage's first generation, which is like HDFS."""
    namespace = f"adl://{_present(account).lower()}.azuredatalakestore.net"
    return DatasetName(namespace, "/" + _present(path).lstrip("/"))


def hdfs(url: str, path: str) -> DatasetName:
    """A path in HDFS; a name service without a port keeps none.

    >>> hdfs("hdfs://NameNode:8020", "/topics/orders").namespace
    'hdfs://namenode:8020'
    """
    return DatasetName(f"hdfs://{authority(url)}", "/" + _present(path).lstrip("/"))


def join_path(*parts: str) -> str:
    """The parts as one path with single slashes between them; empty parts vanish.

    >>> join_path("/upload/", "topics", "", "orders")
    '/upload/topics/orders'
    """
    rooted = "/" if parts and parts[0].startswith("/") else ""
    return rooted + "/".join(part.strip("/") for part in parts if part.strip("/"))


def _host_alone(host: str) -> str:
    address = authority(host)
    return address if address.endswith("]") else address.rsplit(":", 1)[0]


def _object_path(path: str) -> str:
    return path.strip().strip("/") or "/"


def _present(text: str) -> str:
    if not text.strip():
        raise CannotTell("a part of the name is missing")
    return text
