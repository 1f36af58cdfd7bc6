"""Programs that call one thing by two names cut the graph; a doctor or one name joins it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.conftest import RunningLab
from lab.doctoring import Doctor, see_it_heal
from lab.seams import Seams
from mainstem.lab.scenarios.patterns import Pattern

pytestmark = [pytest.mark.lab, pytest.mark.soak]


@pytest.mark.parametrize("running_lab", [Pattern.MAINSTEM], indirect=True)
def test_the_doctor_finds_every_cut_and_heals_it(running_lab: RunningLab, tmp_path: Path) -> None:
    pipeline = running_lab.pipeline
    pipeline.restart_what_failed()
    doctor = Doctor(pipeline.backend.url, tmp_path)
    before = doctor.findings()
    seams = Seams(pipeline.backend.url, pipeline.addresses)
    seams.take_as_given()
    running_lab.break_and_see("names")
    see_it_heal(doctor, seams, before)
    running_lab.heal_and_see()


@pytest.mark.parametrize("running_lab", list(Pattern), indirect=True)
def test_names_that_do_not_align_cut_the_graph_until_they_do(running_lab: RunningLab) -> None:
    pipeline = running_lab.pipeline
    pipeline.restart_what_failed()
    seams = Seams(pipeline.backend.url, pipeline.addresses, pipeline.pattern)
    seams.take_as_given()
    running_lab.break_and_see("names")
    seams.await_cut()
    running_lab.heal_and_see()
    seams.await_whole()
