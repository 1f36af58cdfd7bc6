"""Recorded events of real agents as a log that came in disorder, in several files."""

from __future__ import annotations

import random
from pathlib import Path

SAMPLES = Path(__file__).parents[1] / "samples" / "spark-events"


def disordered(seed: int = 11) -> list[str]:
    """Every recorded event, some repeated, some broken, in an order of chance."""
    lines = [line for file in sorted(SAMPLES.iterdir()) for line in file.read_text().splitlines()]
    assert len(lines) > 50
    draw = random.Random(seed)
    told = [*lines, *draw.sample(lines, len(lines) // 10), "{no event", lines[0][:100]]
    draw.shuffle(told)
    return told


def put(lines: list[str], directory: Path, first: int, files: int) -> None:
    """Move finished files into a directory, as a program that hands them over does."""
    directory.mkdir(exist_ok=True)
    for number in range(files):
        part = directory.parent / f"part-{first + number}.ndjson"
        part.write_text("\n".join(lines[number::files]) + "\n")
        part.rename(directory / part.name)
