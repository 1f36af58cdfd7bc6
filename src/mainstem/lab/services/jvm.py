"""How every Java program of the lab is started: little memory, quick to start, a readable log."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mainstem.lab.services.java import find_java

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OPTIONS = ("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
LOGGING = """\
Configuration:
  Appenders:
    Console:
      name: out
      PatternLayout:
        pattern: "%d{HH:mm:ss.SSS} %p %m (%c{1})%n%throwable"
  Loggers:
    Root:
      level: INFO
      AppenderRef:
        ref: out
    Logger:
      - name: org.apache.kafka.clients
        level: WARN
      - name: org.apache.kafka.common.config.AbstractConfig
        level: WARN
      - name: org.apache.kafka.connect.runtime.rest.RestServer
        level: WARN
"""


def write_logging(directory: Path) -> None:
    """Put the logging configuration where ``java_command`` looks for it."""
    (directory / "log4j2.yaml").write_text(LOGGING)


def java_command(libraries: Path, directory: Path, main: str, *arguments: str | Path) -> list[str]:
    """The command that runs class ``main`` with all jars of ``libraries``."""
    logging = f"-Dlog4j2.configurationFile=file:{directory / 'log4j2.yaml'}"
    java = [str(find_java(os.environ)), *OPTIONS, logging, "-cp", f"{libraries}/*", main]
    return [*java, *map(str, arguments)]


def write_properties(file: Path, settings: Mapping[str, object]) -> Path:
    """The file, holding the settings as Java reads them."""
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
    return file
