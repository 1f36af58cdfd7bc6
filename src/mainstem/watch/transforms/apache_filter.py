"""Filter: drops every record that its predicate lets it have."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform


def _predicate_alone(_options: Options) -> tuple[str, ...]:
    return ()


TRANSFORM = Transform(
    name="Filter",
    classes=("org.apache.kafka.connect.transforms.Filter",),
    drops=_predicate_alone,
)
