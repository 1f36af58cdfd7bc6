"""Transforms known to leave the topic alone, of whose fields we tell nothing."""

from __future__ import annotations

from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import Record


def _hidden(_options: Options, _record: Record) -> Record:
    unknown = NoSchema("what the transform does to the fields is not known")
    return Record(unknown, unknown)


_CAMEL = "org.apache.camel.kafkaconnector"
_COMMON = "com.github.jcustenborder.kafka.connect.transform.common"

TRANSFORM = Transform(
    name="other transforms of fields",
    classes=(
        "com.github.cjmatta.kafka.connect.smt.InsertUuid",
        f"{_CAMEL}.file.transformers.FileTransforms",
        f"{_CAMEL}.transforms.ConnectRecordValueToMapTransforms",
        f"{_CAMEL}.transforms.FieldsToHeadersTransform",
        f"{_CAMEL}.transforms.SchemaAndStructToJsonTransform",
        f"{_CAMEL}.transforms.SinkPojoToSchemaAndStructTransform",
        f"{_CAMEL}.transforms.SourcePojoToSchemaAndStructTransform",
        f"{_COMMON}.BytesToString",
        f"{_COMMON}.ChangeCase",
        f"{_COMMON}.ExtractNestedField",
        f"{_COMMON}.ExtractTimestamp",
        f"{_COMMON}.ExtractXPath",
        f"{_COMMON}.NormalizeSchema",
        f"{_COMMON}.PatternMapString",
        f"{_COMMON}.PatternRename",
        f"{_COMMON}.SetNull",
        f"{_COMMON}.TimestampNow",
        f"{_COMMON}.TimestampNowField",
        f"{_COMMON}.ToJSON",
        f"{_COMMON}.ToLong",
        f"{_COMMON}.TopicNameToField",
        "io.aiven.kafka.connect.transforms.ConcatFields",
        "io.aiven.kafka.connect.transforms.ExtractTimestamp",
        "io.aiven.kafka.connect.transforms.FilterByFieldValue",
        "io.aiven.kafka.connect.transforms.Hash",
        "io.aiven.kafka.connect.transforms.KeyToValue",
        "io.aiven.kafka.connect.transforms.MakeTombstone",
        "io.confluent.connect.transforms.Drop",
        "io.confluent.connect.transforms.Flatten",
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
