"""How verbs log: to stderr, JSON when nobody watches, credentials scrubbed last."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from functools import partial
from typing import Any

from mainstem.logs import log
from mainstem.scrub import scrub


def set_up_logs(*, verbose: bool = False, normally: int = logging.INFO) -> None:
    """How the whole process logs, once it does."""
    least = logging.DEBUG if verbose else normally
    log.set_up(least, partial(_configure, least))


def _configure(least: int) -> None:
    import structlog

    for_people = sys.stderr.isatty()
    renderer: Any = (
        structlog.dev.ConsoleRenderer() if for_people else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.format_exc_info,
            scrub_values,
            # ours and harmless: ten thousand of them are not worth scrubbing
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def scrub_values(
    _logger: object, _method: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Every text of a log entry without credentials, whoever wrote it."""
    for key, value in entry.items():
        if isinstance(value, str):
            entry[key] = scrub(value)
    return entry
