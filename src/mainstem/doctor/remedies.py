"""The exact lines that heal a finding, by whose file they belong in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Remedy, Where, plain_link
from mainstem.doctor.picture import Link
from mainstem.doctor.servers import read_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mainstem.doctor.picture import Job
    from mainstem.names.dataset import DatasetName

_CLIENTS = {"SOURCE_CONNECTOR": "producer", "SINK_CONNECTOR": "consumer"}


def join_namespaces(
    chosen: str, others: Sequence[str], jobs: Iterable[Job] = ()
) -> tuple[Remedy, ...]:
    """How several names of one system become one; ``jobs`` say one of the others."""
    links = tuple(Link(chosen, None, other, None) for other in others)
    return (
        Remedy(Where.BACKEND, _requests(links), links),
        Remedy(Where.RECIPE, _recipe_lines(chosen, others), links),
        *_at_the_source(chosen, others, list(jobs)),
    )


def join_datasets(chosen: DatasetName, others: Sequence[DatasetName]) -> tuple[Remedy, ...]:
    """How several names of one dataset become one."""
    links = tuple(Link(*chosen, *other) for other in others)
    return (Remedy(Where.BACKEND, _requests(links), links),)


def declare_target(job: Job, target: DatasetName) -> Remedy:
    """The recipe's own word on where a sink writes."""
    return _declared(job, "targets", target.namespace, target.name)


def declare_unresolved(job: Job) -> Remedy:
    """The recipe's own word where nothing else tells; whoever adds it fills in the names."""
    what = "targets" if job.type == "SINK_CONNECTOR" else "sources"
    return _declared(job, what, "NAMESPACE", "NAME")


def _declared(job: Job, what: str, namespace: str, name: str) -> Remedy:
    cluster = job.name.namespace.rpartition("://")[2]
    return Remedy(
        Where.RECIPE,
        "clusters:\n"
        f"  - name: {_quoted(cluster)}\n"
        "    declared:\n"
        f"      {_quoted(job.name.name)}:\n"
        f"        {what}:\n"
        f"          - namespace: {_quoted(namespace)}\n"
        f"            name: {_quoted(name)}",
    )


def _recipe_lines(chosen: str, others: Sequence[str]) -> str:
    listed = "\n".join(f"    - {_quoted(other)}" for other in others)
    return f"namespaces:\n  {_quoted(chosen)}:\n{listed}"


def _requests(links: Iterable[Link]) -> str:
    return "\n".join(f"PUT /api/v2/aliases\n{json.dumps(plain_link(one))}" for one in links)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _at_the_source(chosen: str, others: Sequence[str], jobs: list[Job]) -> Iterator[Remedy]:
    """What each producer that says another name can be told."""
    address = read_address(chosen)
    if address is None or address.first.host is None:
        return
    server = chosen.partition("://")[2]
    said = {job.integration for job in jobs}
    if address.system == "kafka":
        if "DEBEZIUM" in said:
            key = "openlineage.integration.dataset.kafka.bootstrap.servers"
            yield Remedy(Where.DEBEZIUM, f"{key}={server}")
        clients = {_CLIENTS[job.type] for job in jobs if job.is_connector and job.type in _CLIENTS}
        for client in sorted(clients):
            yield Remedy(Where.CONNECTOR, f'"{client}.override.bootstrap.servers": "{server}"')
    if "SPARK" in said:
        yield Remedy(Where.SPARK, _spark_lines(address.system, server, address.first.host, others))


def _spark_lines(system: str, server: str, host: str, others: Sequence[str]) -> str:
    """The agent's resolver puts a name in the place of hosts; where it cannot, the option itself.

    A resolver's name is part of a key, so that it can hold no dot.
    """
    read = [read_address(other) for other in others]
    hosts = sorted({one.first.host for one in read if one is not None and one.first.host})
    ports = {one.first.port for one in read if one is not None}
    if hosts and "." not in host and ports == {int(server.rpartition(":")[2] or 0)}:
        key = f"spark.openlineage.dataset.namespaceResolvers.{host}"
        return f"{key}.type=hostList\n{key}.hosts=[{';'.join(hosts)}]\n{key}.schema={system}"
    if system == "kafka":
        return f'.option("kafka.bootstrap.servers", "{server}")'
    return f'.option("url", "jdbc:{_JDBC.get(system, system)}://{server}/DATABASE")'


_JDBC = {"postgres": "postgresql"}
