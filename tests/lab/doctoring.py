"""``mainstem doctor`` on a lab whose names do not align, used as a person uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from lab.seams import Seams
    from mainstem.lab.scenarios.misnaming import Cut

Alias = tuple[str, str | None, str, str | None]
"""A name to keep, and another for the same: namespace and name, or a namespace alone."""


class Doctor:
    """The command, asked about one backend; what it remembers lies in a directory of its own."""

    def __init__(self, backend: str, state: Path) -> None:
        self._backend = backend
        self._environment = {**os.environ, "XDG_STATE_HOME": str(state)}

    def findings(self) -> list[dict[str, Any]]:
        """What it finds."""
        return json.loads(self._run(self._backend, "--json"))["findings"]

    def fix(self) -> None:
        """Let it heal what it can."""
        self._run(self._backend, "--fix", "--yes")

    def undo(self) -> None:
        """Take the fix back."""
        self._run("--undo", "--yes")

    def _run(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "mainstem", "doctor", *arguments]
        ran = subprocess.run(
            command, check=False, capture_output=True, text=True, env=self._environment
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout


def see_it_heal(doctor: Doctor, seams: Seams, before: list[dict[str, Any]]) -> None:
    """On a cut graph: every cut is found and nothing else, a fix heals it, undoing cuts it again.

    What it had found before the cut, it must find again after the fix, and no more.
    """
    seams.await_cut()
    healing = sorted(map(_alias, seams.cuts))
    assert sorted(_aliases(doctor.findings())) == healing
    doctor.fix()
    seams.await_whole()
    assert _what(doctor.findings()) == _what(before)
    doctor.undo()
    seams.await_cut()
    assert sorted(_aliases(doctor.findings())) == healing


def _alias(cut: Cut) -> Alias:
    """What heals a cut: topics of one name are parted by what their cluster is called."""
    truth, told = cut.truth, cut.told_as
    if truth.name == told.name:
        return truth.namespace, None, told.namespace, None
    return truth.namespace, truth.name, told.namespace, told.name


def _aliases(findings: list[dict[str, Any]]) -> list[Alias]:
    return [
        (each["namespace"], each["name"], each["otherNamespace"], each["otherName"])
        for finding in findings
        for remedy in finding["remedies"]
        if remedy["where"] == "backend"
        for each in remedy["aliases"]
    ]


def _what(findings: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return sorted((each["kind"], each["id"]) for each in findings)
