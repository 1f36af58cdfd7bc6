"""``mainstem prune``: retention."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter, validators

from mainstem.cli.store import DEFAULT_STORE, StoreUrl, opened, present

MICROSECONDS_A_DAY = 24 * 3600 * 1_000_000
SOME_DAYS = validators.Number(gte=0, lte=1_000_000)


def prune(
    *,
    events: Annotated[int, Parameter(validator=SOME_DAYS)] = 90,
    runs: Annotated[int, Parameter(validator=SOME_DAYS)] = 365,
    store: StoreUrl = DEFAULT_STORE,
    json: bool = False,
) -> None:
    """Forget old events and runs; what the current graph rests on always stays.

    Args:
        events: Keep raw events of this many days.
        runs: Keep runs of this many days.
        store: Where events and the graph are kept.
        json: Print the outcome as JSON.
    """
    import orjson

    from mainstem.serve.ingest import upkeep

    now = present()
    with opened(store, "mainstem prune") as connection:
        old_events, old_runs = upkeep.prune(
            connection, now - events * MICROSECONDS_A_DAY, now - runs * MICROSECONDS_A_DAY
        )
    outcome = {"version": 1, "events": old_events, "runs": old_runs}
    plain = f"{old_events} events and {old_runs} runs forgotten"
    sys.stdout.write((orjson.dumps(outcome).decode() if json else plain) + "\n")
