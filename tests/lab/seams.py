"""Whether the graph of a lab is cut where names do not align, or whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.lab.checks.backend import BackendGraph, backend_difference
from mainstem.lab.scenarios.expected import expected, sources
from mainstem.lab.scenarios.misnaming import cuts
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.scenarios.seeing import wait_for

if TYPE_CHECKING:
    from mainstem.lab.scenarios.addresses import Addresses


class Seams:
    """The places at which ``break names`` cuts, as the backend of a lab answers for them."""

    def __init__(self, backend: str, at: Addresses, pattern: Pattern = Pattern.MAINSTEM) -> None:
        self._graph = BackendGraph(backend, sources(at))
        self._expected = expected(at, pattern)
        self._given: set[str] = set()
        self.cuts = cuts(at, pattern)

    def take_as_given(self) -> None:
        """Leave out what is wrong by now: a column, say, that the registry keeps."""
        self._given = set(backend_difference(self._expected, self._graph))

    def await_cut(self) -> None:
        """Return when every job is away from what it reads or writes, at another name of it."""
        wait_for("every cut", lambda: not self._joined(), self._joined)

    def await_whole(self) -> None:
        """Return when every job is where it belongs, and the graph is the one that is expected."""
        wait_for("the whole graph", lambda: not self._wrong(), self._wrong)

    def _joined(self) -> list[str]:
        jobs_at = self._graph.jobs_at
        return [
            str(cut)
            for cut in self.cuts
            if cut.job in jobs_at(cut.truth) or cut.job not in jobs_at(cut.told_as)
        ]

    def _wrong(self) -> list[str]:
        away = [str(cut) for cut in self.cuts if cut.job not in self._graph.jobs_at(cut.truth)]
        wrong = backend_difference(self._expected, self._graph)
        return [*away, *(each for each in wrong if each not in self._given)]
