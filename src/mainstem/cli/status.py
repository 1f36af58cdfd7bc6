"""``mainstem status``: what the watcher knows, and what waits to be delivered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from mainstem.clock import now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from mainstem.outbox import DestinationStatus
    from mainstem.watch.journal import ClusterRow, ConnectorRow

STATUS_SCHEMA = 1


def status(*, journal: Path | None = None, json: bool = False) -> None:
    """Show clusters, connectors, their runs, and what waits in the outbox.

    Parameters
    ----------
    journal
        The watcher's journal; by default the one that watch uses by default.
    json
        Print JSON for machines.
    """
    from mainstem.outbox.location import default_journal_path
    from mainstem.outbox.reader import OutboxReader
    from mainstem.watch.journal import read_clusters, read_connectors

    path = journal or default_journal_path()
    clusters, connectors = read_clusters(path), read_connectors(path)
    destinations = OutboxReader(path).status()
    if json:
        _print_json(path, clusters, connectors, destinations)
    else:
        _print_tables(path, clusters, connectors, destinations)


def _print_json(
    path: Path,
    clusters: tuple[ClusterRow, ...],
    connectors: tuple[ConnectorRow, ...],
    destinations: tuple[DestinationStatus, ...],
) -> None:
    import orjson

    told: dict[str, Any] = {
        "schema": STATUS_SCHEMA,
        "journal": str(path),
        "clusters": [asdict(each) for each in clusters],
        "connectors": [asdict(each) for each in connectors],
        "destinations": [asdict(each) for each in destinations],
    }
    print(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())


def _print_tables(
    path: Path,
    clusters: tuple[ClusterRow, ...],
    connectors: tuple[ConnectorRow, ...],
    destinations: tuple[DestinationStatus, ...],
) -> None:
    from rich.console import Console

    console = Console()
    console.print(f"journal: {path}", highlight=False)
    for table in (
        _cluster_table(clusters),
        _connector_table(connectors),
        _destination_table(destinations),
    ):
        console.print(table)
    for each in connectors:
        for line in _why(each.summary):
            console.print(f"{each.name}: {line}", highlight=False, markup=False)


def _why(summary: dict[str, Any]) -> Iterator[str]:
    """Why it does not work as it should, and what of its lineage is not known."""
    if summary.get("reason") and summary.get("health") in {"failed", "degraded", "unsettled"}:
        error = f": {summary['error']}" if summary.get("error") else ""
        yield f"{summary['reason']}{error}"
    for reason in summary.get("unresolved", ()):
        yield f"unresolved: {reason}"
    unasked = summary.get("unasked")
    if unasked and unasked not in summary["unresolved"]:
        yield unasked


def _cluster_table(clusters: tuple[ClusterRow, ...]) -> Table:
    table = _table("cluster", "connectors", "last look", "last success", "trouble")
    for each in clusters:
        table.add_row(
            each.name,
            str(each.connectors),
            _when(each.looked_at),
            _when(each.last_success),
            each.trouble or "",
        )
    return table


def _connector_table(connectors: tuple[ConnectorRow, ...]) -> Table:
    table = _table("connector", "cluster", "state", "tasks", "run", "last event", "in → out")
    for each in connectors:
        summary = each.summary
        tasks = summary.get("tasks", ())
        running = sum(task["state"] == "RUNNING" for task in tasks)
        datasets = f"{len(summary.get('inputs', ()))} → {len(summary.get('outputs', ()))}"
        table.add_row(
            each.name,
            each.cluster,
            _state(summary),
            f"{running}/{len(tasks)}",
            "open" if each.run_id else "none",
            (each.last_event_time or "")[:19],
            datasets,
        )
    return table


def _state(summary: dict[str, Any]) -> str:
    state = str(summary.get("state", "?"))
    if summary.get("left_out"):
        return f"{state}, left out by the recipe"
    if quiet_since := summary.get("quiet_since"):
        minutes = int((now() - datetime.fromisoformat(quiet_since)).total_seconds() // 60)
        return f"{state}, but nothing moved for {minutes} minutes"
    return state


def _destination_table(destinations: tuple[DestinationStatus, ...]) -> Table:
    table = _table(
        "destination", "waiting", "oldest", "dead letters", "dropped", "delivered", "trouble"
    )
    for each in destinations:
        age = each.oldest_age_seconds
        table.add_row(
            each.name,
            str(each.depth),
            "" if age is None else f"{age:.0f} s",
            str(each.dead_letters),
            str(each.dropped),
            str(each.delivered),
            each.paused or each.trouble or "",
        )
    return table


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _when(time: Any) -> str:
    return "" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"
