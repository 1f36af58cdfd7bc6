"""What programs log: structlog's logger, loaded by the first line that anybody wants to see.

It brings rich, pygments and asyncio along, which takes longer than many a command.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def _as_structlog_is() -> None:
    """Whoever embeds us has configured it, or nobody has."""


class Logger:
    """Structlog's methods; all of ours go through one."""

    def __init__(self) -> None:
        self._least = logging.NOTSET
        self._configure: Callable[[], None] = _as_structlog_is
        self._logger = cache(self._load)

    def set_up(self, least: int, configure: Callable[[], None]) -> None:
        """Pass over what is less severe; ``configure`` structlog before the first of the rest."""
        self._least = least
        self._configure = configure
        self._logger.cache_clear()

    def debug(self, event: str, **told: Any) -> None:
        """For whoever looks for a mistake."""
        if self._least <= logging.DEBUG:
            self._logger().debug(event, **told)

    def info(self, event: str, **told: Any) -> None:
        """What goes as it should."""
        if self._least <= logging.INFO:
            self._logger().info(event, **told)

    def warning(self, event: str, **told: Any) -> None:
        """What somebody should look at."""
        if self._least <= logging.WARNING:
            self._logger().warning(event, **told)

    def error(self, event: str, **told: Any) -> None:
        """What went wrong."""
        if self._least <= logging.ERROR:
            self._logger().error(event, **told)

    def exception(self, event: str, **told: Any) -> None:
        """What went wrong and should not have been possible, with its trace."""
        if self._least <= logging.ERROR:
            self._logger().exception(event, **told)

    def _load(self) -> Any:
        import structlog  # noqa: PLC0415 - see above

        self._configure()
        return structlog.get_logger()


log = Logger()
