"""Write ``docs/families.md``: every connector family, its classes and the config keys it reads.

Usage: make_family_table.py [--check]; with --check it only says whether the page is up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mainstem.watch.resolvers import FAMILIES
from mainstem.watch.resolvers.families import generic

PAGE = Path(__file__).resolve().parent.parent / "docs" / "families.md"

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


def main() -> None:
    if sys.argv[1:] == ["--check"]:
        same = PAGE.exists() and PAGE.read_text() == page()
        sys.exit(0 if same else f"{PAGE.name} is out of date: run scripts/make_family_table.py")
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
