"""What a backend's graph says of a connector today, by Marquez's API."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import httpx2
import orjson

from mainstem.errors import BackendUnavailable
from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeId, NodeKind, parse_node_id
from mainstem.scrub import scrub
from mainstem.watch.preview.parties import CONNECT, Party, is_below
from mainstem.watch.preview.planning import CurrentColumn, Today

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECONDS = 30.0
PAGE = 1000
_NOT_FOUND = 404
_LOCKED = (401, 403)


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

    @cached_property
    def namespaces(self) -> tuple[str, ...]:
        """Every namespace; only a backend has such a list, so it is asked for before anything."""
        found: list[str] = []
        while True:
            question = {"limit": str(PAGE), "offset": str(len(found))}
            page = self._list("namespaces", self._ask("namespaces", question), "namespaces")
            found += [each["name"] for each in page]
            if len(page) < PAGE:
                return tuple(found)

    def job_of(self, namespace: str, connector: str) -> Party | None:
        """The connector's job in a namespace, if there is one."""
        return (
            Party(connector, namespace)
            if self._graph("lineage", _job(namespace, connector))
            else None
        )

    def jobs_of(self, connector: str) -> tuple[Party, ...]:
        """The jobs of that name in all namespaces of Connect clusters."""
        connect = (each for each in self.namespaces if each.startswith(CONNECT))
        found = (self.job_of(namespace, connector) for namespace in connect)
        return tuple(job for job in found if job is not None)

    def today(self, job: Party | None, planned: Iterable[DatasetName]) -> Today:
        """What the connector writes, who else writes what it will, and who reads from it."""
        written = frozenset(self._written(job)) if job else frozenset[DatasetName]()
        writers: dict[DatasetName, frozenset[Party]] = {}
        readers: dict[DatasetName, frozenset[Party]] = {}
        for dataset in {*planned, *written}:
            node = str(NodeId(NodeKind.DATASET, dataset))
            others = map(_party, self._ends(node, "inEdges", "origin"))
            writers[dataset] = frozenset(
                one for one in others if job is None or not (one == job or is_below(one, job))
            )
            readers[dataset] = frozenset(map(_party, self._ends(node, "outEdges", "destination")))
        columns = tuple(each for dataset in sorted(written) for each in self._columns(dataset))
        return Today(writers, written, readers, columns, job)

    def _written(self, job: Party) -> Iterator[DatasetName]:
        node = _job(job.namespace or "", job.name)["nodeId"]
        return map(_dataset, self._ends(node, "outEdges", "destination"))

    def _columns(self, dataset: DatasetName) -> Iterator[CurrentColumn]:
        node = str(NodeId(NodeKind.DATASET, dataset))
        question = {"nodeId": node, "depth": "1", "withDownstream": "true"}
        for each in self._graph("column-lineage", question):
            id_ = parse_node_id(each["id"])
            if DatasetName(*id_.parts[:2]) == dataset:
                yield CurrentColumn(
                    dataset,
                    id_.parts[2],
                    frozenset(_dataset(edge["origin"]) for edge in each["inEdges"]),
                    tuple(_column(edge["destination"]) for edge in each["outEdges"]),
                )

    def _ends(self, node: str, edges: str, end: str) -> tuple[str, ...]:
        graph = self._graph("lineage", {"nodeId": node, "depth": "1"})
        return tuple(edge[end] for each in graph if each["id"] == node for edge in each[edges])

    def _graph(self, path: str, question: dict[str, str]) -> list[dict[str, Any]]:
        """The graph's nodes; none where the backend has never heard of the node."""
        _ = self.namespaces  # whoever has none says "not found" of everything
        answer = self._ask(path, question)
        if answer.status_code == _NOT_FOUND and "json" in answer.headers.get("content-type", ""):
            return []
        return self._list(path, answer, "graph")

    def _ask(self, path: str, question: dict[str, str]) -> httpx2.Response:
        try:
            return self._http.get(f"{self._url}/api/v1/{path}", params=question)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unusable(scrub(str(error)) or type(error).__name__) from error

    def _list(self, path: str, answer: httpx2.Response, key: str) -> list[dict[str, Any]]:
        if answer.status_code in _LOCKED:
            raise self._unusable(f"HTTP {answer.status_code}: set OPENLINEAGE_API_KEY to a token")
        if answer.status_code == _NOT_FOUND:
            raise self._unusable(f"has no /api/v1/{path}: this is no backend")
        if not answer.is_success:
            raise self._unusable(f"HTTP {answer.status_code}")
        try:
            return list(orjson.loads(answer.content)[key])
        except (ValueError, KeyError, TypeError) as error:
            reason = f"the answer to /api/v1/{path} has no {key}; is this a backend?"
            raise self._unusable(reason) from error

    def _unusable(self, reason: str) -> BackendUnavailable:
        return BackendUnavailable(scrub(self._url), reason)


def is_http(url: str) -> bool:
    """Whether it is an address that can be asked."""
    return urlsplit(url).scheme in {"http", "https"}


def _job(namespace: str, name: str) -> dict[str, str]:
    return {"nodeId": str(NodeId(NodeKind.JOB, (namespace, name))), "depth": "1"}


def _party(node: str) -> Party:
    namespace, name = parse_node_id(node).parts
    return Party(name, namespace)


def _dataset(node: str) -> DatasetName:
    """A dataset, or that of a field."""
    return DatasetName(*parse_node_id(node).parts[:2])


def _column(node: str) -> tuple[DatasetName, str]:
    return _dataset(node), parse_node_id(node).parts[2]
