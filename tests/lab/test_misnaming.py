"""Programs that call one thing by two names cut the graph; who calls it by one joins it again."""

from __future__ import annotations

import pytest

from lab.conftest import RunningLab
from lab.seams import Seams
from mainstem.lab.scenarios.patterns import Pattern

pytestmark = [pytest.mark.lab, pytest.mark.soak]


@pytest.mark.parametrize("running_lab", list(Pattern), indirect=True)
def test_names_that_do_not_align_cut_the_graph_until_they_do(running_lab: RunningLab) -> None:
    pipeline = running_lab.pipeline
    pipeline.restart_what_failed()
    seams = Seams(pipeline.backend.url, pipeline.addresses, pipeline.pattern)
    running_lab.break_and_see("names")
    seams.await_cut()
    running_lab.heal_and_see()
    seams.await_whole()
