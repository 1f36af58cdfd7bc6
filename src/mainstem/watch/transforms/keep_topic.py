"""Transforms known to leave the topic alone, of whose fields we tell nothing."""

from __future__ import annotations

from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import Record


def _hidden(_options: Options, _record: Record) -> Record:
    unknown = NoSchema("what the transform does to the fields is not known")
    return Record(unknown, unknown)


TRANSFORM = Transform(
    name="other transforms of fields",
    classes=(
        "io.aiven.kafka.connect.transforms.ConcatFields",
        "io.aiven.kafka.connect.transforms.ExtractTimestamp",
        "io.aiven.kafka.connect.transforms.FilterByFieldValue",
        "io.aiven.kafka.connect.transforms.Hash",
        "io.aiven.kafka.connect.transforms.KeyToValue",
        "io.aiven.kafka.connect.transforms.MakeTombstone",
        "io.confluent.connect.transforms.Drop",
        "io.confluent.connect.transforms.FromXML",
        "io.confluent.connect.transforms.GzipDecompress",
        "io.debezium.transforms.ExtractChangedRecordState",
        "io.debezium.transforms.ExtractSchemaToNewRecord",
        "io.debezium.transforms.GeometryFormatTransformer",
        "io.debezium.transforms.SwapGeometryCoordinates",
        "io.debezium.transforms.TimezoneConverter",
        "io.debezium.transforms.VectorToJsonConverter",
        "io.debezium.connector.jdbc.transforms.FieldNameTransformation",
        "io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent",
    ),
    forward=_hidden,
    backward=_hidden,
)
