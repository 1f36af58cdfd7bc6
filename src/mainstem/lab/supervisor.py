"""The background process that owns the services of the lab, so that every terminal can use it.

Run as ``python -m mainstem.lab.supervisor DIRECTORY HOURS PATTERN [INSTALLER]``; the last is the
process that still installs PySpark. Its standard input is a pipe from ``mainstem lab up``: when
that ends without the word ``stay``, in whatever way, the lab ends too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec.structs import asdict

from mainstem.clock import monotonic
from mainstem.errors import GiveUp, ServiceFailed
from mainstem.lab.control import Answer, ControlSocket, become_the_only_one
from mainstem.lab.place import Place
from mainstem.lab.scenarios import orders
from mainstem.lab.scenarios.breakages import BREAKAGES, Breakage, Told, find
from mainstem.lab.scenarios.expected import expected_edges
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.scenarios.pipeline import Pipeline
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.library import Library
from mainstem.lab.services.memory import memory_of
from mainstem.lab.steps import perform

if TYPE_CHECKING:
    from types import FrameType

STAY = b"stay"


class Supervisor:
    """Answers what other terminals ask of the running pipeline."""

    def __init__(self, pipeline: Pipeline, place: Place) -> None:
        self._pipeline = pipeline
        self._place = place
        self._broken: Breakage | None = None

    def handle(self, request: dict[str, str]) -> Answer:
        """The answer to one request."""
        match request:
            case {"do": "status"}:
                return self._status()
            case {"do": "break", "name": name}:
                return self._break(name)
            case {"do": "heal", "name": name}:
                return self._heal(name)
            case _:
                raise ServiceFailed("lab", f"unknown request {request.get('do')!r}")

    def _break(self, name: str) -> Answer:
        breakage = find(name, self._pipeline.pattern)
        if breakage is None:
            known = ", ".join(each.name for each in BREAKAGES)
            raise ServiceFailed("lab", f"cannot break {name!r}; one of: {known}")
        if self._broken is not None:
            raise ServiceFailed("lab", f"{self._broken.name} is broken; first: mainstem lab heal")
        self._broken = breakage
        breakage.broken(self._pipeline)
        did = f"Broke {name}: {breakage.summary}."
        return _answer(did, breakage.expect_when_broken, breakage.told_when_broken)

    def _heal(self, name: str) -> Answer:
        breakage = self._broken
        if breakage is None:
            raise ServiceFailed("lab", "nothing is broken; what can be: mainstem lab break")
        if name not in ("", breakage.name):
            raise ServiceFailed("lab", f"{name!r} is not broken, {breakage.name} is; heal that")
        breakage.healed(self._pipeline)
        self._broken = None
        order = self._pipeline.order_through()
        did = f"Mended {breakage.name}; {order}, has come through to the archive."
        return _answer(did, breakage.expect_when_healed, breakage.told_when_healed)

    def _status(self) -> Answer:
        pipeline = self._pipeline
        stack = pipeline.stack
        services = pipeline.services()
        edges = expected_edges(pipeline.addresses, pipeline.pattern)
        return {
            "pattern": pipeline.pattern.value,
            "page": pipeline.backend.url,
            "postgres": stack.postgres.dsn(orders.DATABASE),
            "kafka": stack.kafka.bootstrap,
            "registry": stack.registry.url,
            "connect": stack.connect.url,
            "s3": pipeline.objects.url,
            "events": str(self._place.events),
            "services": {each.name: each.is_alive() for each in services},
            "logs": {each.name: str(each.log) for each in services},
            "pids": {each.name: each.pid for each in services},
            "memory": {each.name: memory_of(each.pid) for each in services},
            "memoryInAll": memory_of(os.getpid()),
            "connectors": pipeline.connectors.states() if stack.connect.is_alive() else {},
            "broken": self._broken.name if self._broken else None,
            "edges": [str(edge) for edge in edges],
        }


def run(place: Place, pipeline: Pipeline, hours: float) -> None:
    """Start the lab, answer until the time is over or the end is asked for, leave nothing."""
    become_the_only_one(place)
    pipeline.clear()
    threading.Thread(target=_end_with_owner, args=(sys.stdin.buffer,), daemon=True).start()
    try:
        supervisor = Supervisor(pipeline, place)
        control = ControlSocket()
        opening = ("other terminals", lambda: control.publish(place))
        perform((*pipeline.tasks(), opening), place.steps)
        end = monotonic() + hours * 3600
        while monotonic() < end:
            control.answer_one(supervisor.handle, seconds=5)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pipeline.stop()
        place.state.unlink(missing_ok=True)


def main() -> None:
    """Run in the place and for the hours that the command line says."""
    signal.signal(signal.SIGTERM, _end)
    place = Place(Path(sys.argv[1]))
    try:
        library = Library(mainstem_home(os.environ))
        _, _, hours, pattern, *installer = sys.argv
        installing = int(installer[0]) if installer else None
        run(place, Pipeline(place, library, Pattern(pattern), installing), float(hours))
    except GiveUp as error:
        sys.exit(str(error))


def _answer(did: str, expect: str, told: Told | None) -> Answer:
    awaited = asdict(told) if told else {}
    return {"did": did, "expect": expect, **awaited}


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit("asked to end")


def _end_with_owner(owner: BinaryIO) -> None:
    if STAY not in owner.read():
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
