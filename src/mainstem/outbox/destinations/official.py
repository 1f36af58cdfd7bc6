"""Any other transport of the official client, or a class of the user's own: best effort.

Such a transport serialises the event itself and may answer before the event has arrived, so neither
the bytes nor the delivery are promised. What it raises counts as "not now".
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from mainstem.logs import log
from mainstem.outbox.destinations.official_event import official_event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.outbox.model import StoredEvent
    from mainstem.outbox.section import Section

CLOSE_SECONDS = 5.0


class OfficialDestination:
    """Hands events to a transport of the official client, opened at the first event."""

    def __init__(self, name: str, kind: str, config: Mapping[str, object]) -> None:
        self.name = name
        self.kind = kind
        self._config = config
        self._transport: Any = None

    def deliver(self, event: StoredEvent) -> None:
        """Return once the transport has; it promises no more than that."""
        self._open().emit(official_event(event.body))

    def close(self) -> None:
        """Let the transport finish what it still holds, for a while."""
        if self._transport is not None:
            self._transport.close(CLOSE_SECONDS)
            self._transport = None

    def _open(self) -> Any:
        if self._transport is None:
            from openlineage.client.transport import get_default_factory  # noqa: PLC0415 - heavy

            # A copy: the factory takes keys out of what it is given.
            self._transport = get_default_factory().create(dict(self._config))  # pyright: ignore
        return self._transport


def build(name: str, section: Section) -> OfficialDestination:
    """A destination for a transport that only the official client, or the user, knows."""
    kind = section.text("type")
    if not _exists(kind):
        section.mistakes.append(
            f"{section.place}.type is {kind!r}; it must be one of {', '.join(_known_types())},"
            " or the full name of a transport class that can be imported"
        )
    else:
        log.warning(
            "transport of the official client: delivery is best effort", name=name, type=kind
        )
    return OfficialDestination(name, kind, section.values)


def _exists(kind: str) -> bool:
    """Whether the client registers the type, or it names a module that is there."""
    module, dot, _ = kind.rpartition(".")
    if kind in _known_types() or not dot:
        return kind in _known_types()
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _known_types() -> list[str]:
    from openlineage.client.transport import get_default_factory  # noqa: PLC0415 - heavy

    return sorted(cast("dict[str, object]", get_default_factory().transports))  # pyright: ignore
