"""Which columns the outputs of jobs are made from, as each job last told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.reading.said import entries_of, lineage_of
from mainstem.names.dataset import DatasetName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.doctor.picture import JobName
    from mainstem.doctor.reading.said import ColumnLineage, Event, Key

Read = dict[DatasetName, set[str]]


class ColumnFold:
    """By job and output; what a run told stands until a later one tells otherwise."""

    def __init__(self) -> None:
        self._told: dict[tuple[JobName, DatasetName], tuple[Key, Read]] = {}

    def add(self, job: JobName, event: Event, key: Key) -> None:
        """Add what one event tells."""
        for target, lineage in _lineages(event):
            read: Read = {}
            for one in lineage.sources():
                if one.field:
                    read.setdefault(DatasetName(one.namespace, one.name), set()).add(one.field)
            place = (job, target)
            if (read or lineage.fields) and (
                place not in self._told or key >= self._told[place][0]
            ):
                self._told[place] = (key, read)

    def of(self, job: JobName, outputs: Iterable[DatasetName]) -> dict[DatasetName, Read]:
        """By output that a job told the making of, the columns it is made from."""
        return {
            output: self._told[job, output][1] for output in outputs if (job, output) in self._told
        }


def _lineages(event: Event) -> Iterator[tuple[DatasetName, ColumnLineage]]:
    for entry in entries_of(event.job.facets) or () if event.job else ():
        yield DatasetName(entry.namespace, entry.name), entry
    for one in event.outputs or ():
        lineage = lineage_of(one.facets)
        if lineage is not None:
            yield one.dataset, lineage
