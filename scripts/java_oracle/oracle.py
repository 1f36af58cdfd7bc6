"""Ask the real Java classes: compile the oracle beside this file and hand it questions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mainstem.lab.services.artefacts import Artefact
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.java import find_java
from mainstem.lab.services.jvm import OPTIONS
from mainstem.lab.services.library import DEBEZIUM_POSTGRES, KAFKA, Library

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES = sorted(Path(__file__).parent.glob("*.java"))
OLD_KAFKA = "3.9.1"
"""The last Kafka but one major, in which ReplaceField knows ``whitelist`` and ``blacklist``."""
OLD_FILES = {
    "connect-transforms": "96b6f0d167399e7b7ddbc61ffd4cdff0927172c1bd7b23f1cb44b854d1e91715",
    "connect-api": "c26bb05b8a83654d6dca13c42511d1cd1ded3d0778447fa2f46b47e075e511d0",
    "kafka-clients": "7568b998572d256f0b7bc0afdc1b7a2588b8b08415c62ce314c864a6851ae9d9",
}

Question = dict[str, Any]
"""``steps`` (each a transform's ``type`` and options), ``topic`` or ``topics``, and where fields
matter ``value`` and ``key``: a type, or an object of them for a record. ``kafka`` is a version."""

Answer = dict[str, Any]
"""``topic`` (or ``topics``) and ``fields`` after the steps, or the class of the ``error``."""


def ask(questions: Sequence[Question]) -> list[Answer]:
    """Java's answer to each question, in order."""
    java = find_java(os.environ)
    new, old = _jars()
    answers: dict[int, Answer] = {}
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run([_compiler(java), "-d", classes, "-cp", new, *SOURCES], check=True)
        for version, jars in ((None, new), (OLD_KAFKA, f"{old}:{new}")):
            asked = [at for at, one in enumerate(questions) if one.get("kafka") == version]
            told = _run(java, f"{classes}:{jars}", [questions[at] for at in asked])
            answers |= zip(asked, told, strict=True)
    return [answers[at] for at in range(len(questions))]


def _run(java: Path, jars: str, questions: Sequence[Question]) -> list[Answer]:
    ran = subprocess.run(
        [java, *OPTIONS, "-cp", jars, "Oracle"],
        input="".join(json.dumps(question) + "\n" for question in questions),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        text=True,
    )
    # What a library logs stands between the answers.
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]


def _jars() -> tuple[str, str]:
    """The class paths of the lab's Kafka with Debezium, and of the old Kafka's transforms."""
    home = mainstem_home(os.environ)
    library = Library(home)
    (plugin,) = library.ensure(DEBEZIUM_POSTGRES).iterdir()
    old = tuple(
        Artefact.parse(f"org.apache.kafka:{name}:jar:{OLD_KAFKA}", sha256)
        for name, sha256 in OLD_FILES.items()
    )
    transforms = Library(home, pins=lambda _: old).ensure("old-kafka-transforms")
    return f"{library.ensure(KAFKA)}/*:{plugin}/*", f"{transforms}/*"


def _compiler(java: Path) -> str:
    beside = java.with_name("javac")
    found = str(beside) if beside.exists() else shutil.which("javac")
    if found is None:
        sys.exit("no javac: it is part of a JDK (17 or newer), not of the Java that runs programs")
    return found
