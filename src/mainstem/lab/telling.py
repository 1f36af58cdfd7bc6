"""What a person reads about the lab: each piece as plain lines."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from mainstem.lab.scenarios.breakages import BREAKAGES
from mainstem.lab.scenarios.expected import COUNTING_BY_AGENT, LIVE_ANALYTICS
from mainstem.lab.scenarios.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import tzinfo

    from mainstem.lab.control import Answer
    from mainstem.lab.steps import Step

_VERBS = (
    ("break", "what can be broken"),
    ("break s3", "take S3 away, and see FAIL"),
    ("heal", "mend it, and see a new START"),
    ("status", "what runs, where, and where the logs are"),
    ("down", "end everything"),
)
_BY_MAINSTEM = (
    "orders.price in PostgreSQL: follow the column to total_price, two ways",
    f"the job {LIVE_ANALYTICS}: one run since its start, with its offsets",
)
_BY_AGENT = (
    "orders.price in PostgreSQL: follow the column into the lake; the agent tells no further",
    f"the job {COUNTING_BY_AGENT}: a run for every few seconds",
)
ADDRESSES = ("page", "postgres", "kafka", "registry", "connect", "s3", "events")
MARKS = {"done": "✓", "failed": "✗", "ready": "✓", "running": "…"}


def step_line(step: Step) -> str:
    """One step with its state and time."""
    return f"{MARKS[step.state]} {step.seconds:6.1f} s  {step.name:<26} {step.detail}".rstrip()


def event_line(event: Mapping[str, Any], zone: tzinfo | None = None) -> str:
    """One event: time, type, job, inputs → outputs, and why a run failed; None is local time."""
    time = datetime.fromisoformat(event["eventTime"]).astimezone(zone)
    sides = (_datasets(event, "inputs"), _datasets(event, "outputs"))
    kind = event.get("eventType", "JOB")
    line = f"{time:%H:%M:%S}  {kind:<9} {event['job']['name']:<24} {' → '.join(sides)}"
    reason = _reason(event)
    return f"{line}\n          {reason}" if reason else line


class News:
    """What was told already, so that a run which only goes on is not told again."""

    def __init__(self, told: Iterable[Mapping[str, Any]]) -> None:
        self._told = set(map(self._what, told))

    def is_in(self, event: Mapping[str, Any]) -> bool:
        """Whether the event says more than that a run still does what it did."""
        what = self._what(event)
        known = what in self._told
        self._told.add(what)
        return event.get("eventType") != "RUNNING" or not known

    @staticmethod
    def _what(event: Mapping[str, Any]) -> tuple[str, ...]:
        run = event.get("run", {}).get("runId", "")
        return run, _datasets(event, "inputs"), _datasets(event, "outputs"), _reason(event) or ""


def status_lines(status: Answer) -> list[str]:
    """What runs, where, and what is broken."""
    services = [_service_line(name, status) for name in status["services"]]
    connectors = [
        f"{name:<24} {', '.join(states)}" for name, states in sorted(status["connectors"].items())
    ]
    broken = status["broken"]
    return [
        f"Services, {_megabytes(status['memoryInAll'])} of memory in all:",
        *_indented(services),
        "Connectors (own state, then those of the tasks):",
        *_indented(connectors or ["no answer"]),
        "Addresses:",
        *_indented([f"{key:<10} {status[key]}" for key in ADDRESSES]),
        f"Broken: {broken}; mend it with: mainstem lab heal" if broken else "Nothing is broken.",
    ]


def starting_lines(steps: list[Step]) -> list[str]:
    """How far a start has come: the steps that are over, and the one that is not."""
    over = [step_line(step) for step in steps if step.state != "running"]
    now = [step_line(step) for step in steps[-1:] if step.state == "running"]
    return ["The lab is still starting:", *_indented([*over, *now])]


def breakage_lines() -> list[str]:
    """Everything that can be broken."""
    named = [f"{each.name:<10} {each.summary}" for each in BREAKAGES]
    return ["Say what to break, one at a time: mainstem lab break NAME", *_indented(named)]


def next_lines(program: str) -> list[str]:
    """What to try once the lab runs; ``program`` is how this product is called here."""
    return [
        "What to try next, from another terminal:",
        *_indented([f"{program} lab {verb:<11} {gives}" for verb, gives in _VERBS]),
    ]


def look_lines(page: str, pattern: str) -> list[str]:
    """Where to look, and at what."""
    price, run = _BY_AGENT if pattern == Pattern.LISTENER else _BY_MAINSTEM
    readers = "the topic shop.public.orders: one topic, five readers, three of them connectors"
    return [f"The graph, live: {page}", *_indented([price, readers, run])]


def times_line(seconds: Mapping[str, float]) -> str:
    """How long a start took until each part was there."""
    parts = [f"{part} after {took:.0f} s" for part, took in seconds.items()]
    return f"Timed from the beginning, downloads included: {', '.join(parts)}."


def memory_line(status: Answer) -> str:
    """What all of it holds in memory."""
    return f"Memory: {_megabytes(status['memoryInAll'])} in all."


def _service_line(name: str, status: Answer) -> str:
    log = f"log: {status['logs'][name]}"
    if not status["services"][name]:
        return f"{name:<24} DOWN     {'':<10} {'':<11} {log}"
    memory = _megabytes(status["memory"][name])
    return f"{name:<24} running  {memory:>10} pid {status['pids'][name]:<7} {log}"


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"


def _datasets(event: Mapping[str, Any], side: str) -> str:
    named = [f"{each['namespace']} {each['name']}" for each in event.get(side, ())]
    return ", ".join(named) or "(nothing)"


def _reason(event: Mapping[str, Any]) -> str | None:
    facet = event.get("run", {}).get("facets", {}).get("errorMessage")
    return facet["message"].splitlines()[0] if facet else None


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
