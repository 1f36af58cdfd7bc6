"""Where a dataset that is files lies, in one spelling, however namespace and name were cut."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName

_SCHEMES = {
    "abfs": "azure", "abfss": "azure", "wasb": "azure", "wasbs": "azure",
    "s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "hdfs": "hdfs", "file": "file",
    "dbfs": "dbfs", "oss": "oss", "cosn": "cosn",
}  # fmt: skip
_URL = re.compile(r"^([A-Za-z][A-Za-z0-9+]*):(/*)(.*)$")
_AZURE = re.compile(r"^([^/@]+@[^/.]+)\.(?:blob|dfs)\.core\.windows\.net")
_SLASHES = re.compile(r"/+")


def is_files(namespace: str) -> bool:
    """Whether a namespace is one of files: a bucket, a file system, this machine's disk."""
    return namespace.partition(":")[0].lower() in _SCHEMES


def location(name: DatasetName) -> str | None:
    """The one spelling of where files lie; None for what is no file.

    >>> from mainstem.names.dataset import DatasetName
    >>> location(DatasetName("s3a://lake/wh", "/shop/orders/")), location(DatasetName("hive", "a"))
    ('s3:lake/wh/shop/orders', None)
    """
    whole = name.name if "://" in name.name else f"{name.namespace}/{name.name}"
    if name.namespace == "file" and whole is not name.name:
        whole = f"file:{name.name}"
    found = _URL.match(whole)
    scheme = None if found is None else _SCHEMES.get(found[1].lower())
    if found is None or scheme is None:
        return None
    path = _SLASHES.sub("/", found[3]).strip("/")
    if scheme == "azure":
        path = _AZURE.sub(r"\1", path)
    return f"{scheme}:{path}"
