"""A standalone Spark cluster on loopback: a master and its workers, each a process of ours."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
import pyspark

from mainstem.lab.services.ports import free_port, is_listening

HOME = Path(pyspark.__file__).parent
PATIENCE_SECONDS = 120
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"


class Cluster(NamedTuple):
    """Where it is, and its processes."""

    master: str
    processes: list[subprocess.Popen[bytes]]

    def executors(self) -> list[psutil.Process]:
        """The executors that the workers have started."""
        found: list[psutil.Process] = []
        for process in self.processes:
            for child in psutil.Process(process.pid).children(recursive=True):
                try:
                    if EXECUTOR in child.cmdline():
                        found.append(child)
                except psutil.Error:
                    continue
        return found


@contextmanager
def cluster(directory: Path, environment: dict[str, str], workers: int) -> Iterator[Cluster]:
    """A master and workers with one core each, ended with the block."""
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, class_: str, *arguments: str) -> None:
        with (directory / f"{name}.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    [HOME / "bin/spark-class", class_, *arguments],
                    env={**environment, "SPARK_HOME": str(HOME), "SPARK_NO_DAEMONIZE": "1"},
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )

    try:
        deploy = "org.apache.spark.deploy"
        addresses = ("--host", "127.0.0.1", "--webui-port", str(free_port()))
        start("master", f"{deploy}.master.Master", "--port", str(port), *addresses)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_listening(port):
            assert time.monotonic() < deadline, (directory / "master.log").read_text()
            time.sleep(0.2)
        for number in range(workers):
            place = directory / f"worker-{number}"
            size = ("--cores", "1", "--memory", "1g", "--work-dir", str(place))
            addresses = ("--host", "127.0.0.1", "--webui-port", str(free_port()))
            start(f"worker-{number}", f"{deploy}.worker.Worker", *size, *addresses, master)
        yield Cluster(master, started)
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
