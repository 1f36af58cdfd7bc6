"""What a fix would write, decided before anything is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.doctor.finding import Confidence, Where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.picture import Link


class Fix(Struct, frozen=True):
    """Aliases to write, each once."""

    backend: tuple[Link, ...] = ()
    recipe: tuple[Link, ...] = ()
    """Of whole namespaces; the recipe knows no others."""

    left: int = 0
    """Findings that an alias might heal, and that are not sure enough."""


def plan_fix(findings: Iterable[Finding]) -> Fix:
    """The aliases of all findings that are sure enough to act on."""
    backend: dict[Link, None] = {}
    recipe: dict[Link, None] = {}
    left = 0
    for finding in findings:
        if finding.confidence is Confidence.POSSIBLE:
            left += any(remedy.links for remedy in finding.remedies)
            continue
        for remedy in finding.remedies:
            kept = backend if remedy.where is Where.BACKEND else recipe
            kept.update(dict.fromkeys(remedy.links))
    return Fix(tuple(backend), tuple(recipe), left)
