"""What each single message transform does to topics and fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.transforms import (
    extract_new_record_state,
    openlineage_lifecycle,
    regex_router,
)

if TYPE_CHECKING:
    from mainstem.watch.transforms.model import Transform

TRANSFORMS: tuple[Transform, ...] = (
    regex_router.TRANSFORM,
    extract_new_record_state.TRANSFORM,
    openlineage_lifecycle.TRANSFORM,
)
"""Every transform that is known; one file each."""
