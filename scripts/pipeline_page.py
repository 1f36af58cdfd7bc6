"""Writes the tables and views of ``docs/pipeline.md`` from what the code says of them.

Run as ``python scripts/pipeline_page.py``; with ``--check`` it only says whether the page is up to
date. What stands outside of the marks is written by hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.pipeline.tables import TABLES
from mainstem.pipeline.views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.pipeline.table import Table

PAGE = Path(__file__).parents[1] / "docs" / "pipeline.md"
PARTS = {"tables": TABLES, "views": VIEWS}


def described(table: Table) -> str:
    """A table's meaning, what a row is known by, and its columns."""
    key = ", ".join(f"`{name}`" for name in table.key)
    rows = [f"| `{each.name}` | `{each.type}` | {each.meaning} |" for each in table.columns]
    head = [f"### `{table.name}`", "", f"{table.meaning} One row per {key}.", ""]
    return "\n".join([*head, "| column | type | meaning |", "|---|---|---|", *rows])


def written(page: str, name: str, tables: Iterable[Table]) -> str:
    """The page with one generated part in its place."""
    begin, end = f"<!-- {name}: made by scripts/pipeline_page.py -->", f"<!-- end of {name} -->"
    inside = "\n\n".join(described(table) for table in tables)
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(page):
        sys.exit(f"{PAGE.name} has no place for {name}")
    return pattern.sub(lambda _: f"{begin}\n\n{inside}\n\n{end}", page)


def made(page: str) -> str:
    """The page as it should be."""
    for name, tables in PARTS.items():
        page = written(page, name, tables)
    return page


def main() -> None:
    page = PAGE.read_text()
    if "--check" in sys.argv[1:]:
        if page != made(page):
            sys.exit("docs/pipeline.md is out of date; run: python scripts/pipeline_page.py")
        return
    PAGE.write_text(made(page))


if __name__ == "__main__":
    main()
