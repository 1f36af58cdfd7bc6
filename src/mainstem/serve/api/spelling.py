"""Marquez's shapes as JSON, joined from parts that are JSON already; each byte is copied once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.node_id import node_text
from mainstem.said.columns import said_columns
from mainstem.said.json_values import brief_json
from mainstem.said.kind import marquez_type
from mainstem.said.times import iso
from mainstem.said.versions import uuid_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mainstem.names.node_id import NodeKind
    from mainstem.said.event import JobName
    from mainstem.serve.store.reading import DatasetRow, JobRow, RunRow

NULL = b"null"
KEPT_UP_TO = 300
"""Longer texts are spelled each time: what is kept is bounded in number, so it is in bytes."""


@lru_cache(maxsize=4096)
def instant(micros: int | None) -> bytes:
    """An instant as JSON."""
    return NULL if micros is None else b'"%b"' % iso(micros).encode()


class Spelled(NamedTuple):
    """A name as JSON."""

    namespace: bytes
    name: bytes

    @property
    def id(self) -> bytes:
        """Marquez's id of a job or dataset."""
        return b'{"namespace":%b,"name":%b}' % self


def spell(namespace: str, name: str) -> Spelled:
    """A name as JSON; namespaces are few, and each is spelled once."""
    return Spelled(_namespace(namespace), brief_json(name))


@lru_cache(maxsize=512)
def _namespace(namespace: str) -> bytes:
    return brief_json(namespace)


def node_id(kind: NodeKind, namespace: str, name: str) -> bytes:
    """A node id as JSON."""
    if len(namespace) + len(name) > KEPT_UP_TO:
        return brief_json(node_text(kind, namespace, name))
    return _kept_node_id(kind, namespace, name)


@lru_cache(maxsize=8192)
def _kept_node_id(kind: NodeKind, namespace: str, name: str) -> bytes:
    return brief_json(node_text(kind, namespace, name))


def run_parts(row: RunRow, job: Spelled, now: int) -> Sequence[bytes]:
    """One run; ``stale`` if it promised a heartbeat and three are overdue."""
    started, ended = row.started, row.ended
    duration = None if started is None or ended is None else max(0, (ended - started) // 1000)
    stale = row.overdue_after is not None and row.overdue_after < now
    return (
        b'{"id":"', row.id.encode(),
        b'","createdAt":', instant(row.created),
        b',"updatedAt":', instant(row.updated),
        b",", row.head,
        b',"state":"', row.state.encode(),
        b'","startedAt":', instant(started),
        b',"endedAt":', instant(ended),
        b',"durationMs":', NULL if duration is None else b"%d" % duration,
        b',"jobVersion":{"namespace":', job.namespace, b',"name":', job.name,
        b',"version":"', row.version.encode(),
        b'"},"inputDatasetVersions":', row.inputs,
        b',"outputDatasetVersions":', row.outputs,
        b',"facets":', row.facets,
        b',"stale":true}' if stale else b',"stale":false}',
    )  # fmt: skip


class JobWords(NamedTuple):
    """What a job's head says, as JSON."""

    type: bytes
    about: bytes
    """Location, description and owners."""

    parent: tuple[str, str] | None
    labels: bytes
    tags: list[str]
    location: str | None


def job_words(head: bytes) -> JobWords:
    """A job's head, read; many jobs have the same."""
    return _read_job_words(head) if len(head) > KEPT_UP_TO else _known_job_words(head)


def _read_job_words(head: bytes) -> JobWords:
    kind, location, description, labels, tags, owners, parent = orjson.loads(head)
    return JobWords(
        type=brief_json(kind),
        about=b'"location":%b,"description":%b,"owners":%b'
        % (brief_json(location), brief_json(description), brief_json(owners)),
        parent=None if parent is None else (parent[0], parent[1]),
        labels=brief_json(labels),
        tags=tags,
        location=location,
    )


_known_job_words = lru_cache(maxsize=2048)(_read_job_words)


def job_parts(
    row: JobRow, words: JobWords, plain: JobName, inputs: bytes, outputs: bytes
) -> Sequence[bytes]:
    """What lists and graphs show of a job alike, as members of its object."""
    name = spell(*plain)
    return (
        b'"id":{"namespace":', name.namespace, b',"name":', name.name,
        b'},"type":', words.type,
        b',"name":', name.name,
        *_family(plain.name, name.name, words.parent),
        b',"createdAt":', instant(row.created),
        b',"updatedAt":', instant(row.updated),
        b',"namespace":', name.namespace,
        b",", words.about,
        b',"inputs":', inputs,
        b',"outputs":', outputs,
    )  # fmt: skip


def _family(plain: str, name: bytes, parent: tuple[str, str] | None) -> Sequence[bytes]:
    """A job's name within its parent, and its parent."""
    if parent is None:
        return b',"simpleName":', name, b',"parentJobName":null,"parentJobUuid":null'
    return (
        b',"simpleName":', brief_json(plain.removeprefix(f"{parent[1]}.")),
        b',"parentJobName":', brief_json(parent[1]),
        b',"parentJobUuid":', brief_json(uuid_of("job", *parent)),
    )  # fmt: skip


class DatasetWords(NamedTuple):
    """What a dataset's head says, as JSON."""

    type: bytes
    """Marquez's type, and the truer kind."""

    source: bytes
    tags: list[str]
    about: bytes
    """Lifecycle, description and owners."""


def dataset_words(head: bytes) -> DatasetWords:
    """A dataset's head, read; many datasets have the same."""
    return _read_dataset_words(head) if len(head) > KEPT_UP_TO else _known_dataset_words(head)


def _read_dataset_words(head: bytes) -> DatasetWords:
    kind, source, lifecycle, description, tags, owners = orjson.loads(head)
    return DatasetWords(
        type=b'"type":"%b","kind":%b' % (marquez_type(kind).encode(), brief_json(kind)),
        source=brief_json(source),
        tags=tags,
        about=b'"lastLifecycleState":%b,"description":%b,"owners":%b'
        % (brief_json(lifecycle), brief_json(description), brief_json(owners)),
    )


_known_dataset_words = lru_cache(maxsize=2048)(_read_dataset_words)


def dataset_parts(row: DatasetRow, name: Spelled, given: dict[str, list[str]]) -> Sequence[bytes]:
    """What lists and graphs show of a dataset alike; ``given`` are users' tags by field."""
    words = dataset_words(row.head)
    tags = merged_tags(words.tags, given)
    return (
        b'"id":{"namespace":', name.namespace, b',"name":', name.name,
        b"},", words.type,
        b',"name":', name.name,
        b',"physicalName":', name.name,
        b',"createdAt":', instant(row.created),
        b',"updatedAt":', instant(row.updated),
        b',"namespace":', name.namespace,
        b',"sourceName":', words.source,
        b',"tags":', brief_json(tags) if tags else b"[]",
        b',"lastModifiedAt":', instant(row.written),
        b",", words.about,
        b',"fields":', _fields(row, given),
    )  # fmt: skip


def merged_tags(said: list[str], given: dict[str, list[str]]) -> list[str]:
    """The tags that events say and those that users gave to the whole, each once."""
    more = given.get("")
    return list(dict.fromkeys([*said, *more])) if more else said


def _fields(row: DatasetRow, given: dict[str, list[str]]) -> bytes:
    """The fields with the tags that users gave them."""
    if not any(given):
        return row.fields
    fields = orjson.loads(row.fields)
    for field in fields:
        field["tags"] = [*field["tags"], *given.get(field["name"], [])]
    return orjson.dumps(fields)


def graph_node(
    own: bytes, kind: bytes, data: Iterable[bytes], before: Sequence[bytes], after: Sequence[bytes]
) -> bytes:
    """A node of Marquez's graphs; ids come as JSON, in order, and the data in parts."""
    parts = [b'{"id":', own, b',"type":"', kind, b'","data":{', *data, b'},"inEdges":[']
    if before:
        origins = (b',"destination":%b},{"origin":' % own).join(before)
        parts += b'{"origin":', origins, b',"destination":', own, b"}"
    parts.append(b'],"outEdges":[')
    if after:
        destinations = (b'},{"origin":%b,"destination":' % own).join(after)
        parts += b'{"origin":', own, b',"destination":', destinations, b"}"
    parts.append(b"]}")
    return b"".join(parts)


def joined_graph(nodes: list[bytes]) -> bytes:
    """Marquez's graph of some nodes, copied but once: there may be megabytes."""
    if not nodes:
        return b'{"graph":[]}'
    parts = [b'{"graph":[' + nodes[0], *nodes[1:]]
    parts[-1] += b"]}"
    return b",".join(parts)


def column_lineage_json(facets: bytes) -> bytes:
    """Marquez's ``columnLineage`` of a dataset, from its facets."""
    if b'"columnLineage"' not in facets:
        return NULL
    columns = said_columns(orjson.loads(facets))
    if columns is None:
        return NULL
    shown: list[dict[str, Any]] = []
    for name, said in columns["fields"].items():
        words = {
            "transformationDescription": said.get("transformationDescription"),
            "transformationType": said.get("transformationType"),
        }
        inputs = [
            {
                "namespace": one["namespace"], "dataset": one["name"], "field": one["field"],
                **words, "transformations": one.get("transformations", []),
            }
            for one in said["inputFields"]
        ]  # fmt: skip
        shown.append({"name": name, "inputFields": inputs, **words})
    return orjson.dumps(shown)
