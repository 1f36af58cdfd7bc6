"""Which Maven files the lab runs, each pinned by coordinate and by sha256.

``artefacts.json`` holds whole sets, dependencies included, so that a start resolves nothing and
two machines run the same bytes. ``scripts/pin_artefacts.py`` writes it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from msgspec import Struct

PINS = Path(__file__).with_name("artefacts.json")


class Artefact(Struct, frozen=True):
    """One file of a Maven repository and what its bytes must hash to."""

    group: str
    name: str
    packaging: str
    classifier: str
    version: str
    sha256: str

    @classmethod
    def parse(cls, coordinate: str, sha256: str) -> Artefact:
        """The artefact at ``group:name:packaging[:classifier]:version``."""
        group, name, packaging, *classifier, version = coordinate.split(":")
        return cls(group, name, packaging, "".join(classifier), version, sha256)

    @property
    def coordinate(self) -> str:
        """The text that ``parse`` reads."""
        parts = (self.group, self.name, self.packaging, self.classifier, self.version)
        return ":".join(part for part in parts if part)


def pinned(name: str) -> tuple[Artefact, ...]:
    """The artefacts of one set, in the order of the list."""
    sets = json.loads(PINS.read_text())
    return tuple(Artefact.parse(coordinate, sha256) for coordinate, sha256 in sets[name].items())


def fingerprint(artefacts: tuple[Artefact, ...]) -> str:
    """A short name for exactly these files."""
    text = "\n".join(f"{each.coordinate} {each.sha256}" for each in artefacts)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def sha256_of(file: Path) -> str:
    """The hash of a file's bytes."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
