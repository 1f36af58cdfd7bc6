"""TimescaleDB's hypertables, which Debezium captures as chunks and its transform puts together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.resolvers.debezium.tables import Table
from mainstem.watch.transforms import timescale_db

if TYPE_CHECKING:
    from mainstem.watch.transforms.chain import Chain


def hypertable_of(chain: Chain, topic: str) -> Table | None:
    """The hypertable whose topic it is, where the chain has the transform that names it so."""
    for step in chain.steps:
        if step.transform is timescale_db.TRANSFORM:
            start = f"{timescale_db.topic_prefix(step.options)}."
            schema, dot, name = topic.removeprefix(start).partition(".")
            if topic.startswith(start) and dot and schema and name:
                return Table(schema, name)
    return None
