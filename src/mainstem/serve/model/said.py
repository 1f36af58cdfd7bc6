"""What a dataset's facets say, read once and ready to be stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName


class SchemaSaid(NamedTuple):
    """A schema ready to be served, and the version that it makes."""

    fields: bytes
    version: str


class ColumnsSaid(NamedTuple):
    """Column lineage ready to be stored, and the datasets that it speaks of."""

    facet: bytes
    sources: tuple[DatasetName, ...]
