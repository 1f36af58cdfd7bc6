"""What a job or dataset is found by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.said.jobs import owners, tags_said
from mainstem.serve.store.search import Document

if TYPE_CHECKING:
    from mainstem.serve.model.dataset import Dataset
    from mainstem.serve.model.job import Job


def job_document(job: Job) -> Document:
    """A job: its name; namespace, tags and owners."""
    facets = job.facets.values
    more = [job.name.namespace, *tags_said(facets), *owners(facets)]
    return Document(True, job.id, job.name.name, "\n".join(more))


def dataset_document(dataset: Dataset) -> Document:
    """A dataset: its name; namespace, columns, tags and owners."""
    facets = dataset.facets.values
    columns = _names(orjson.loads(dataset.fields), "")
    more = [dataset.name.namespace, *columns, *tags_said(facets), *owners(facets)]
    return Document(False, dataset.id, dataset.name.name, "\n".join(more))


def _names(fields: list[Any], prefix: str) -> list[str]:
    named: list[str] = []
    for field in fields:
        path = prefix + field["name"]
        named += [path, *_names(field.get("fields", []), path + ".")]
    return named
