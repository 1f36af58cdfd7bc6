"""What a process and all that it started cost: CPU, time and memory."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS_BETWEEN_LOOKS = 0.2


class Cost(NamedTuple):
    """Seconds."""

    cpu: float
    wall: float

    def plus(self, other: Cost) -> Cost:
        return Cost(self.cpu + other.cpu, self.wall + other.wall)


class Laps:
    """The cost of each named step, in the order in which they were taken; a name may return."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is spent inside for ``name``."""
        cpu, wall = tree_cpu(), time.perf_counter()
        yield
        spent = Cost(tree_cpu() - cpu, time.perf_counter() - wall)
        self.costs[name] = self.costs.get(name, Cost(0, 0)).plus(spent)

    @contextmanager
    def steps(self) -> Iterator[Callable[[str], None]]:
        """A function to be told each step's name when it begins; the last one ends with the block.

        What a step spends is counted until the next one begins.
        """
        began = (tree_cpu(), time.perf_counter())
        names: list[str] = []

        def turn(name: str | None) -> None:
            nonlocal began
            now = (tree_cpu(), time.perf_counter())
            if names:
                spent = Cost(now[0] - began[0], now[1] - began[1])
                self.costs[names[-1]] = self.costs.get(names[-1], Cost(0, 0)).plus(spent)
            began = now
            if name is not None:
                names.append(name)

        yield turn
        turn(None)


class Peak:
    """The most memory that this process and its children held together while it was watched."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(SECONDS_BETWEEN_LOOKS):
            self.megabytes = max(self.megabytes, tree_memory() / 1e6)
            tree_cpu()  # a worker that ends between two steps has cost something too


_spent: dict[tuple[int, float], float] = {}


def tree_cpu() -> float:
    """CPU seconds of this process and all below it, ended ones as they were last seen."""
    for process in _tree():
        with suppress(psutil.NoSuchProcess):
            _spent[process.pid, process.create_time()] = sum(process.cpu_times()[:2])
    return sum(_spent.values())


def tree_memory() -> int:
    """Resident bytes of this process and its children.

    A JVM that starts a program is there twice for a moment; its copy holds nothing of its own.
    """
    total = 0
    for process in _tree():
        with suppress(psutil.NoSuchProcess):
            parent = process.parent()
            is_copy = parent and "java" in process.exe() and process.exe() == parent.exe()
            total += 0 if is_copy else process.memory_info().rss
    return total


def _tree() -> list[psutil.Process]:
    me = psutil.Process()
    return [me, *me.children(recursive=True)]
