"""Connect plug-ins that come as jars: one folder each, with what ``service_load`` looks for.

A worker that discovers plug-ins by service loading sees no class that its jar does not list below
``META-INF/services``; some vendors' jars list none.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Services = dict[str, str]
"""An interface of Connect, and the class of the plug-in that implements it."""

SINK = "org.apache.kafka.connect.sink.SinkConnector"
CONVERTER = "org.apache.kafka.connect.storage.Converter"
SHIM = "mainstem-plugin-services.jar"


def write_services(directory: Path, services: Mapping[str, str]) -> None:
    """Put a jar beside the plug-in's own that lists what it offers."""
    with zipfile.ZipFile(directory / SHIM, "w") as shim:
        for interface, implementation in services.items():
            shim.writestr(f"META-INF/services/{interface}", f"{implementation}\n")
