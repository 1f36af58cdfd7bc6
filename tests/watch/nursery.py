"""A process that has the program loaded and forks one watcher after the other, each on its own.

Loading takes a second of CPU; forked, a watcher looks within a tenth of one, so that a thousand of
them can be killed in minutes. Reads ``start`` and ``kill`` line by line, answers each with a line.
"""

from __future__ import annotations

import os
import signal
import sys

import openlineage.client

import mainstem.watch.loop.watching
from mainstem.cli import watch as _watch
from mainstem.cli.main import main

LOADED = (openlineage.client, mainstem.watch.loop.watching, _watch)


def live(log: str, arguments: list[str]) -> None:
    """Be the program as if it had been started with these arguments; never returns."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.argv = ["mainstem", *arguments]
    main()
    os._exit(0)


def nurse(log: str, arguments: list[str]) -> None:
    """Obey until standard input ends, and let nobody outlive it."""
    child: int | None = None
    for order in sys.stdin:
        if child is not None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            child = None
        if order.strip() == "start":
            child = os.fork()
            if child == 0:
                live(log, arguments)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
    if child is not None:
        os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    nurse(sys.argv[1], sys.argv[2:])
