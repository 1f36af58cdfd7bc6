"""The one guard of this room: a mistake in tracking is said once and never touches the job."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mainstem.logs import log
from mainstem.scrub import scrub

if TYPE_CHECKING:
    from collections.abc import Generator

_said: set[tuple[str, type[Exception]]] = set()
_saying = threading.Lock()


@contextmanager
def kept_from_the_job(what: str) -> Generator[None]:
    """Whatever goes wrong in here is logged, once per kind, and forgotten."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the job must not pay for our mistakes
        with _saying:
            new = (what, type(error)) not in _said
            _said.add((what, type(error)))
        if new:
            log.warning("tracking failed; the job goes on", what=what, error=reason_of(error))


def reason_of(error: BaseException) -> str:
    """An error's class and the first line of its message, without credentials."""
    line = next(iter(str(error).splitlines()), "").strip()
    return scrub(f"{type(error).__name__}: {line}" if line else type(error).__name__)[:500]
