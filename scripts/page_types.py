"""Write the page's API types from the application's own OpenAPI document.

Usage: page_types.py [--check]. The types are committed, so that the page builds without Python;
``--check`` only says whether they are what the application says now.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from page import environment, install

from mainstem.serve.app import make_api

UI = Path(__file__).resolve().parent.parent / "ui"
TYPES = UI / "src" / "api" / "schema.d.ts"
OURS = "/api/v2/"


def document() -> dict[str, Any]:
    """The part that the page's generated client uses: Marquez's paths have no stated shapes."""
    whole = make_api(cast("Any", None)).openapi()
    paths = {path: said for path, said in whole["paths"].items() if path.startswith(OURS)}
    text = json.dumps(paths)
    shapes: dict[str, Any] = {}
    known = whole["components"]["schemas"]
    while True:
        found = {name for name in known if f'/schemas/{name}"' in text} - set(shapes)
        if not found:
            break
        for name in sorted(found):
            shapes[name] = known[name]
            text += json.dumps(known[name])
    return {**whole, "paths": paths, "components": {"schemas": dict(sorted(shapes.items()))}}


def generated() -> str:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        source.write_text(json.dumps(document()))
        install()
        command = [UI / "node_modules" / ".bin" / "openapi-typescript", source, "-o", target]
        subprocess.run(command, check=True, env=environment(), stdout=subprocess.DEVNULL)
        return target.read_text()


def main() -> None:
    made = generated()
    if "--check" not in sys.argv:
        TYPES.write_text(made)
    elif TYPES.read_text() != made:
        sys.exit(
            f"{TYPES.relative_to(UI.parent)} is not what the application says: run make page-types"
        )


if __name__ == "__main__":
    main()
