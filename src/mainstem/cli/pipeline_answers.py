"""Answers for people: a table of the first rows, and a bar where a number is to be seen."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import datetime, timedelta
from typing import Any, cast

SCHEMA_VERSION = 1
SHOWN = 50
BAR_WIDTH = 20
NOTHING = {
    "impact": "Nothing lies downstream.",
    "orphans": "Every dataset is read by somebody.",
    "stale": "Every job runs as it used to.",
    "changed": "No schema changed in this period.",
}
BARS = {"impact": "distance", "changed": "at"}
"""The column whose values are counted below the table, for a picture of the whole."""
Row = dict[str, Any]


def print_json(view: str, rows: list[Row]) -> None:
    """Every row, times as ISO 8601 in UTC."""
    import orjson

    told = {"version": SCHEMA_VERSION, "view": view, "rows": rows}
    sys.stdout.write(orjson.dumps(told).decode() + "\n")


def print_answer(view: str, rows: list[Row]) -> None:
    """The first rows as a table, how many there are, and how they are spread."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not rows:
        console.print(NOTHING[view])
        return
    table = Table(*(name.replace("_", " ") for name in rows[0]))
    for row in rows[:SHOWN]:
        table.add_row(*(_cell(name, value) for name, value in row.items()))
    console.print(table)
    if len(rows) > SHOWN:
        console.print(f"… and {len(rows) - SHOWN} more of {len(rows)}; --json prints them all")
    if view in BARS:
        _print_bars(console, BARS[view], rows)


def _print_bars(console: Any, column: str, rows: list[Row]) -> None:
    """How many rows each value has, or each day where the column is a time."""
    from rich.bar import Bar
    from rich.table import Table

    counts = Counter(_group(row[column]) for row in rows)
    if len(counts) == 1:
        return
    most = max(counts.values())
    bars = Table(column, "rows", "", box=None)
    for value, count in sorted(counts.items()):
        bars.add_row(str(value), str(count), Bar(most, 0, count, width=BAR_WIDTH))
    console.print(bars)


def _group(value: Any) -> Any:
    return value.date() if isinstance(value, datetime) else value


def _cell(name: str, value: Any) -> str:
    match value:
        case None:
            return "-"
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M:%S")
        case list():
            return ", ".join(map(str, cast("list[object]", value))) or "-"
        case float() if name.endswith("_s"):
            return str(timedelta(seconds=round(value)))
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
