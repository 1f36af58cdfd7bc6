"""Where the programs of the lab tell their lineage: to the backend, and into one file beside it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_configuration(file: Path, backend_url: str, events: Path) -> None:
    """The file that OpenLineage clients read, ours and the official one."""
    transports = {
        "backend": {"type": "http", "url": backend_url},
        "disk": {"type": "file", "log_file_path": str(events), "append": True},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    # JSON is YAML, and quotes every path as it must be.
    file.write_text(json.dumps({"transport": {"type": "composite", "transports": transports}}))


def lineage_environment(configuration: Path) -> dict[str, str]:
    """Our environment without any other lineage destination of the user."""
    ours = {key: value for key, value in os.environ.items() if "OPENLINEAGE" not in key}
    return ours | {"OPENLINEAGE_CONFIG": str(configuration)}
