"""What a dataset truly is, told from its facets and its namespace's scheme."""

from __future__ import annotations

from mainstem.said.json_values import Json, as_object, as_objects, as_text

_BY_SCHEME = {
    "kafka": "TOPIC", "kinesis": "STREAM", "pubsub": "TOPIC", "sqs": "QUEUE", "mqtt": "TOPIC",
    "amqp": "QUEUE", "jms": "QUEUE", "ibmmq": "QUEUE", "s3": "FILE", "s3a": "FILE", "s3n": "FILE",
    "gs": "FILE", "wasbs": "FILE", "abfss": "FILE", "hdfs": "FILE", "file": "FILE", "dbfs": "FILE",
    "http": "ENDPOINT", "https": "ENDPOINT", "elasticsearch": "INDEX", "opensearch": "INDEX",
    "mongodb": "COLLECTION",
}  # fmt: skip
_MOVING = {"TOPIC", "STREAM", "QUEUE"}


def dataset_kind(namespace: str, facets: Json) -> str:
    """The kind, such as TABLE, TOPIC or FILE; a file that a catalog calls a table is one."""
    said = as_text(as_object(facets.get("datasetType")).get("datasetType"))
    if said:
        return said.upper()
    for link in as_objects(as_object(facets.get("symlinks")).get("identifiers")):
        kind = as_text(link.get("type"))
        if kind in ("TABLE", "VIEW", "TOPIC"):
            return kind
    return _BY_SCHEME.get(namespace.partition(":")[0], "TABLE")


def marquez_type(kind: str) -> str:
    """Marquez's word, which knows only two."""
    return "STREAM" if kind in _MOVING else "DB_TABLE"
