"""What can be asked of the driver's JVM besides its queries."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import Any, Protocol

LISTENERS_MILLISECONDS = 2000
DYING_SECONDS = 1.0


class Jvm(Protocol):
    """The other half of the driver."""

    def is_gone(self) -> bool:
        """Whether it died while we live."""
        ...

    def wait_for_listeners(self) -> None:
        """Return once every event so far has been heard, or after a short while."""
        ...


class NoJvm:
    """Where there is none on this side: Spark Connect, or plain Python."""

    def is_gone(self) -> bool:
        """Never: it was never there."""
        return False

    def wait_for_listeners(self) -> None:
        """Nothing is on its way."""


class DriverJvm:
    """The JVM of a classic session."""

    def __init__(self, context: Any) -> None:
        self._context = context._jsc.sc()  # noqa: SLF001
        self._process = context._gateway.proc  # noqa: SLF001
        self._parent = os.getppid()

    def is_gone(self) -> bool:
        """Whether it died; under spark-submit it is our parent, otherwise our child."""
        if self._process is None:
            return os.getppid() != self._parent
        return self._process.poll() is not None

    def wait_for_listeners(self) -> None:
        """Return once the listener bus is empty, or after two seconds."""
        from py4j.protocol import Py4JError  # noqa: PLC0415

        try:
            self._context.listenerBus().waitUntilEmpty(LISTENERS_MILLISECONDS)
        except (Py4JError, OSError):
            # Its sockets close before its process is gone.
            if self._process is not None:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(DYING_SECONDS)
