"""``mainstem lab``: a real pipeline on this machine, with its lineage live."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import cyclopts

from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from types import FrameType

    from rich.console import Console

    from mainstem.lab.session import LineageFile, Session

app = cyclopts.App(
    name="lab", help="A real pipeline: PostgreSQL, Kafka Connect, S3, Spark, Iceberg."
)

Json = Annotated[bool, cyclopts.Parameter(name="--json", help="Print one JSON document instead.")]
PatternName = Literal["mainstem", "listener", "manual"]
SCHEMA_VERSION = 1
INTERRUPTED = 130
NEEDED = ("jgo", "confluent_kafka", "psycopg", "moto", "psutil", "fastapi")
SUMMARY_KEYS = (
    "pattern", "page", "postgres", "kafka", "registry", "connect", "s3", "events", "edges", "logs",
    "memoryInAll",
)  # fmt: skip


@app.command
def up(
    *,
    hours: Annotated[float, cyclopts.Parameter(validator=cyclopts.validators.Number(gt=0))] = 4.0,
    pattern: PatternName = "mainstem",
    since: float | None = None,
    installer: int | None = None,
    as_json: Json = False,
) -> None:
    """Start everything, show its lineage, and on a terminal follow it until Ctrl-C.

    Args:
        hours: After how many hours the lab ends by itself.
        pattern: Who tells the lineage of the Spark jobs: mainstem.spark in all of them, the
            OpenLineage agent as a listener in two, or the OpenLineage client by hand in one.
        since: The Unix time from which the start is timed, where work came before this command.
        installer: The id of a process that still installs PySpark; what needs Spark waits for it.
        as_json: Print a summary as one JSON document on standard output.
    """
    from mainstem.clock import monotonic, now

    needed = NEEDED if installer is not None else (*NEEDED, "pyspark")
    session, console = _session(needed), _console(as_json)
    if session.is_running():
        console.print("The lab is already running; end it with: mainstem lab down")
        status(as_json=as_json)
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    ready = False
    try:
        begun = monotonic() - (now().timestamp() - since if since else 0)
        session.make_home()
        console.print(f"Starting the lab in {session.place.directory}", soft_wrap=True)
        _download(session, console, pattern)
        session.launch(hours, pattern, installer)
        seconds = _follow_start(session, console, begun)
        ready = True
        _tell(session, console, seconds, as_json=as_json)
    except KeyboardInterrupt:
        console.print("\nEnding the lab ...")
        session.end()
        console.print("The lab is down; nothing of it is running any more.")
        if not ready:
            sys.exit(INTERRUPTED)


@app.command
def fetch(*, pattern: PatternName = "mainstem") -> None:
    """Bring the files that the lab runs, so that a start needs no network.

    Args:
        pattern: The pattern that the lab will be started with.
    """
    session, console = _session(), _console(as_json=False)
    session.make_home()
    _download(session, console, pattern)


@app.command
def status(*, as_json: Json = False) -> None:
    """Say what runs, where, and what is broken.

    Args:
        as_json: Print the status as one JSON document on standard output.
    """
    from mainstem.lab.telling import starting_lines, status_lines

    session, console = _session(), _console(as_json)
    running, ready = session.is_running(), session.is_ready()
    if as_json:
        _print_json({"running": running, "ready": ready, **(session.status() if ready else {})})
    elif ready:
        _say(console, status_lines(session.status()))
    elif running:
        _say(console, starting_lines(session.steps_so_far()))
    else:
        console.print("The lab is not running; start it with: mainstem lab up")


@app.command(name="break")
def break_(name: str | None = None, /, *, as_json: Json = False) -> None:
    """Break one thing, and show what the lineage says about it.

    Args:
        name: What to break; without it, what can be broken is listed.
        as_json: Print what was done, what to expect and the events as one JSON document.
    """
    if name is not None:
        _change(as_json, do="break", name=name)
        return
    from mainstem.lab.scenarios.breakages import BREAKAGES
    from mainstem.lab.telling import breakage_lines

    if as_json:
        _print_json({"breakages": {each.name: each.summary for each in BREAKAGES}})
    else:
        _say(_console(as_json), breakage_lines())


@app.command
def heal(name: str = "", /, *, as_json: Json = False) -> None:
    """Mend what is broken, and show what the lineage says about it.

    Args:
        name: What to mend; only one thing is broken at a time.
        as_json: Print what was done, what to expect and the events as one JSON document.
    """
    _change(as_json, do="heal", name=name)


@app.command
def down(*, as_json: Json = False) -> None:
    """End the lab and everything in it.

    Args:
        as_json: Print whether a lab was ended as one JSON document.
    """
    session, console = _session(), _console(as_json)
    ended = session.end()
    if as_json:
        _print_json({"ended": ended})
    elif ended:
        console.print("The lab is down; nothing of it is running any more.")
        console.print(f"What it told stays in {session.place.events}", soft_wrap=True)
    else:
        console.print("The lab is not running; there is nothing to end.")


def _follow_start(session: Session, console: Console, begun: float) -> dict[str, float]:
    """Tell each step of a start; answers after how many seconds each part of it was there."""
    from mainstem.clock import monotonic
    from mainstem.lab.scenarios.pipeline import MILESTONES
    from mainstem.lab.telling import step_line, times_line

    seconds = {"files": monotonic() - begun}
    with console.status("starting") as line:
        for step in session.steps():
            if step.state == "running":
                line.update(step.name)
                continue
            console.print(step_line(step), soft_wrap=True)
            if step.name in MILESTONES:
                seconds[MILESTONES[step.name]] = monotonic() - begun
    seconds["everything"] = monotonic() - begun
    console.print(times_line(seconds), soft_wrap=True)
    return seconds


def _download(session: Session, console: Console, pattern: str) -> None:
    from mainstem.clock import monotonic
    from mainstem.lab.scenarios.patterns import Pattern
    from mainstem.lab.scenarios.pipeline import files_of
    from mainstem.lab.steps import Step
    from mainstem.lab.telling import step_line

    wanted = files_of(Pattern(pattern))
    for name in (each for each in wanted if not session.library.directory(each).exists()):
        started = monotonic()
        with console.status(f"files of {name}") as now:

            def progress(file: str, done: int, total: int, name: str = name) -> None:
                text = f"files of {name}: {done} of {total} ({file})"
                now.update(text)
                if not console.is_terminal and done % 20 == 0:
                    console.print(f"  {text}", soft_wrap=True)

            directory = session.library.ensure(name, progress)
        step = Step(f"files of {name}", "done", monotonic() - started, str(directory))
        console.print(step_line(step), soft_wrap=True)


def _tell(session: Session, console: Console, seconds: dict[str, float], *, as_json: bool) -> None:
    from mainstem.lab.telling import look_lines, memory_line, next_lines

    status = session.status()
    console.print(memory_line(status))
    lineage = session.events()
    console.print("\nOrders of PostgreSQL are objects in S3 and rows in Iceberg:")
    _say(console, [f"  {edge}" for edge in status["edges"]])
    lineage.new()
    _say(
        console,
        ["", *look_lines(status["page"], status["pattern"]), "", *next_lines(_program()), ""],
    )
    if as_json:
        summary = {key: status[key] for key in SUMMARY_KEYS}
        _print_json({"running": True, "seconds": seconds, **summary})
    if sys.stdout.isatty() and not as_json:
        console.print("Live lineage from here on; Ctrl-C ends the lab.")
        _follow(session, lineage, console)
    else:
        session.let_stay()
        console.print(f"The lab is running; end it with: {_program()} lab down")


def _follow(session: Session, lineage: LineageFile, console: Console) -> None:
    while session.is_running():
        _print_new(lineage, console)
        time.sleep(0.3)
    console.print("The lab was taken down.")


def _change(as_json: bool, **request: str) -> None:
    from mainstem.lab.telling import News

    session, console = _session(), _console(as_json)
    lineage = session.events()
    news = News(lineage.new())
    with console.status(f"{request['do']} {request['name']}"):
        answer = session.change(**request)
    console.print(answer["did"], soft_wrap=True)
    console.print(f"Expect: {answer['expect']}.", soft_wrap=True)
    events: list[dict[str, Any]] = []
    if "type" in answer:
        from mainstem.lab.scenarios.breakages import Told
        from mainstem.lab.telling import event_line

        awaited = Told(answer["type"], answer["job"], answer["field"])
        for event in lineage.until(awaited):
            if news.is_in(event) or awaited.is_in(event):
                console.print(event_line(event), soft_wrap=True)
            events.append(event)
    if as_json:
        _print_json({"did": answer["did"], "expect": answer["expect"], "events": events})


def _print_new(lineage: LineageFile, console: Console) -> None:
    from mainstem.lab.telling import event_line

    _say(console, [event_line(event) for event in lineage.new()])


def _program() -> str:
    """How the person can call this product: by its name, or by the way to it."""
    if shutil.which("mainstem"):
        return "mainstem"
    return os.path.relpath(Path(sys.executable).with_name("mainstem"))


def _session(needed: tuple[str, ...] = NEEDED) -> Session:
    missing = [each for each in needed if find_spec(each) is None]
    if missing:
        extras = "pip install 'mainstem[lab,serve,spark]'"
        raise ServiceFailed("lab", f"{', '.join(missing)} is missing; install it: {extras}")
    from mainstem.lab.session import Session

    return Session(os.environ)


def _console(as_json: bool) -> Console:
    """Where the story goes: standard output, or standard error when that carries JSON."""
    from rich.console import Console

    return Console(stderr=as_json, highlight=False, markup=False, emoji=False)


def _say(console: Console, lines: list[str]) -> None:
    for line in lines:
        console.print(line, soft_wrap=True)


def _print_json(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"schemaVersion": SCHEMA_VERSION, **document}, indent=2) + "\n")


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
