"""What a local JVM is started with, and the archive of classes that one leaves for the next."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from mainstem.pipeline.jobs.session import ClassArchive, archive_options, class_archive

PATIENCE_SECONDS = 240
SESSION = """
import json, os, sys
from pathlib import Path
from mainstem.lab.services.java import find_java
from mainstem.lab.services.spark import spark_environment
from mainstem.pipeline.jobs import session

asked = json.loads(sys.argv[1])
scratch = Path(asked["scratch"])
java = find_java(os.environ)
os.environ.update(spark_environment(scratch / "java", os.environ))
archive = session.class_archive(
    Path(asked["directory"]), java, asked["jars"], scratch / "keeping" if asked["keeps"] else None
)
spark = session.start_session(
    "archive", master="local[1]", jars=asked["jars"], settings=asked["settings"],
    java_options=[f"-Xlog:class+load:file={scratch}/loaded"], brief=True, archive=archive,
)
spark.range(3).count()
session.WORTH_KEEPING = asked["worth_keeping"]
session.keep_classes(spark, archive)
print(json.dumps(list(
    spark._jvm.java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()
)))
if asked["dies"]:
    os.kill(os.getpid(), 9)
spark.stop()
"""


class Ran(NamedTuple):
    options: list[str]
    loaded: str
    output: str

    @property
    def shared(self) -> int:
        """How many classes came from the archive."""
        return self.loaded.count("shared objects file (top)")


class Machine:
    """Sessions in processes of their own, which share a directory of archives."""

    def __init__(self, root: Path, jars: list[str]) -> None:
        self.archives = root / "a home" / "classes"
        self._root = root
        self._jars = jars
        self._sessions = 0

    def run(
        self,
        *,
        keeps: bool = True,
        worth_keeping: int = 1,
        dies: bool = False,
        settings: dict[str, str] | None = None,
    ) -> Ran:
        self._sessions += 1
        scratch = self._root / str(self._sessions)
        scratch.mkdir()
        asked = {
            "scratch": str(scratch),
            "directory": str(self.archives),
            "jars": self._jars,
            "settings": settings or {},
            "keeps": keeps,
            "worth_keeping": worth_keeping,
            "dies": dies,
        }
        # The JVM outlives Python while it writes, and its pipes with it: this waits for both.
        ran = subprocess.run(
            [sys.executable, "-c", SESSION, json.dumps(asked)],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        assert ran.returncode == (-9 if dies else 0), ran.stdout
        loaded = scratch / "loaded"
        told = [line for line in ran.stdout.splitlines() if line.startswith("[")]
        return Ran(
            json.loads(told[-1]) if told else [],
            loaded.read_text() if loaded.exists() else "",
            ran.stdout,
        )

    def kept(self) -> list[Path]:
        return sorted(self.archives.iterdir()) if self.archives.exists() else []


@pytest.fixture
def machine(tmp_path: Path, spark_jars: list[str]) -> Machine:
    return Machine(tmp_path, spark_jars)


@pytest.mark.spark
@pytest.mark.slow
def test_a_session_uses_what_an_earlier_one_left(machine: Machine) -> None:
    first = machine.run()
    [kept] = machine.kept()
    assert first.shared == 0
    second = machine.run(keeps=False)
    assert f"-XX:SharedArchiveFile={kept}" in second.options
    assert second.shared > 5_000
    iceberg = [line for line in second.loaded.splitlines() if " org.apache.iceberg." in line]
    assert any("shared objects file (top)" in line for line in iceberg)
    for ran in (first, second):
        assert "][cds" not in ran.output
        assert "archive file" not in ran.output

    kept.chmod(0o644)
    os.truncate(kept, 90_000_000)
    spoilt = machine.run(keeps=False)
    assert spoilt.shared == 0
    assert not [each for each in spoilt.options if "Archive" in each]

    settings = {"spark.driver.extraJavaOptions": "-XX:+UseParallelGC"}
    theirs = machine.run(settings=settings)
    assert "-XX:+UseParallelGC" in theirs.options
    assert not [each for each in theirs.options if "Archive" in each or "Serial" in each]

    machine.run()
    [again] = machine.kept()
    assert again.stat().st_size > 100_000_000, "the spoilt one is gone"


@pytest.mark.spark
@pytest.mark.slow
def test_what_loaded_little_or_was_killed_leaves_nothing(machine: Machine) -> None:
    machine.run(worth_keeping=1_000_000)
    assert machine.kept() == []
    machine.run(dies=True, worth_keeping=1_000_000)
    assert machine.kept() == []


@pytest.mark.spark
@pytest.mark.slow
def test_a_home_that_cannot_be_written_is_no_obstacle(machine: Machine) -> None:
    machine.archives.parent.mkdir()
    machine.archives.write_text("a file, where a directory should be")
    ran = machine.run()
    assert not [each for each in ran.options if "Archive" in each]


def test_an_archive_is_named_by_what_its_classes_come_from(tmp_path: Path) -> None:
    java, jar = tmp_path / "java", tmp_path / "iceberg.jar"
    java.write_bytes(b"17")
    jar.write_bytes(b"1")
    before = class_archive(tmp_path, java, [str(jar)])
    assert class_archive(tmp_path, java, [str(jar)]) == before
    jar.write_bytes(b"10")
    newer_jar = class_archive(tmp_path, java, [str(jar)])
    java.write_bytes(b"21.0")
    names = {before.name, newer_jar.name, class_archive(tmp_path, java, [str(jar)]).name}
    assert len(names) == 3


def test_only_a_whole_archive_is_found(tmp_path: Path) -> None:
    archive = ClassArchive(tmp_path, "abc")
    assert archive.found() is None
    (tmp_path / "abc-7.jsa").write_bytes(b"cut")
    (tmp_path / "other-3.jsa").write_bytes(b"ano")
    assert archive.found() is None
    whole = tmp_path / "abc-5.jsa"
    whole.write_bytes(b"whole")
    assert archive.found() == whole
    assert ClassArchive(tmp_path / "nowhere", "abc").found() is None


FAKE_JAVA = """#!/bin/sh
for word do
  case $word in -XX:ArchiveClassesAtExit=*) printf classes >"${word#*=}" ;; esac
done
echo told
[ "$1" = -XX:+UseSerialGC ] || eval "$FAKE_END"
"""
"""Writes an archive, and ends as it should where it is only tried."""


class Keeping:
    """An archive that a Java of ours is about to write."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        java = root / "jdk" / "bin" / "java"
        java.parent.mkdir(parents=True)
        java.write_text(FAKE_JAVA)
        java.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(root / "jdk"))
        self.archive = ClassArchive(root / "it's classes", "abc", root / "keeping")
        self.options = [shlex.split(each)[0] for each in archive_options(self.archive)]

    def java(self, *options: str, end: str) -> tuple[int, str]:
        """The exit code and standard output of the Java that Spark would start."""
        ran = subprocess.run(
            [f"{os.environ['JAVA_HOME']}/bin/java", *options],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "FAKE_END": end},
        )
        assert ran.stderr == ""
        return ran.returncode, ran.stdout

    def left(self) -> list[str]:
        return sorted(file.name for file in self.archive.directory.iterdir())


@pytest.fixture
def keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keeping:
    return Keeping(tmp_path, monkeypatch)


def test_a_whole_archive_takes_the_place_of_all_others(keeping: Keeping) -> None:
    (keeping.archive.directory / "older-3.jsa").write_text("old")
    keeping.archive.wanted().touch()
    assert keeping.java(*keeping.options, end="exit 0") == (0, "")
    assert keeping.left() == ["abc-7.jsa"]
    assert keeping.archive.found() is not None


def test_a_jvm_that_was_killed_while_it_wrote_leaves_nothing(keeping: Keeping) -> None:
    keeping.archive.wanted().touch()
    assert keeping.java(*keeping.options, end="kill -9 $$")[0] == 137
    assert keeping.left() == []


def test_what_nobody_wants_is_not_kept(keeping: Keeping) -> None:
    assert keeping.java(*keeping.options, end="exit 0") == (0, "")
    assert keeping.left() == []


def test_an_archive_that_another_process_took_away_is_not_missed(keeping: Keeping) -> None:
    keeping.archive.wanted().touch()
    gone = f"rm {shlex.quote(str(keeping.archive.unfinished()))}"
    assert keeping.java(*keeping.options, end=gone) == (0, "")
    assert keeping.left() == []


def test_what_sparks_launcher_says_is_heard(keeping: Keeping) -> None:
    said = f"--conf=spark.driver.extraJavaOptions={' '.join(keeping.options)}"
    assert keeping.java(said, end="exit 3") == (3, "told\n")


def test_a_java_that_cannot_archive_is_not_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    assert archive_options(ClassArchive(tmp_path, "abc", tmp_path / "keeping")) == []
    monkeypatch.setenv("JAVA_HOME", "/usr")
    (tmp_path / "file").touch()
    assert archive_options(ClassArchive(tmp_path / "file", "abc", tmp_path / "keeping")) == []
