"""``mainstem outbox``: what waits, what was refused, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cyclopts
from msgspec.structs import asdict

from mainstem.errors import BadRecipe, JournalUnusable

if TYPE_CHECKING:
    from rich.table import Table

    from mainstem.outbox.dead_letters import Choice
    from mainstem.outbox.reader import OutboxReader

app = cyclopts.App(name="outbox", help="See and mend what waits to be delivered.")

OUTBOX_SCHEMA = 1
JournalFile = Annotated[Path | None, cyclopts.Parameter(name="--journal")]
MOST_WAITING_SHOWN = 100


@app.command(name="list")
def list_(
    *, destination: str | None = None, journal: JournalFile = None, json: bool = False
) -> None:
    """List dead letters and the oldest events that wait.

    Parameters
    ----------
    destination
        Only what this destination refused or waits for.
    journal
        The file to look into; by default the one that watch uses by default.
    json
        Print JSON for machines.
    """
    reader = _reader(journal)
    letters = reader.dead_letters(destination)
    waiting = [
        event
        for event in reader.waiting(MOST_WAITING_SHOWN)
        if destination is None or destination in event.destinations
    ]
    if json:
        _print_json(
            reader,
            destinations=[asdict(each) for each in reader.status()],
            dead_letters=[asdict(each) for each in letters],
            waiting=[asdict(each) for each in waiting],
        )
        return
    refused = _table("dead letter", "destination", "key", "since", "bytes", "reason")
    for each in letters:
        row = (each.event_id, each.destination, each.ordering_key, _when(each.since), each.size)
        refused.add_row(*map(str, row), each.reason)
    queue = _table("waiting", "for", "key", "stored", "bytes")
    for each in waiting:
        names = ", ".join(each.destinations)
        row = (each.event_id, names, each.ordering_key, _when(each.stored_at), each.size)
        queue.add_row(*map(str, row))
    _print_tables(refused, queue)


@app.command
def show(event: int, *, journal: JournalFile = None, json: bool = False) -> None:
    """Print one event as it is stored and sent.

    Parameters
    ----------
    event
        Its number, as list shows it.
    journal
        The file to look into; by default the one that watch uses by default.
    json
        Print what is known about the event around its body.
    """
    import orjson

    reader = _reader(journal)
    found = reader.event(event)
    if found is None:
        raise JournalUnusable(str(reader.path), f"there is no event {event} in the outbox")
    if not json:
        print(found.body.decode())
        return
    letters = [each for each in reader.dead_letters() if each.event_id == event]
    _print_json(
        reader,
        id=found.id,
        ordering_key=found.ordering_key,
        stored_at=found.stored_at,
        dead_letters=[asdict(each) for each in letters],
        body=orjson.loads(found.body),
    )


@app.command
def replay(
    *events: int,
    all: bool = False,  # noqa: A002 - the flag is called --all
    destination: str | None = None,
    journal: JournalFile = None,
    json: bool = False,
) -> None:
    """Send dead letters again, after what was sent of their runs since.

    Parameters
    ----------
    events
        Their numbers, as list shows them.
    all
        Every dead letter instead.
    destination
        Only those that this destination refused.
    journal
        The file to change; by default the one that watch uses by default.
    json
        Print JSON for machines.
    """
    from mainstem.outbox import dead_letters

    reader = _reader(journal)
    count = dead_letters.replay(reader.path, _choice("replay", events, all, destination))
    _report(reader, count, "put back in line", as_json=json)


@app.command
def drop(
    *events: int,
    all: bool = False,  # noqa: A002 - the flag is called --all
    waiting: bool = False,
    destination: str | None = None,
    journal: JournalFile = None,
    json: bool = False,
) -> None:
    """Remove dead letters for good.

    Parameters
    ----------
    events
        Their numbers, as list shows them.
    all
        Every dead letter instead.
    waiting
        The numbers are of waiting events: give them up for every destination without them.
    destination
        Only dead letters that this destination refused.
    journal
        The file to change; by default the one that watch uses by default.
    json
        Print JSON for machines.
    """
    from mainstem.outbox import dead_letters

    reader = _reader(journal)
    if waiting and (all or destination or not events):
        raise BadRecipe("mainstem outbox drop", ["--waiting takes the numbers of events alone"])
    if waiting:
        count = dead_letters.drop_waiting(reader.path, events)
    else:
        count = dead_letters.drop(reader.path, _choice("drop", events, all, destination))
    _report(reader, count, "dropped", as_json=json)


def _choice(
    verb: str, events: tuple[int, ...], everything: bool, destination: str | None
) -> Choice:
    from mainstem.outbox.dead_letters import Choice

    if bool(events) == everything:
        wanted = "name dead letters by their numbers, or say --all; one of the two"
        raise BadRecipe(f"mainstem outbox {verb}", [wanted])
    return Choice(None if everything else events, destination)


def _reader(journal: Path | None) -> OutboxReader:
    from mainstem.outbox.location import default_journal_path
    from mainstem.outbox.reader import OutboxReader

    return OutboxReader(journal or default_journal_path())


def _report(reader: OutboxReader, count: int, what: str, *, as_json: bool) -> None:
    if count == 0:
        raise JournalUnusable(str(reader.path), f"no event could be {what}; see outbox list")
    if as_json:
        _print_json(reader, count=count)
    else:
        print(f"{count} {'event' if count == 1 else 'events'} {what}")


def _print_json(reader: OutboxReader, **told: Any) -> None:
    import orjson

    whole = {"schema": OUTBOX_SCHEMA, "journal": str(reader.path), **told}
    print(orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode())


def _print_tables(*tables: Table) -> None:
    from rich.console import Console

    console = Console()
    for table in tables:
        if table.row_count:
            console.print(table)
    if not any(table.row_count for table in tables):
        console.print("nothing waits and nothing was refused")


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _when(time: Any) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"
