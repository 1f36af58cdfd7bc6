"""Programs that call one thing by two names cut the graph; who calls it by one joins it again."""

from __future__ import annotations

import pytest

from lab.conftest import RunningLab
from mainstem.lab.checks.backend import BackendGraph, backend_difference
from mainstem.lab.scenarios.expected import expected, sources
from mainstem.lab.scenarios.misnaming import Cut, cuts
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.scenarios.seeing import wait_for


class Graph:
    """What the backend of a lab answers, cut or whole."""

    def __init__(self, lab: RunningLab) -> None:
        pipeline = lab.pipeline
        self._backend = BackendGraph(pipeline.backend.url, sources(pipeline.addresses))
        self._wanted = expected(pipeline.addresses, pipeline.pattern)
        self._cuts = cuts(pipeline.addresses, pipeline.pattern)

    def await_cut(self) -> None:
        """Return when every job is away from what it reads or writes, and at another name of it."""
        wait_for("the cuts", lambda: not self._joined(), lambda: list(map(str, self._joined())))

    def await_whole(self) -> None:
        """Return when every job is where it belongs, and nothing is missing or wrong."""
        wait_for("the whole graph", lambda: not self._differences(), self._differences)

    def _joined(self) -> list[Cut]:
        at = self._backend.jobs_at
        return [
            one for one in self._cuts if one.job in at(one.truth) or one.job not in at(one.told_as)
        ]

    def _differences(self) -> list[str]:
        away = [str(one) for one in self._cuts if one.job not in self._backend.jobs_at(one.truth)]
        return [*away, *backend_difference(self._wanted, self._backend)]


@pytest.mark.lab
@pytest.mark.soak
@pytest.mark.parametrize("running_lab", list(Pattern), indirect=True)
def test_names_that_do_not_align_cut_the_graph_until_they_do(running_lab: RunningLab) -> None:
    running_lab.pipeline.restart_what_failed()
    graph = Graph(running_lab)
    running_lab.break_and_see("names")
    graph.await_cut()
    running_lab.heal_and_see()
    graph.await_whole()
