"""Every job and dataset by number and by name, in memory; numbers are given once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

from mainstem.names.dataset import DatasetName
from mainstem.said.event import JobName
from mainstem.serve.store.recent import Recent

if TYPE_CHECKING:
    from mainstem.sql.connection import Connection


def digest_of(namespace: str, name: str = "", *more: str) -> bytes:
    """A short key for a name of any length."""
    text = "\0".join((namespace, name, *more))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class Catalog:
    """Names to numbers and back; only the writer adds, any thread reads."""

    def __init__(self) -> None:
        self.job_names: list[JobName | None] = [None]
        self.dataset_names: list[DatasetName | None] = [None]
        self.jobs: dict[JobName, int] = {}
        self.datasets: dict[DatasetName, int] = {}
        self.recent = Recent()

    def load(self, connection: Connection) -> None:
        """Forget everything and read the store."""
        self.__init__()
        shared = _namespaces.setdefault
        jobs = connection.rows("SELECT id, namespace, name FROM job")
        self.jobs = {JobName(shared(place, place), name): number for number, place, name in jobs}
        self.job_names = _by_number(self.jobs)
        datasets = connection.rows("SELECT id, namespace, name FROM dataset")
        self.datasets = {
            DatasetName(shared(place, place), name): number for number, place, name in datasets
        }
        self.dataset_names = _by_number(self.datasets)

    def job_number(self, name: JobName) -> int:
        """The job's number, given now if it is new."""
        number = self.jobs.get(name)
        if number is None:
            number = len(self.job_names)
            self._put_job(number, name)
        return number

    def dataset_number(self, name: DatasetName) -> int:
        """The dataset's number, given now if it is new."""
        number = self.datasets.get(name)
        if number is None:
            number = len(self.dataset_names)
            self._put_dataset(number, name)
        return number

    def job(self, number: int) -> JobName:
        """The name of a job that has a number."""
        name = self.job_names[number]
        assert name is not None  # noqa: S101 - numbers come from this catalog
        return name

    def dataset(self, number: int) -> DatasetName:
        """The name of a dataset that has a number."""
        name = self.dataset_names[number]
        assert name is not None  # noqa: S101 - numbers come from this catalog
        return name

    @property
    def size(self) -> tuple[int, int]:
        """How far numbers are given, for ``shrink``."""
        return len(self.job_names), len(self.dataset_names)

    def shrink(self, size: tuple[int, int]) -> None:
        """Take back the numbers given since, because their transaction failed."""
        self.recent = Recent()
        jobs, datasets = size
        for job in self.job_names[jobs:]:
            self.jobs.pop(job, None) if job else None
        for dataset in self.dataset_names[datasets:]:
            self.datasets.pop(dataset, None) if dataset else None
        del self.job_names[jobs:], self.dataset_names[datasets:]

    def _put_job(self, number: int, name: JobName) -> None:
        self.job_names.extend([None] * (number + 1 - len(self.job_names)))
        self.job_names[number] = name
        self.jobs[name] = number

    def _put_dataset(self, number: int, name: DatasetName) -> None:
        self.dataset_names.extend([None] * (number + 1 - len(self.dataset_names)))
        self.dataset_names[number] = name
        self.datasets[name] = number


_Name = TypeVar("_Name")
_namespaces: dict[str, str] = {}
"""One string object per namespace: a store has many names in few of them."""


def _by_number(numbers: dict[_Name, int]) -> list[_Name | None]:
    names: list[_Name | None] = [None] * (max(numbers.values(), default=0) + 1)
    for name, number in numbers.items():
        names[number] = name
    return names
