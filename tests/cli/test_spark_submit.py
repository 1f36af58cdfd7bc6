from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from mainstem.cli.spark_submit import app, py_files_in, split_words
from mainstem.errors import BadRecipe
from mainstem.lab.services.spark import spark_environment
from spark.told import events_in, message, of_job, types

JOB = """
import sys
from pyspark.sql import SparkSession
import beside
spark = SparkSession.builder.getOrCreate()
spark.range(3).write.mode("overwrite").parquet(sys.argv[1])
raise SystemExit(beside.CODE)
"""


@pytest.mark.parametrize(
    ("words", "options", "arguments"),
    [
        (["{job}"], [], []),
        (["{job}", "a", "--b"], [], ["a", "--b"]),
        (["--master", "local[2]", "-v", "{job}", "x"], ["--master", "local[2]", "-v"], ["x"]),
        (["--conf=a=b", "--supervise", "{job}"], ["--conf=a=b", "--supervise"], []),
        (["--conf", "a=b", "{job}", "--conf"], ["--conf", "a=b"], ["--conf"]),
    ],
)
def test_words_are_split(
    words: list[str], options: list[str], arguments: list[str], tmp_path: Path
) -> None:
    job = tmp_path / "job.py"
    job.touch()
    found = split_words(tuple(word.format(job=job) for word in words))
    assert found == (options, str(job), arguments)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "there is no job"),
        (["--master", "local"], "there is no job"),
        (["app.jar"], "'app.jar'; it must be a Python file"),
        (["--deploy-mode", "cluster", __file__], "it must be client"),
        (["--deploy-mode=cluster", __file__], "it must be client"),
    ],
)
def test_what_cannot_be_run_is_said(words: list[str], said: str) -> None:
    with pytest.raises(BadRecipe, match=said):
        split_words(tuple(words))


def test_flags_behind_the_file_are_the_jobs(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("import sys; print(sys.argv[1:])")
    ran = _submit([tmp_path / "job.py", "--help", "-h", "--version", "--", "x"], os.environ)
    assert (ran.returncode, ran.stdout) == (0, "['--help', '-h', '--version', '--', 'x']\n")


@pytest.mark.parametrize(
    ("options", "files"),
    [
        (["--py-files", "a.py,b.zip", "-v"], "a.py,b.zip"),
        (["--py-files=a.py", "--py-files", "b.py"], "b.py"),
        (["--conf", "a=b"], ""),
    ],
)
def test_py_files_are_found(options: list[str], files: str) -> None:
    assert py_files_in(options) == files


def test_py_files_can_be_imported_before_there_is_a_session(tmp_path: Path) -> None:
    job, library = tmp_path / "job.py", tmp_path / "library"
    job.write_text("import alone, packed; print(alone.WORD, packed.WORD)\nimport neighbour")
    library.mkdir()
    (library / "alone.py").write_text("WORD = 'one'")
    (library / "neighbour.py").touch()
    with zipfile.ZipFile(library / "many.zip", "w") as archive:
        archive.writestr("packed.py", "WORD = 'two'")
    files = f"{library / 'alone.py'},file://{library / 'many.zip'},hdfs://elsewhere/x.py"
    ran = _submit(["--py-files", files, job], os.environ)
    assert ran.stdout == "one two\n", ran.stderr
    assert "No module named 'neighbour'" in ran.stderr


def test_its_own_help_says_how_settings_go(capsys: pytest.CaptureFixture[str]) -> None:
    app(["--help"], result_action="return_value")
    said = capsys.readouterr().out
    assert "[OPTIONS] JOB.py [ARGUMENTS]" in said
    assert "spark.mainstem.namespace" in said


@pytest.mark.spark
@pytest.mark.parametrize(("code", "ending"), [(0, "COMPLETE"), (4, "FAIL")])
def test_a_job_runs_tracked_and_unchanged(code: int, ending: str, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "beside.py").write_text(f"CODE = {code}")
    events = tmp_path / "events"
    settings = {
        "spark.app.name": "nightly",
        "spark.ui.enabled": "false",
        "spark.mainstem.outbox": tmp_path / "box.db",
        "spark.mainstem.transport.type": "file",
        "spark.mainstem.transport.log_file_path": events,
        "spark.mainstem.transport.append": "true",
    }
    conf = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    ran = _submit(
        ["--master", "local[1]", *conf, tmp_path / "job.py", tmp_path / "out"],
        {**os.environ, **spark_environment(tmp_path / "java", os.environ)},
    )
    assert ran.returncode == code, ran.stderr
    told = events_in(events)
    assert types(of_job(told, "nightly.overwrite.out")) == ["START", "COMPLETE"]
    own = of_job(told, "nightly")
    assert types(own) == ["START", ending]
    assert message(own[-1]) == (f"exit code {code}" if code else None)


def _submit(
    words: list[str | Path], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mainstem", "spark-submit", *words],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
