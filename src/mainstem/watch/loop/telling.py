"""From a step to its events and to what is remembered of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.outbox import OutboxItem
from mainstem.watch.journal import Change, Journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.watch.loop.plan import Step
    from mainstem.watch.runs.movement import Flow

Prepare = Callable[[bytes], bytes | None]
"""From an event to what is queued of it: the client configuration's tags and filters."""

Keyed = tuple[str, bytes]
"""What is sent under which ordering key."""


class Teller(Struct, frozen=True):
    """Tells the steps of one cluster's connectors."""

    journal: Journal
    cluster: str
    prepare: Prepare
    with_children: bool
    """Whether each dataset that a connector reads has a job of its own below it."""

    def change(self, step: Step, flow: Flow | None = None) -> Change:
        """The step's events and memory, to be saved together."""
        bodies = self._bodies(step, flow)
        told, children = self._told(step, bodies)
        prepared = ((key, self.prepare(body)) for key, body in told)
        items = tuple(OutboxItem(key, body) for key, body in prepared if body is not None)
        last = bodies[-1] if bodies else None
        return Change(step.connector, step.memory, items, step.summary, last, children)

    def _bodies(self, step: Step, flow: Flow | None) -> Sequence[bytes]:
        from mainstem.watch.events.building import build, end_from_memory  # noqa: PLC0415 - heavy

        if step.subject is not None:
            subject = replace(step.subject, flow=flow)
            return [build(subject, transition) for transition in step.transitions]
        return [
            end_from_memory(self.journal.last_event(self.cluster, step.connector), transition)
            for transition in step.transitions
        ]

    def _told(self, step: Step, bodies: Sequence[bytes]) -> tuple[list[Keyed], bytes | None]:
        """A connector's jobs per dataset follow its own."""
        keys = [transition.run_id or step.connector for transition in step.transitions]
        if not self.with_children or not bodies:
            return list(zip(keys, bodies, strict=True)), None
        from mainstem.watch.events.children import children_of  # noqa: PLC0415 - heavy
        from mainstem.watch.events.offspring import from_bytes, to_bytes  # noqa: PLC0415

        before, remembered = self.journal.last_told(self.cluster, step.connector)
        offspring = from_bytes(remembered)
        told: list[Keyed] = []
        for key, body in zip(keys, bodies, strict=True):
            children, offspring = children_of(body, before, offspring, holds=step.holds)
            told += [(key, each) for each in (body, *children)]
            before = body
        return told, to_bytes(offspring)
