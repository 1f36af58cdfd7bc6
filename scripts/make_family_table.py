"""Write ``docs/families.md``, every connector family, and the table of them in ``columns.md``.

Usage: make_family_table.py [--check]; with --check it only says whether the page is up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mainstem.watch.resolvers import FAMILIES
from mainstem.watch.resolvers.families import generic
from mainstem.watch.resolvers.untold_columns import untold_table

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- made by scripts/make_family_table.py -->\n", "<!-- end -->\n"

HEAD = """# Connector families

Every connector that Mainstem resolves, by all class names it is known under. A class that is not \
here is picked by its simple name (a fork keeps it in another package); what no family answers for \
is told by the generic family: its topics, and on the other side only what you declare.

An edge is `seen` where the topics that the connector was seen to use confirm it, `config` where \
only its config says so, `declared` where you say so in the recipe. The keys below are all that \
ever leaves the room that reads Connect's REST; patterns stand in slashes.

Made by `scripts/make_family_table.py`; do not edit.
"""


def page() -> str:
    """The whole page, as it should be."""
    families = sorted((*FAMILIES, generic.RESOLVER), key=lambda family: family.name.lower())
    parts = [HEAD]
    for family in families:
        keys = [*family.reads.names, *(f"/{pattern}/" for pattern in family.reads.patterns)]
        classes = ", ".join(f"`{name}`" for name in sorted(family.classes)) or "every other class"
        parts += [
            f"## {family.name}\n",
            f"Classes: {classes}\n",
            "Keys read: " + (", ".join(f"`{key}`" for key in sorted(keys)) or "the shared ones")
            + "\n",
        ]  # fmt: skip
    return "\n".join(parts)


def columns_page() -> str:
    """The page of columns with its table as it should be."""
    before, _, rest = (DOCS / "columns.md").read_text().partition(BEGIN)
    return before + BEGIN + untold_table(FAMILIES) + END + rest.partition(END)[2]


def main() -> None:
    pages = {DOCS / "families.md": page(), DOCS / "columns.md": columns_page()}
    if sys.argv[1:] == ["--check"]:
        old = [path.name for path, text in pages.items() if path.read_text() != text]
        sys.exit(f"{old} are out of date: run scripts/make_family_table.py" if old else 0)
    for path, text in pages.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
