"""Confluent's Filter: drops records by a condition on their key or value."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import KEY_ROOT, VALUE_ROOT, Side


def _own_half(options: Options) -> tuple[str, ...]:
    return (KEY_ROOT if options.side is Side.KEY else VALUE_ROOT,)


TRANSFORM = Transform(
    name="Filter (Confluent)",
    classes=("io.confluent.connect.transforms.Filter",),
    drops=_own_half,
)
