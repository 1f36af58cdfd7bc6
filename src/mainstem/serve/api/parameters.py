"""What handlers are given: the backend, pages, names from the path; and how they answer."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import Depends, Path, Query, Request, Response
from pydantic import AfterValidator

from mainstem.errors import EventRefused, NotFound
from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeId, NodeKind, parse_node_id
from mainstem.said.event import JobName
from mainstem.said.times import parse_instant
from mainstem.serve.api.backend import Backend
from mainstem.serve.store.catalog import digest_of

LARGEST = 2**31 - 1


class JsonBytes(Response):
    """JSON that is bytes already."""

    media_type = "application/json"


def json_of(value: Any, status: int = 200) -> JsonBytes:
    """JSON of plain values."""
    return JsonBytes(orjson.dumps(value), status)


async def backend_of(request: Request) -> Backend:
    """The backend that the application was made with.

    A function that is not async would be called in a thread of its own.
    """
    return request.app.state.backend


Held = Annotated[Backend, Depends(backend_of)]
Limit = Annotated[int, Query(ge=0, le=LARGEST, description="How many at most.")]
Offset = Annotated[int, Query(ge=0, le=LARGEST, description="How many to leave out first.")]
Depth = Annotated[int, Query(ge=-LARGEST, le=LARGEST, description="How many hops.")]
Named = Annotated[str, Path(min_length=1, description="Percent-encoded; any name works.")]
NodeText = Annotated[
    str, Query(min_length=1, description="dataset:NAMESPACE:NAME, job:NAMESPACE:NAME, …")
]


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("U+0000 cannot be stored")
    return text


Words = Annotated[str, AfterValidator(_without_nul)]
"""What a body says that is stored as it is; PostgreSQL has no U+0000."""

AsOf = Annotated[
    str | None, Query(alias="asOf", description="An ISO 8601 instant of the past; now if left out.")
]
Before = Annotated[str, Query(description="The earlier instant.")]
After = Annotated[str | None, Query(description="The later instant; now if left out.")]


def job_number(backend: Backend, namespace: str, name: str) -> int:
    """The number of a job that is there and not hidden."""
    number = backend.catalog.jobs.get(JobName(namespace, name))
    if number is None or backend.is_hidden((True, number)):
        raise NotFound("Job", name)
    return number


def dataset_leader(backend: Backend, namespace: str, name: str) -> int:
    """The number that stands for a dataset that is there, asked for by any of its names."""
    leader = backend.identities.find(DatasetName(namespace, name), backend.catalog.datasets)
    if leader is None or backend.is_hidden((False, leader)):
        raise NotFound("Dataset", name)
    return leader


def node_of(backend: Backend, text: str) -> tuple[NodeId, int]:
    """A node id and its number: a job's, or that of the dataset it speaks of."""
    node = parse_node_id(text)
    if node.kind is NodeKind.JOB:
        return node, job_number(backend, *node.parts[:2])
    if node.kind is NodeKind.RUN:
        raise NotFound("Node", text)
    return node, dataset_leader(backend, *node.parts[:2])


def instant_of(text: str | None, otherwise: int) -> int:
    """The instant of a query parameter."""
    if text is None:
        return otherwise
    try:
        # A plus sign that was not encoded arrives as a blank.
        return parse_instant(text.replace(" ", "+"))
    except (ValueError, OverflowError) as error:
        raise EventRefused(
            400, f"Parameter is invalid: {text[:50]!r} is no ISO 8601 instant"
        ) from error


def namespace_is_known(backend: Backend, name: str) -> bool:
    """Whether a namespace was spoken of or made."""
    with backend.read() as connection:
        return bool(
            connection.rows(
                "SELECT 1 FROM namespace WHERE name = ?"
                " UNION ALL SELECT 1 FROM namespace_setting WHERE name = ?",
                [name, name],
            )
        )


def namespace_hidden(backend: Backend, name: str) -> bool:
    """Whether a user deleted a namespace and no event spoke of it since."""
    return ("namespace", digest_of(name)) in backend.hidden
