"""Confluent's TombstoneHandler: drops records without a value, or fails at them."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import VALUE_ROOT


def _value(_options: Options) -> tuple[str, ...]:
    return (VALUE_ROOT,)


TRANSFORM = Transform(
    name="TombstoneHandler",
    classes=("io.confluent.connect.transforms.TombstoneHandler",),
    drops=_value,
)
