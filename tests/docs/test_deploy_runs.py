"""What is shipped for systemd and containers is started as it is written, on other paths."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import httpx2
import pytest
import yaml

from docs.test_deploy import CONTAINER, OPERATION, ROOT, Unit
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from watch.loop.world import FILE_SINK

UNIT = ROOT / "deploy" / "mainstem-watch.service"
PROGRAM = "/opt/mainstem/bin/mainstem"
OURS = str(Path(sys.executable).with_name("mainstem"))
RECIPE = (ROOT / "docs" / "recipe.md").read_text().split("```yaml\n")[1].split("```")[0]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace(PROGRAM, "/bin/true"))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    complaints = [line for line in checked.stderr.splitlines() if UNIT.name in line]
    assert (checked.returncode, complaints) == (0, [])


class Machine:
    """A directory that stands for the root of the machine on which it is installed."""

    def __init__(self, root: Path, url: str) -> None:
        self.root = root
        self.events = root / "events.ndjson"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.admin = f"127.0.0.1:{free.getsockname()[1]}"
        etc = root / "etc" / "mainstem"
        etc.mkdir(parents=True)
        (root / "var" / "lib" / "mainstem").mkdir(parents=True)
        recipe = yaml.safe_load(RECIPE)
        recipe["clusters"][0] |= {"urls": [url], "interval": 1}
        (etc / "recipe.yml").write_text(yaml.safe_dump(recipe))
        transport = {"type": "file", "log_file_path": str(self.events), "append": True}
        (etc / "openlineage.yml").write_text(yaml.safe_dump({"transport": transport}))

    def here(self, text: str) -> str:
        """The text with the machine's paths under its root, and a port that is free."""
        text = text.replace(PROGRAM, OURS).replace("%S", "/var/lib")
        text = re.sub(r"(?<!\w)/(etc|var)/", rf"{self.root}/\1/", text)
        return re.sub(r"\b(?:127\.0\.0\.1|0\.0\.0\.0):9464\b", self.admin, text)

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start it, see it well and telling, reload it, and stop it."""
        log = self.root / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                env={"HOME": str(self.root), "PATH": os.environ["PATH"], **environment},
                stdout=output, stderr=output,
            )  # fmt: skip
            try:
                self._wait_until(self._is_well, log)
                self._wait_until(self.events.exists, log)
                process.send_signal(signal.SIGHUP)
                self._wait_until(lambda: "recipe taken over" in log.read_text(), log)
                process.terminate()
                assert process.wait(60) == 0, log.read_text()
            finally:
                process.kill()
                process.wait()
        assert (self.root / "var" / "lib" / "mainstem" / "journal.db").exists()

    def _is_well(self) -> bool:
        try:
            return httpx2.get(f"http://{self.admin}/healthz").status_code == 200
        except httpx2.TransportError:
            return False

    def _wait_until(self, done: Callable[[], bool], log: Path) -> None:
        deadline = time.monotonic() + 120
        while not done():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)


@pytest.fixture
def connect() -> FakeConnect:
    connect = FakeConnect()
    connect.create("orders-out", FILE_SINK)
    return connect


def test_the_units_command_runs_with_the_documented_recipe(
    connect: FakeConnect, tmp_path: Path
) -> None:
    unit = Unit(strict=False, interpolation=None)
    unit.read(UNIT)
    # the parser keeps the last of a key that repeats
    variables = re.findall(r"^Environment=(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE)
    with FakeConnectServer(connect) as server:
        machine = Machine(tmp_path, server.url)
        environment = {name: machine.here(value) for name, value in variables}
        assert set(environment) == {"OPENLINEAGE_CONFIG", "MAINSTEM_JOURNAL"}
        machine.run(
            shlex.split(machine.here(unit["Service"]["ExecStart"])),
            {**environment, "CONNECT_PASSWORD": "not-a-real-one"},
        )


def container_command() -> list[str]:
    parts = [
        json.loads(re.findall(rf"^{word} (.*)$", CONTAINER, re.MULTILINE)[0])
        for word in ("ENTRYPOINT", "CMD")
    ]
    return [*parts[0], *parts[1]]


def container_environment() -> dict[str, str]:
    (line,) = re.findall(r"^ENV (.*)$", CONTAINER, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in shlex.split(line))


def run_container(machine: Machine, program: str) -> None:
    command = [machine.here(word).replace(OURS, program) for word in container_command()]
    environment = {name: machine.here(value) for name, value in container_environment().items()}
    configuration = str(machine.root / "etc" / "mainstem" / "openlineage.yml")
    machine.run(
        command,
        {**environment, "CONNECT_PASSWORD": "not-a-real-one", "OPENLINEAGE_CONFIG": configuration},
    )


def test_the_containers_command_runs_with_the_documented_recipe(
    connect: FakeConnect, tmp_path: Path
) -> None:
    with FakeConnectServer(connect) as server:
        run_container(Machine(tmp_path, server.url), OURS)


@pytest.mark.soak
def test_the_containers_steps_install_what_its_command_starts(
    connect: FakeConnect, tmp_path: Path
) -> None:
    """Its RUN line as the shell sees it; the tree that COPY brings is what git knows."""
    (copied,) = re.findall(r"^COPY \. (\S+)$", CONTAINER, re.MULTILINE)
    step = re.findall(r"^RUN ((?:.*\\\n)*.*)$", CONTAINER, re.MULTILINE)[0]
    source, installed = tmp_path / "src", tmp_path / "opt"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in listed.stdout.rstrip("\0").split("\0"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    here = step.replace(copied, str(source)).replace("/opt/mainstem", str(installed))
    subprocess.run(["sh", "-ec", here.replace("python -m", f"{sys.executable} -m")], check=True)
    assert not source.exists()
    (tmp_path / "machine").mkdir()
    with FakeConnectServer(connect) as server:
        run_container(
            Machine(tmp_path / "machine", server.url), str(installed / "bin" / "mainstem")
        )


def test_both_are_named_in_the_documentation() -> None:
    for file in (ROOT / "deploy").iterdir():
        assert f"deploy/{file.name}" in OPERATION
