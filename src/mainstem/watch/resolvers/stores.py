"""Object stores and file systems, told apart by the keys that Confluent's connectors share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import files
from mainstem.names.lake import at_location

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.settings import Settings

READS = (
    "azblob.account.name",
    "azblob.container.name",
    "azure.datalake.account.name",
    "azure.datalake.gen1.account.name",
    "azure.datalake.gen2.account.name",
    "ftps.host",
    "ftps.working.dir",
    "gcs.bucket.name",
    "hdfs.url",
    "s3.bucket.name",
    "sftp.host",
    "sftp.working.dir",
    "store.url",
    "topics.dir",
)


def dataset_in_store(config: Settings, path: str) -> DatasetName:
    """The dataset at a path in whichever store the config is for."""
    for key, named in _BY_KEY:
        if config.first(key) is not None:
            return named(config, path)
    raise CannotTell("the config names no bucket, container, account or server")


def topics_dir(config: Settings) -> str:
    """The folder that holds one folder per topic; blank is the store's root."""
    return config.get("topics.dir", "topics")


def _azure_blob(config: Settings, path: str) -> DatasetName:
    container = config.required("azblob.container.name")
    return files.azure_blob(container, config.required("azblob.account.name"), path)


def _data_lake_gen2(config: Settings, path: str) -> DatasetName:
    # The connector has no key for the file system: it is the first folder of topics.dir.
    container, _, rest = path.strip("/").partition("/")
    account = config.required("azure.datalake.gen2.account.name")
    return files.azure_data_lake(container, account, rest)


def _data_lake_gen1(config: Settings, path: str) -> DatasetName:
    account = config.required("azure.datalake.account.name", "azure.datalake.gen1.account.name")
    return files.azure_data_lake_gen1(account, path)


def _hdfs(config: Settings, path: str) -> DatasetName:
    return at_location(config.required("store.url", "hdfs.url"), path)


def _sftp(config: Settings, path: str) -> DatasetName:
    folder = config.required("sftp.working.dir")
    return files.remote_file(config.required("sftp.host"), files.join_path(folder, path))


def _ftps(config: Settings, path: str) -> DatasetName:
    folder = config.required("ftps.working.dir")
    return files.remote_file(config.required("ftps.host"), files.join_path(folder, path))


# In this order: an S3 config may carry store.url too, for a store that only behaves like S3.
_BY_KEY: tuple[tuple[str, Callable[[Settings, str], DatasetName]], ...] = (
    ("s3.bucket.name", lambda config, path: files.s3(config["s3.bucket.name"], path)),
    ("gcs.bucket.name", lambda config, path: files.gcs(config["gcs.bucket.name"], path)),
    ("azblob.container.name", _azure_blob),
    ("azure.datalake.gen2.account.name", _data_lake_gen2),
    ("azure.datalake.account.name", _data_lake_gen1),
    ("azure.datalake.gen1.account.name", _data_lake_gen1),
    ("sftp.host", _sftp),
    ("ftps.host", _ftps),
    ("store.url", _hdfs),
    ("hdfs.url", _hdfs),
)
