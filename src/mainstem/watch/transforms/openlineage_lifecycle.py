"""Factor House's OpenLineageLifecycleSmt: passes records through; its keys are the user's word."""

from __future__ import annotations

from mainstem.watch.transforms.model import Transform

TRANSFORM = Transform(
    name="OpenLineageLifecycleSmt",
    classes=("io.factorhouse.smt.OpenLineageLifecycleSmt",),
    reads=("topics", "dataset.namespace", "dataset.names", "connector.name"),
)
