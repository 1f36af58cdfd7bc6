"""``mainstem recipe``: what a recipe may say."""

from __future__ import annotations

from typing import Annotated, Literal

import cyclopts
from cyclopts import Parameter

app = cyclopts.App(name="recipe", help="What a recipe may say.")


@app.command
def schema(
    *, verb: Annotated[Literal["ingest", "watch"], Parameter(name="--for")] = "ingest"
) -> None:
    """Print the JSON Schema of a recipe, from which editors complete and check.

    Parameters
    ----------
    verb
        Whose recipe: that of ingest or that of watch.
    """
    import orjson

    from mainstem.recipe.json_schema import json_schema

    print(orjson.dumps(json_schema(verb), option=orjson.OPT_INDENT_2).decode())
