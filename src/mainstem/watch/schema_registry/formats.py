"""The schema languages of a registry, each with its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.avro import read_avro
from mainstem.watch.schema_registry.connect_schema import read_connect_schema
from mainstem.watch.schema_registry.json_schema import read_json_schema
from mainstem.watch.schema_registry.protobuf import read_protobuf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mainstem.watch.schema_registry.fields import Field

AVRO = "AVRO"
"""What a registry means where it says nothing."""

READERS: dict[str, Callable[[str, Mapping[str, str]], tuple[Field, ...]]] = {
    AVRO: read_avro,
    "JSON": read_json_schema,
    "PROTOBUF": read_protobuf,
    "CONNECT": read_connect_schema,  # in no registry, but in records and in what people give us
}


def read_schema(schema_type: str, text: str, references: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of a schema; raises ``CannotTell`` where it cannot be read.

    ``references`` are the schemas that it refers to, those that they refer to before them, each
    under the name that it is referred to by.
    """
    reader = READERS.get(schema_type)
    if reader is None:
        known = ", ".join(READERS)
        raise CannotTell(f"schema type {schema_type!r} is not known; there are {known}")
    try:
        return reader(text, references)
    except CannotTell:
        raise
    except Exception as failure:  # the parsers are not ours, and what they read is anybody's
        kind = type(failure).__name__
        raise CannotTell(f"{schema_type} schema: not to be read ({kind})") from failure
