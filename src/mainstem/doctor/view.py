"""A picture with what every kind of finding asks of it: who reads, who writes, what lies where."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Node
from mainstem.names.dataset import DatasetName
from mainstem.names.identity import NO_ALIASES, Aliases
from mainstem.names.node_id import NodeKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.doctor.picture import Dataset, Job, JobName, Picture

Places = tuple[int, ...]
FURTHEST = 5000
"""How many datasets are looked at for a way from one to another."""

_MOVING = frozenset({"TOPIC", "STREAM", "QUEUE"})


class View:
    """One picture, looked at from every side; datasets and jobs by their places in it."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.explained: frozenset[int] = frozenset()
        """Datasets that go by two names, as was found: what they lack is under the other."""

        self.joined = NO_ALIASES
        """Namespaces that were found to be one with some certainty."""

        self.datasets = picture.datasets
        self.jobs = picture.jobs
        readers: defaultdict[int, list[int]] = defaultdict(list)
        writers: defaultdict[int, list[int]] = defaultdict(list)
        for place, job in enumerate(picture.jobs):
            for dataset in job.inputs:
                readers[dataset].append(place)
            for dataset in job.outputs:
                writers[dataset].append(place)
        self._readers, self._writers = readers, writers

    def readers(self, dataset: int) -> list[int]:
        """The jobs that read a dataset."""
        return self._readers.get(dataset, [])

    def writers(self, dataset: int) -> list[int]:
        """The jobs that write a dataset."""
        return self._writers.get(dataset, [])

    def flows(self, source: int, target: int) -> bool:
        """Whether data of one dataset reaches another."""
        if not self.readers(source) or not self.writers(target):
            return False
        seen = {source}
        waiting = [source]
        while waiting and len(seen) < FURTHEST:
            for job in self.readers(waiting.pop()):
                after = set(self.jobs[job].outputs) - seen
                if target in after:
                    return True
                seen |= after
                waiting += after
        return False

    def is_moving(self, dataset: Dataset) -> bool:
        """Whether it is a topic, a stream or a queue."""
        return dataset.kind in _MOVING

    @cached_property
    def in_namespace(self) -> Mapping[str, Places]:
        """Datasets by the namespace they go by."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for place, dataset in enumerate(self.datasets):
            found[dataset.name.namespace].append(place)
        return {namespace: tuple(places) for namespace, places in found.items()}

    @cached_property
    def by_name(self) -> Mapping[tuple[str, str], int]:
        """Datasets by any of their names."""
        return {
            (one.namespace, one.name): place
            for place, dataset in enumerate(self.datasets)
            for one in reversed(dataset.names)
        }

    @cached_property
    def jobs_by_name(self) -> Mapping[JobName, int]:
        """Jobs by their names."""
        return {job.name: place for place, job in enumerate(self.jobs)}

    @cached_property
    def aliases(self) -> Aliases:
        """Which namespaces users said to be one."""
        return Aliases(
            namespaces=[
                (one.namespace, one.other_namespace)
                for one in self.picture.links
                if one.name is None
            ]
        )

    def one_namespace(self, namespace: str) -> str:
        """The name that a namespace goes by."""
        return self.aliases.in_one_namespace(DatasetName(namespace, "")).namespace

    def node(self, dataset: int) -> Node:
        """A dataset as a finding names it."""
        name = self.datasets[dataset].name
        return Node(NodeKind.DATASET, name.namespace, name.name)

    def job_node(self, job: int) -> Node:
        """A job as a finding names it."""
        name = self.jobs[job].name
        return Node(NodeKind.JOB, name.namespace, name.name)

    def root_of(self, job: Job) -> JobName:
        """The job that a job and its siblings were started by; itself where nobody started it."""
        seen = {job.name}
        name = job.name
        while (place := self.jobs_by_name.get(name)) is not None:
            parent = self.jobs[place].parent
            if parent is None or parent in seen:
                break
            seen.add(parent)
            name = parent
        return name
