"""A dataset from the words that a person types: what it is, where, and its name there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import files, kafka
from mainstem.names.dataset import DatasetName
from mainstem.names.jdbc import jdbc_dataset
from mainstem.names.servers import DEFAULT_PORTS, server_namespace
from mainstem.names.warehouse_hosts import redshift_namespace, snowflake_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_WHERE_AND_WHAT: Mapping[str, Callable[[str, str], DatasetName]] = {
    "kafka": lambda servers, topic: kafka.topic(kafka.cluster_namespace(servers), topic),
    "redshift": lambda host, name: DatasetName(redshift_namespace(host), name),
    "snowflake": lambda account, name: DatasetName(snowflake_namespace(account), name),
    "s3": files.s3,
    "gs": files.gcs,
    "hdfs": files.hdfs,
    "sftp": files.remote_file,
}
_WHAT_ALONE: Mapping[str, Callable[[str], DatasetName]] = {
    "file": files.local_file,
    "bigquery": lambda name: DatasetName("bigquery", name),
}
_JDBC_WORDS = 2
_STORE_WORDS = 3


def kinds() -> tuple[str, ...]:
    """The words that a store may be called by, besides JDBC URLs."""
    return tuple(sorted({*_WHERE_AND_WHAT, *_WHAT_ALONE, *DEFAULT_PORTS}))


def dataset_from_words(words: Sequence[str]) -> DatasetName:
    """The dataset that a JDBC URL and a table, or a kind, a place and a name mean.

    >>> dataset_from_words(["kafka", "b1:9092,b2:9092", "orders"])
    DatasetName(namespace='kafka://b1:9092', name='orders')
    """
    first = words[0].lower() if words else ""
    if first.startswith("jdbc:") and len(words) == _JDBC_WORDS:
        return jdbc_dataset(words[0], words[1])
    if first in _WHAT_ALONE and len(words) == _STORE_WORDS - 1:
        return _WHAT_ALONE[first](words[1])
    if first in _WHERE_AND_WHAT and len(words) == _STORE_WORDS:
        return _WHERE_AND_WHAT[first](words[1], words[2])
    if first in DEFAULT_PORTS and len(words) == _STORE_WORDS:
        return DatasetName(server_namespace(first, words[1]), words[2])
    raise CannotTell(
        "expected a JDBC URL and a table, or a kind, a place and a name, such as: kafka b1:9092 t; "
        f"kinds: {', '.join(kinds())}"
    )


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
