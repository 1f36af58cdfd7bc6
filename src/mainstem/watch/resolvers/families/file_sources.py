"""Folders that are watched for files: SFTP and FTPS (Confluent) and SpoolDir."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.files import local_file, remote_file
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.settings import Settings

NAME = "file sources"
_SPOOL_DIR = "com.github.jcustenborder.kafka.connect.spooldir"


def _folder(config: Settings) -> DatasetName:
    path = config.required("input.path", "ftps.input.path").rstrip("/") or "/"
    host = config.first("sftp.host", "ftps.host")
    if host is not None:
        return remote_file(host, path)
    if not path.startswith("/"):
        raise CannotTell("input.path is relative to a folder that only the worker knows")
    return local_file(path)


RESOLVER = endpoint_family(
    NAME,
    classes=(
        "io.confluent.connect.sftp.SftpCsvSourceConnector",
        "io.confluent.connect.sftp.SftpJsonSourceConnector",
        "io.confluent.connect.sftp.SftpSchemaLessJsonSourceConnector",
        "io.confluent.connect.sftp.SftpBinaryFileSourceConnector",
        "io.confluent.connect.sftp.SftpSourceConnector",
        "SftpSource",
        "io.confluent.connect.ftps.FtpsSourceConnector",
        f"{_SPOOL_DIR}.SpoolDirCsvSourceConnector",
        f"{_SPOOL_DIR}.SpoolDirJsonSourceConnector",
        f"{_SPOOL_DIR}.SpoolDirSchemaLessJsonSourceConnector",
        f"{_SPOOL_DIR}.SpoolDirLineDelimitedSourceConnector",
        f"{_SPOOL_DIR}.SpoolDirAvroSourceConnector",
        f"{_SPOOL_DIR}.SpoolDirBinaryFileSourceConnector",
        f"{_SPOOL_DIR}.elf.SpoolDirELFSourceConnector",
    ),
    reads=("ftps.host", "ftps.input.path", "input.path", "sftp.host"),
    endpoint=Endpoint(read_from=_folder, topic_keys=("kafka.topic", "topic")),
)
