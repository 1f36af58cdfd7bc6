"""What an HTTP answer means for the event that was sent."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from msgspec import Struct

from mainstem.clock import now
from mainstem.errors import DestinationBusy, DestinationLocked, DestinationRefused

BAD_EVENT = frozenset({400, 413, 422})
NOT_NOW = frozenset({408, 409, 421, 423, 425, 429})
TAKES_NOTHING_NOW = frozenset({429, 503})
"""Said of the backend as a whole; other failures may be one event's fault."""

EXCERPT_CHARACTERS = 300


class Answer(Struct, frozen=True):
    """What came back: status, Retry-After as it was written, the beginning of the body."""

    status: int
    retry_after: str | None
    body: str


def judge(destination: str, answer: Answer) -> None:
    """Return for 2xx; raise retry-later, never-this-event or not-let-in for the rest."""
    status = answer.status
    if 200 <= status < 300:  # noqa: PLR2004 - the success range
        return
    said = f"answers {status}"
    if status in BAD_EVENT:
        raise DestinationRefused(destination, said + _excerpt(answer.body))
    if status in NOT_NOW or status >= 500:  # noqa: PLR2004 - the server-error range
        wish = _seconds(answer.retry_after) if status in TAKES_NOTHING_NOW else None
        raise DestinationBusy(destination, said, wish, whole=status in TAKES_NOTHING_NOW)
    # Not authorised, a wrong path, an unknown encoding: true of every event, fixed by a person.
    raise DestinationLocked(destination, said)


def _excerpt(body: str) -> str:
    words = " ".join(body.split())
    return f": {words[:EXCERPT_CHARACTERS]}" if words else ""


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds, from either of its two forms; None when it is absent or odd."""
    if retry_after is None:
        return None
    if retry_after.strip().isdigit():
        return float(retry_after)
    try:
        instant = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return max(0.0, (aware - now()).total_seconds())
