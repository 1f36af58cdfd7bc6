"""One process of the lab: ready or not, dead or alive."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from mainstem.errors import ServiceFailed
from mainstem.lab.services.service import Service


class Script(Service):
    """A Python script that is ready when it has written the file ``ready``."""

    name = "script"
    seconds_to_start = 10.0
    seconds_to_stop = 1.0

    def __init__(self, directory: Path, script: str) -> None:
        super().__init__(directory)
        self.script = script

    def prepare(self) -> None:
        (self.directory / "ready").unlink(missing_ok=True)

    def command(self) -> Sequence[str | Path]:
        return [sys.executable, "-I", "-S", "-c", self.script]

    def is_ready(self) -> bool:
        return (self.directory / "ready").exists()


READY = "open('ready', 'w').close(); import time; time.sleep(60)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {READY}"
DYING = "import sys; print('the port is taken'); sys.exit(3)"
NEVER_READY = "import time; print('thinking', flush=True); time.sleep(60)"


@pytest.fixture
def made(tmp_path: Path) -> Iterator[list[Script]]:
    services: list[Script] = []
    yield services
    for service in services:
        service.kill()


def script(made: list[Script], tmp_path: Path, text: str) -> Script:
    made.append(Script(tmp_path / "script", text))
    return made[-1]


def test_start_returns_when_it_is_ready_and_stop_when_it_is_gone(
    made: list[Script], tmp_path: Path
) -> None:
    service = script(made, tmp_path, READY)
    service.start()
    assert service.is_alive()
    assert service.pid is not None
    service.stop()
    assert not service.is_alive()
    assert service.pid is None


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_it_can_be_started_again(made: list[Script], tmp_path: Path, end: str) -> None:
    service = script(made, tmp_path, READY)
    service.start()
    first = service.pid
    getattr(service, end)()
    service.start()
    assert service.is_alive()
    assert service.pid != first


def test_one_that_does_not_listen_is_ended_by_force(made: list[Script], tmp_path: Path) -> None:
    service = script(made, tmp_path, DEAF)
    service.start()
    service.stop()
    assert not service.is_alive()


def test_what_it_started_goes_with_it(made: list[Script], tmp_path: Path) -> None:
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    starts = f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {child!r}])"
    service = script(made, tmp_path, f"{starts}; print(child.pid, flush=True); {READY}")
    service.start()
    left = int(service.log.read_text())
    assert psutil.pid_exists(left)
    service.stop()
    assert psutil.wait_procs([psutil.Process(left)] if psutil.pid_exists(left) else [], 5)[1] == []


def test_what_it_left_behind_goes_when_it_is_started_again(
    made: list[Script], tmp_path: Path
) -> None:
    child = "import time; time.sleep(60)"
    starts = f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {child!r}])"
    service = script(made, tmp_path, f"{starts}; print(child.pid, flush=True); {READY}")
    service.start()
    left = psutil.Process(int(service.log.read_text()))
    assert service.pid is not None
    psutil.Process(service.pid).kill()
    service.start()
    assert psutil.wait_procs([left], 5)[1] == []


def test_one_that_dies_says_why_and_where(made: list[Script], tmp_path: Path) -> None:
    service = script(made, tmp_path, DYING)
    with pytest.raises(ServiceFailed, match="the port is taken") as failed:
        service.start()
    assert failed.value.service == "script"
    assert failed.value.log == str(service.log)


def test_one_that_is_never_ready_is_ended(made: list[Script], tmp_path: Path) -> None:
    service = script(made, tmp_path, NEVER_READY)
    service.seconds_to_start = 0.5
    with pytest.raises(ServiceFailed, match="not ready"):
        service.start()
    assert not service.is_alive()


def test_stopping_what_never_started_does_nothing(made: list[Script], tmp_path: Path) -> None:
    service = script(made, tmp_path, READY)
    service.stop()
    service.kill()
    assert not service.is_alive()


def test_the_log_is_kept_over_a_restart(made: list[Script], tmp_path: Path) -> None:
    service = script(made, tmp_path, f"print('hello', flush=True); {READY}")
    service.start()
    service.kill()
    service.start()
    assert service.log.read_text().count("hello") == 2


def test_a_terminals_interrupt_does_not_reach_it(made: list[Script], tmp_path: Path) -> None:
    service = script(
        made, tmp_path, f"import os; print(os.getsid(0) == os.getpid(), flush=True); {READY}"
    )
    service.start()
    assert service.log.read_text().strip() == "True"
