"""Transforms that touch neither topic nor fields: they work on headers, or on schemas' names."""

from __future__ import annotations

from mainstem.watch.transforms.model import Transform

TRANSFORM = Transform(
    name="InsertHeader and its likes",
    classes=(
        "org.apache.kafka.connect.transforms.DropHeaders",
        "org.apache.kafka.connect.transforms.InsertHeader",
        "org.apache.kafka.connect.transforms.SetSchemaMetadata",
        "io.debezium.transforms.SchemaChangeEventFilter",
        "io.debezium.transforms.EnforceRecordSize",
        "io.debezium.transforms.openlineage.OpenLineage",
        "io.debezium.transforms.partitions.PartitionRouting",
        "io.debezium.transforms.tracing.ActivateTracingSpan",
        "io.debezium.connector.mysql.transforms.ReadToInsertEvent",
        # A union of one type and null is one optional field in our model, wrapped or not.
        "io.factorhouse.smt.UnwrapUnionTransform",
    ),
)
