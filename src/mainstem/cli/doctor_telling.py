"""Findings as people read them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.doctor.finding import Finding
    from mainstem.doctor.picture import Picture

SHOWN_NODES = 6
EACH = 1000
_COLOURS = {"error": "bold red", "warn": "yellow", "info": "dim"}


def print_findings(found: list[Finding], picture: Picture) -> None:
    """Every finding, the worst first, with the lines to add."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for one in found:
        severity = one.severity.value
        console.print(
            Text.assemble(
                (severity, _COLOURS[severity]), f"  {one.kind}  ({one.confidence.value})  {one.id}"
            )
        )
        console.print(Text(f"  {one.title}"))
        console.print(Text(f"  {one.why}", style="dim"))
        for node in one.nodes[:SHOWN_NODES]:
            console.print(Text(f"    {node.id}"))
        if len(one.nodes) > SHOWN_NODES:
            console.print(Text(f"    and {len(one.nodes) - SHOWN_NODES} more"))
        for remedy in one.remedies:
            console.print(Text(f"  {remedy.where.value}:", style="bold"))
            for line in remedy.text.splitlines():
                console.print(Text(f"    {line}"))
        console.print()
    console.print(Text(_summary(found, picture)))


def _summary(found: list[Finding], picture: Picture) -> str:
    from mainstem.doctor.finding import counts

    looked_at = f"{len(picture.datasets)} datasets and {len(picture.jobs)} jobs"
    if not found:
        return f"{looked_at}: nothing found"
    told = ", ".join(f"{number} {word}" for word, number in counts(found).items() if number)
    return f"{looked_at}: {told}"


@contextmanager
def counted(what: str) -> Generator[Callable[[int], None]]:
    """A count that runs on a terminal; nowhere else, where it would be noise in a log."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:

        def progress(number: int) -> None:
            if number % EACH == 0:
                status.update(f"{number} {what}")

        yield progress
