"""Whole tables as plain values, to be compared; what may differ between two builds is left out."""

from __future__ import annotations

from typing import Any

from mainstem.pipeline.table import Table
from mainstem.pipeline.tables import TABLES

MAY_DIFFER = {"quarantine": {"origin"}, "run": {"fold"}, "job": {"others_until"}}
"""Where a line lay, and notes for the next build."""


def contents(target: Any) -> dict[str, list[str]]:
    """Every table's rows as sorted texts."""
    return {table.name: _rows(target, table) for table in TABLES}


def _rows(target: Any, table: Table) -> list[str]:
    names = [name for name in table.names if name not in MAY_DIFFER.get(table.name, ())]
    return sorted(target.read(table).select(*names).toJSON().collect())
