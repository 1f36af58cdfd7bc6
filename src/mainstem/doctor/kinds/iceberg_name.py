"""A lake's table, by its path here and by its catalog's name there."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.joining import are_apart, doubted, one_dataset
from mainstem.doctor.locations import is_files, location
from mainstem.doctor.seams import Seam, seam
from mainstem.names.servers import DEFAULT_PORTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View
    from mainstem.names.dataset import DatasetName

KIND = "iceberg-name"
_CATALOG_SERVERS = frozenset({"hive", "trino", "databricks"})
_NO_CATALOGS = frozenset(
    {"bigquery", "bigtable", "dynamodb", "kinesis", "pubsub", "snowflake", "spanner", "sqs"}
)
_ID_AT_THE_END = re.compile(r"[-_](?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$")
"""Catalog servers put a table's id behind its name, so that a path is never used twice."""


def find(view: View) -> Iterator[Finding]:
    """Paths and catalog names of which both end in the same database and table."""
    paths: defaultdict[str, list[int]] = defaultdict(list)
    names: defaultdict[str, list[int]] = defaultdict(list)
    for place, dataset in enumerate(view.datasets):
        if (tail := _path_tail(dataset.name)) is not None:
            paths[tail].append(place)
        elif (tail := _catalog_tail(dataset.name)) is not None:
            names[tail].append(place)
    for tail, named in names.items():
        for name in named:
            yield from _matched(view, name, paths.get(tail, []))


def _matched(view: View, name: int, paths: list[int]) -> Iterator[Finding]:
    told = [(confidence, path) for path in paths if (confidence := _confidence(view, path, name))]
    sure = [one for one in told if one[0] is Confidence.CERTAIN]
    for confidence, path in sure or told:
        is_plain = len(sure or told) == 1
        how = "one is the table's path, the other its catalog's name"
        answer = confidence if is_plain else Confidence.POSSIBLE
        yield one_dataset(view, KIND, (path, name), answer, how)


def _confidence(view: View, path: int, name: int) -> Confidence | None:
    """Certain where the catalog is the warehouse, whose tables lie where their names say."""
    catalog = view.datasets[name].name
    root, where = location(catalog), location(view.datasets[path].name)
    if root is not None and where is not None:
        warehouse = root.removesuffix(catalog.name)
        if where == warehouse + catalog.name.replace(".", "/"):
            is_cut = seam(view, path, name) is not Seam.NONE
            return Confidence.CERTAIN if is_cut and not are_apart(view, path, name) else None
    return doubted(view, path, name)


def _path_tail(name: DatasetName) -> str | None:
    if not is_files(name.namespace):
        return None
    folders = [part for part in name.name.split("/") if part]
    if len(folders) < 2 or "." in folders[-1]:  # noqa: PLR2004 - a database and a table
        return None
    table = _ID_AT_THE_END.sub("", folders[-1].lower())
    return f"{folders[-2].lower().removesuffix('.db')}.{table}"


def _catalog_tail(name: DatasetName) -> str | None:
    scheme = name.namespace.partition(":")[0].lower()
    is_server = scheme in DEFAULT_PORTS and scheme not in _CATALOG_SERVERS
    if is_server or scheme in _NO_CATALOGS or "/" in name.name.removeprefix("table/"):
        glue = name.name.removeprefix("table/").split("/")
        return ".".join(glue).lower() if scheme == "arn" and len(glue) == 2 else None  # noqa: PLR2004
    parts = name.name.lower().split(".")
    return ".".join(parts[-2:]) if len(parts) > 1 else None
