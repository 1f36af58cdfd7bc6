"""The client configuration's filters and tags, on events that are bytes already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from mainstem.outbox.preparation import preparation_from_configuration

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.outbox.configuration import Configuration


def prepare_by(configuration: Configuration) -> Callable[[bytes], bytes | None]:
    """What happens to an event between being told and being queued; None: it is filtered out."""
    if not (configuration.filters or configuration.job_tags or configuration.run_tags):
        return lambda body: body
    prepare = preparation_from_configuration(configuration)

    def prepared(body: bytes) -> bytes | None:
        event = prepare(orjson.loads(body))
        return None if event is None else orjson.dumps(event, option=orjson.OPT_SORT_KEYS)

    return prepared
