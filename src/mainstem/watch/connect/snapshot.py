"""What a cluster said in one look; nothing in here is a secret any more."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.watch.connect.converters import Converters

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(StrEnum):
    """A connector's or task's state, as Connect's REST says it."""

    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    STOPPED = "STOPPED"
    """Paused, and its tasks and their resources are gone; config and offsets stay."""

    FAILED = "FAILED"
    UNASSIGNED = "UNASSIGNED"
    """No worker has it: a re-balance, or a worker was lost."""

    RESTARTING = "RESTARTING"
    UNKNOWN = "UNKNOWN"
    """A word that this version of Mainstem does not know."""


class ObservedTask(Struct, frozen=True):
    """One task as it was seen."""

    id: int
    state: State
    worker_id: str
    trace: str | None = None
    """Why it failed, scrubbed of credentials."""


class ObservedConnector(Struct, frozen=True):
    """One connector as it was seen, its config cut down to the keys that were asked for."""

    name: str
    type: str
    """``source``, ``sink``, or ``unknown`` when the plugin's class cannot be loaded."""

    connector_class: str
    state: State
    worker_id: str
    config: Mapping[str, str]
    config_version: str
    """Changes whenever any key changes; made of the config without its secrets."""

    tasks: tuple[ObservedTask, ...] = ()
    expected_tasks: int = 0
    """How many tasks the config makes; the states of new ones come a moment later."""

    version: str | None = None
    trace: str | None = None


class WorkerInfo(Struct, frozen=True):
    """What the root resource says about the worker that answers."""

    version: str
    kafka_cluster_id: str | None


class ClusterSnapshot(Struct, frozen=True):
    """Every connector of one cluster in one look."""

    connectors: Mapping[str, ObservedConnector]
    unreadable: Mapping[str, str] = field(default_factory=dict[str, str])
    """Connectors that are there but whose entry could not be read, and why."""

    converters: Mapping[str, Converters] = field(default_factory=dict[str, Converters])
    """By connector, with what opens its schema registry; for the loop alone."""
