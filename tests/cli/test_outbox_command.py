"""``mainstem outbox`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mainstem.cli.outbox import app
from mainstem.errors import BadRecipe, DestinationRefused, JournalUnusable
from mainstem.outbox import Outbox, StoredEvent
from outbox.doubles import MemoryDestination, SteppedClock, open_lane, run_lane, store


def refuse_poison(event: StoredEvent) -> None:
    if b"poison" in event.body:
        raise DestinationRefused("backend", "answers 422: no run id")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with one dead letter (1) and one waiting event (3)."""
    path = tmp_path / "journal.db"
    box = Outbox.open(path)
    destination, clock = MemoryDestination("backend", fault=refuse_poison), SteppedClock()
    lane = open_lane(box, destination, clock)
    store(box, ("r1", "poison"), ("r1", "fine"))
    run_lane(lane, clock, 0)
    store(box, ("r2", "late"))
    return path


def call(*arguments: str | Path) -> None:
    app(
        [str(argument) for argument in arguments], exit_on_error=False, result_action="return_value"
    )


def called_json(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, object]:
    call(*arguments, "--json")
    return json.loads(capsys.readouterr().out)


def test_list_tells_what_was_refused_and_what_waits(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call("list", "--journal", journal)
    said = " ".join(capsys.readouterr().out.split())
    assert "answers 422: no run id" in said
    assert "r2" in said


def test_list_json(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = called_json(capsys, "list", "--journal", journal)
    assert told["schema"] == 1
    assert told["journal"] == str(journal)
    [letter] = told["dead_letters"]  # pyright: ignore
    assert (letter["event_id"], letter["destination"]) == (1, "backend")
    [waiting] = told["waiting"]  # pyright: ignore
    assert (waiting["event_id"], waiting["destinations"]) == (3, ["backend"])
    [status] = told["destinations"]  # pyright: ignore
    assert (status["depth"], status["dead_letters"]) == (1, 1)


def test_list_of_one_destination(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = called_json(capsys, "list", "--journal", journal, "--destination", "other")
    assert (told["dead_letters"], told["waiting"]) == ([], [])


def test_show_prints_the_stored_bytes(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call("show", "1", "--journal", journal)
    assert capsys.readouterr().out == '{"is":"poison"}\n'
    told = called_json(capsys, "show", "1", "--journal", journal)
    assert told["body"] == {"is": "poison"}
    assert told["ordering_key"] == "r1"


def test_replay_and_drop(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called_json(capsys, "replay", "1", "--journal", journal)["count"] == 1
    call("drop", "3", "--waiting", "--journal", journal)
    assert capsys.readouterr().out == "1 event dropped\n"
    told = called_json(capsys, "list", "--journal", journal)
    assert told["dead_letters"] == []
    assert [event["event_id"] for event in told["waiting"]] == [1]  # pyright: ignore


@pytest.mark.parametrize("verb", ["replay", "drop"])
@pytest.mark.parametrize("chosen", [[], ["1", "--all"]])
def test_one_must_say_which(journal: Path, verb: str, chosen: list[str]) -> None:
    with pytest.raises(BadRecipe, match="by their numbers, or say --all"):
        call(verb, *chosen, "--journal", journal)


@pytest.mark.parametrize(
    "arguments", [("show", "99"), ("replay", "99"), ("drop", "99"), ("drop", "99", "--waiting")]
)
def test_an_event_that_is_not_there_is_an_error(journal: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(JournalUnusable):
        call(*arguments, "--journal", journal)


def test_a_journal_that_is_not_there_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    for arguments in (["list"], ["replay", "--all"], ["drop", "--all"]):
        with pytest.raises(JournalUnusable, match="no such journal"):
            call(*arguments, "--journal", tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []
