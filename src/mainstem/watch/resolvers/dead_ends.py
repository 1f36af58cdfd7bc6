"""Topics of which a connector's own transforms let nothing pass are no way for data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Connector, Edge, Resolution


def without_dead_ends(connector: Connector, told: Resolution) -> Resolution:
    """The resolution without the edges on which every record is dropped, and a note of each."""
    chain = chain_of(settings_of(connector))
    if not any(step.transform and step.transform.drops for step in chain.steps):
        return told
    is_sink = connector.direction is Direction.SINK
    dead: dict[Edge, str] = {}
    for edge in told.edges:
        topic = edge.input.name if is_sink else edge.topic_before or edge.output.name
        step = chain.dead_end(topic)
        if step is not None:
            dead[edge] = f"transform {step.alias} drops every record of {topic}"
    if not dead:
        return told
    edges = tuple(edge for edge in told.edges if edge not in dead)
    gone = {edge.output for edge in dead} - {edge.output for edge in edges}
    return replace(
        told,
        outputs=tuple(output for output in told.outputs if output not in gone),
        edges=edges,
        columns=tuple(column for column in told.columns if column.output not in gone),
        notes=tuple(dict.fromkeys([*told.notes, *dead.values()])),
    )
