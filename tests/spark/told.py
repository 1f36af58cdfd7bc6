"""What a tracked application told, read back and checked against the specification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from openlineage_schemas import assert_valid_event

Event = dict[str, Any]


def events_in(file: Path) -> list[Event]:
    """Every event in the file of a file destination."""
    if not file.exists():
        return []
    return [assert_valid_event(line) for line in file.read_bytes().splitlines()]


def of_job(events: list[Event], job: str) -> list[Event]:
    """The events of one job, in the order they were told."""
    return [event for event in events if event["job"]["name"] == job]


def types(events: list[Event]) -> list[str]:
    """What was said, signs of life left out: how many there are is a matter of time."""
    return [event["eventType"] for event in events if event["eventType"] != "RUNNING"]


def message(event: Event) -> str | None:
    """Why a run ended."""
    return event["run"]["facets"].get("errorMessage", {}).get("message")
