"""Fixes of ``mainstem doctor``: shown, asked for, written, taken back."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from urllib.parse import urlsplit, urlunsplit

from mainstem.errors import BackendUnavailable, BadRecipe
from mainstem.scrub import scrub

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.fixing.record import Record
    from mainstem.doctor.picture import Link
    from mainstem.doctor.reading.backend import BackendClient


def fixes_place() -> Path:
    """Where fixes are remembered: beside the journal."""
    from mainstem.outbox.location import default_journal_path

    return default_journal_path().with_name("doctor-fixes.json")


def heal(
    found: list[Finding], backend: str | None, config: Path | None, *, yes: bool, shown: TextIO
) -> None:
    """Show what a fix would write, ask, and write it."""
    from mainstem.doctor.fixing.plan import plan_fix
    from mainstem.doctor.fixing.recipe_text import with_namespaces

    fix = plan_fix(found)
    before = "" if config is None else _text(config)
    after = before if config is None else with_namespaces(before, fix.recipe, str(config))
    links = fix.backend if backend is not None else ()
    if fix.left:
        what = "1 finding is" if fix.left == 1 else f"{fix.left} findings are"
        _say(f"{what} only possible: look there, and add the lines yourself")
    if not links and after == before:
        _say("nothing that an alias could heal")
        return
    _show(links, before, after, config, shown)
    if not yes and not _agreed("Write this?"):
        _say("nothing was written")
        return
    _write(backend, links, None if after == before else config, after)
    _say("written; mainstem doctor --undo takes it back")


def take_back(source: str | None, *, yes: bool) -> None:
    """Take the last fix back."""
    from mainstem.doctor.fixing.record import remembered, undo_last
    from mainstem.doctor.reading.backend import BackendClient

    place = fixes_place()
    fixes = remembered(place)
    if not fixes:
        raise BadRecipe("doctor --undo", ["there is no fix to take back"])
    last = fixes[-1]
    if source is not None and _address(source) != last.backend:
        written = scrub(last.backend or "no backend")
        raise BadRecipe("doctor --undo", [f"the last fix was written to {written}; say no other"])
    _tell_fix(last)
    if not yes and not _agreed("Take this back?"):
        _say("nothing was taken back")
        return
    if last.backend is None:
        undo_last(place, lambda _: None)
    else:
        with BackendClient(source or last.backend, _token()) as client:
            undo_last(place, client.forget)
    left = len(fixes) - 1
    _say(f"taken back; {left or 'no'} earlier {'fix is' if left == 1 else 'fixes are'} left")


def _tell_fix(fix: Record) -> None:
    where = f" in {scrub(fix.backend)}" if fix.backend else ""
    print(f"the fix of {fix.at.isoformat(timespec='seconds')}{where}:")
    for link in fix.links:
        print(f"- alias {_shown(link)}")
    if fix.recipe is not None:
        print(f"- {fix.recipe.path} becomes what it was")


def _address(url: str) -> str:
    """A backend's address as it is remembered: without whoever asks."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])).rstrip("/")


def _write(backend: str | None, links: tuple[Link, ...], config: Path | None, text: str) -> None:
    """Remember first, then write: what was half written can be taken back."""
    from mainstem import clock
    from mainstem.doctor.fixing.record import Record, apply_recipe, change_recipe, remember
    from mainstem.doctor.reading.backend import BackendClient

    now = clock.now()
    stamp = now.strftime("%Y%m%dT%H%M%S.%fZ")
    address = _address(backend) if backend is not None and links else None
    try:
        change = None if config is None else change_recipe(config, text, stamp)
        remember(fixes_place(), Record(now, address, links, change))
        if change is not None:
            apply_recipe(change, text)
    except OSError as error:
        where = str(error.filename or config or fixes_place())
        why = f"cannot be written, so nothing was fixed: {error.strerror}"
        raise BadRecipe(where, [why]) from error
    if backend is not None and links:
        with BackendClient(backend, _token()) as client:
            _put(client, links, is_alone=change is None)


def _put(client: BackendClient, links: tuple[Link, ...], *, is_alone: bool) -> None:
    """Write aliases; a fix of which nothing was written is none."""
    from mainstem.doctor.fixing.record import drop_last

    for number, link in enumerate(links):
        try:
            client.put(link)
        except BackendUnavailable:
            if is_alone and number == 0:
                drop_last(fixes_place())
            else:
                _say("only a part was written; mainstem doctor --undo takes it back")
            raise


def _show(
    links: tuple[Link, ...], before: str, after: str, config: Path | None, shown: TextIO
) -> None:
    for link in links:
        print(f"+ alias {_shown(link)}", file=shown)
    if after != before:
        print(f"+++ {config}", file=shown)
        for line in _added(before.splitlines(), after.splitlines()):
            print(f"+{line}", file=shown)


def _added(before: list[str], after: list[str]) -> Iterator[str]:
    """What was added, and of a line that became longer that part alone: the rest may be secret."""
    changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for tag, first, last, start, end in changes:
        if tag == "equal":
            continue
        old, new = "\n".join(before[first:last]), "\n".join(after[start:end])
        same = _same(old, new)
        same_end = _same(old[same:][::-1], new[same:][::-1])
        yield from new[same : len(new) - same_end].splitlines()


def _same(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shown(link: Link) -> str:
    if link.name is None:
        return f"{link.other_namespace} is {link.namespace}"
    return f"{link.other_name} in {link.other_namespace} is {link.name} in {link.namespace}"


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise BadRecipe("doctor", ["nobody can be asked here: say --yes"])
    try:
        return input(f"{question} [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        return False


def _text(config: Path) -> str:
    from mainstem.recipe import load

    load(config, os.environ)  # a recipe with mistakes is not written to
    with config.open(encoding="utf-8", newline="") as file:
        return file.read()


def _token() -> str | None:
    return os.environ.get("OPENLINEAGE_API_KEY")


def _say(sentence: str) -> None:
    print(f"mainstem doctor: {sentence}", file=sys.stderr)
