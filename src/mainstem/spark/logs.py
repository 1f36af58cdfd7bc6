"""Where tracking logs inside somebody else's program: to that program's own logging."""

from __future__ import annotations

import logging

from mainstem.logs import log
from mainstem.scrub import scrub


def log_as_the_job_does() -> None:
    """Send our log to Python's ``logging``, unless the job has set structlog up itself."""
    log.set_up(logging.NOTSET, _configure)


def _configure() -> None:
    import structlog  # noqa: PLC0415 - loaded by the first line that is logged

    # By default it prints to standard output, which belongs to the job.
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
            lambda _logger, _method, text: scrub(str(text)),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
