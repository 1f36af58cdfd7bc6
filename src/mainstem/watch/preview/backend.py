"""What a backend's graph says of a connector today, by Marquez's API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import httpx2
import orjson

from mainstem.errors import BackendUnavailable
from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeId, NodeKind, parse_node_id
from mainstem.scrub import scrub
from mainstem.watch.preview.planning import CurrentColumn, Today

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECONDS = 30.0
_NOT_FOUND = 404


class BackendGraph:
    """Asks a backend; changes nothing."""

    def __init__(
        self, url: str, token: str | None, transport: httpx2.BaseTransport | None = None
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._url = url.rstrip("/")
        self._http = httpx2.Client(headers=headers, timeout=SECONDS, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def today(self, namespace: str, connector: str, planned: Iterable[DatasetName]) -> Today:
        """What the connector writes, who else writes what it will, and who reads from it."""
        job = str(NodeId(NodeKind.JOB, (namespace, connector)))
        written = frozenset(_datasets(self._ends(job, "outEdges", "destination")))
        own = {job}
        writers: dict[DatasetName, frozenset[str]] = {}
        readers: dict[DatasetName, frozenset[str]] = {}
        for dataset in {*planned, *written}:
            node = str(NodeId(NodeKind.DATASET, dataset))
            others = {each for each in self._ends(node, "inEdges", "origin") if each not in own}
            writers[dataset] = frozenset(each for each in others if not _is_below(each, job))
            readers[dataset] = frozenset(self._ends(node, "outEdges", "destination"))
        columns = tuple(each for dataset in sorted(written) for each in self._columns(dataset))
        return Today(writers, written, readers, columns)

    def _columns(self, dataset: DatasetName) -> Iterator[CurrentColumn]:
        node = str(NodeId(NodeKind.DATASET, dataset))
        question = {"nodeId": node, "depth": "1", "withDownstream": "true"}
        for each in self._graph("column-lineage", question):
            id_ = parse_node_id(each["id"])
            if DatasetName(*id_.parts[:2]) == dataset:
                yield CurrentColumn(
                    dataset,
                    id_.parts[2],
                    frozenset(_dataset_of_field(edge["origin"]) for edge in each["inEdges"]),
                    tuple(edge["destination"] for edge in each["outEdges"]),
                )

    def _ends(self, node: str, edges: str, end: str) -> tuple[str, ...]:
        graph = self._graph("lineage", {"nodeId": node, "depth": "1"})
        return tuple(edge[end] for each in graph if each["id"] == node for edge in each[edges])

    def _graph(self, path: str, question: dict[str, str]) -> list[dict[str, Any]]:
        """The graph's nodes; none where the backend has never heard of the node."""
        where = scrub(self._url)
        try:
            answer = self._http.get(f"{self._url}/api/v1/{path}", params=question)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise BackendUnavailable(where, scrub(str(error))) from error
        if answer.status_code == _NOT_FOUND and "json" in answer.headers.get("content-type", ""):
            return []
        if not answer.is_success:
            raise BackendUnavailable(where, f"HTTP {answer.status_code}")
        try:
            return orjson.loads(answer.content)["graph"]
        except (ValueError, KeyError, TypeError) as error:
            raise BackendUnavailable(where, "the answer is no graph; is this a backend?") from error


def is_http(url: str) -> bool:
    """Whether it is an address that can be asked."""
    return urlsplit(url).scheme in {"http", "https"}


def _datasets(nodes: Iterable[str]) -> Iterator[DatasetName]:
    return (DatasetName(*parse_node_id(node).parts) for node in nodes)


def _dataset_of_field(node: str) -> DatasetName:
    return DatasetName(*parse_node_id(node).parts[:2])


def _is_below(node: str, job: str) -> bool:
    """Whether it is one of the connector's own jobs per dataset."""
    below, connector = parse_node_id(node), parse_node_id(job)
    return below.parts[0] == connector.parts[0] and below.parts[1].startswith(
        f"{connector.parts[1]}:"
    )
