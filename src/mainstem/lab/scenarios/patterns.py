"""The ways in which Spark jobs can tell their lineage, side by side in one lab."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

AGENT = "io.openlineage.spark.agent.OpenLineageSparkListener"
_BY_AGENT = frozenset({"live_analytics", "summary"})
_BY_HAND = frozenset({"ingestion"})


class Pattern(StrEnum):
    """Who tells the lineage of the Spark jobs."""

    MAINSTEM = "mainstem"
    """``mainstem.spark`` in all of them."""

    LISTENER = "listener"
    """OpenLineage's agent in the JVM of those that count and sum up."""

    MANUAL = "manual"
    """OpenLineage's client for Python, by hand, in the one that fills the lake."""

    def script(self, job: str) -> str:
        """The script of a job, without its suffix."""
        by_agent = self is Pattern.LISTENER and job in _BY_AGENT
        by_hand = self is Pattern.MANUAL and job in _BY_HAND
        return f"{job}_{self.value}" if by_agent or by_hand else job

    def has_agent(self, job: str) -> bool:
        """Whether the job runs with OpenLineage's agent."""
        return self is Pattern.LISTENER and job in _BY_AGENT


def agent_settings(backend_url: str, events: Path) -> dict[str, str]:
    """What switches the agent on, and where it tells: the backend, and the file beside it."""
    transport = "spark.openlineage.transport"
    return {
        "spark.extraListeners": AGENT,
        "spark.openlineage.namespace": "lab",
        f"{transport}.type": "composite",
        f"{transport}.continueOnFailure": "true",
        f"{transport}.transports.backend.type": "http",
        f"{transport}.transports.backend.url": backend_url,
        f"{transport}.transports.disk.type": "file",
        f"{transport}.transports.disk.location": str(events),
    }
