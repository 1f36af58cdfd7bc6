"""``mainstem doctor``: find what does not align, and heal what an alias can heal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

from cyclopts import Parameter

from mainstem.cli.exits import EXIT_FAILED
from mainstem.errors import BadRecipe
from mainstem.scrub import scrub

if TYPE_CHECKING:
    from mainstem.doctor.finding import Finding
    from mainstem.doctor.picture import Link, Picture

REPORT_SCHEMA = 1
DEFAULT_BACKEND = "http://localhost:5000"


def doctor(
    source: str | None = None,
    *,
    config: Annotated[Path | None, Parameter(name=["--config", "-c"])] = None,
    fix: bool = False,
    undo: bool = False,
    yes: bool = False,
    ask_brokers: bool = False,
    fail_on: Literal["warn", "error"] | None = None,
    json: bool = False,
) -> None:
    """Find names that do not align, seams that are broken and runs that never end.

    Nothing is changed unless --fix or --undo is given, and nothing but GET is sent. A token for
    the backend is read from OPENLINEAGE_API_KEY.

    Parameters
    ----------
    source
        A backend's address, or a file or directory of OpenLineage events (NDJSON, gzipped or not).
        By default OPENLINEAGE_URL, else http://localhost:5000; with a recipe alone, its clusters.
    config
        A recipe: its Connect clusters are asked, and a fix writes its aliases too.
    fix
        Write the aliases that heal what was found, after showing them; never one that is only
        possible.
    undo
        Take the last fix back; again, the one before.
    yes
        Do not ask before writing.
    ask_brokers
        Ask the Kafka brokers that are named for the ids of their clusters, without signing in.
    fail_on
        Exit 1 if there is a finding as bad as this.
    json
        Print the findings as JSON.
    """
    if undo:
        from mainstem.cli.doctor_fixing import take_back

        others = {"--fix": fix, "-c": config, "--fail-on": fail_on, "--json": json}
        _alone("--undo", [flag for flag, given in others.items() if given])
        take_back(source, yes=yes)
        return
    if fix and config is None and source is not None and "://" not in source:
        raise BadRecipe("doctor --fix", ["needs a backend or a recipe (-c) to write to"])
    picture, backend = _picture(source, config)
    if ask_brokers:
        from mainstem.cli.doctor_clusters import with_broker_ids

        picture = with_broker_ids(picture, backend, config)
    from mainstem.doctor.thinking import findings_in

    found = findings_in(picture)
    if json:
        _print_json(found, picture)
    else:
        from mainstem.cli.doctor_telling import print_findings

        print_findings(found, picture)
    if fix:
        from mainstem.cli.doctor_fixing import heal

        heal(found, backend, config, yes=yes, shown=sys.stderr if json else sys.stdout)
    if fail_on and any(_is_as_bad(one, fail_on) for one in found):
        raise SystemExit(EXIT_FAILED)


def _alone(flag: str, others: list[str]) -> None:
    if others:
        *first, last = others
        listed = f"{', '.join(first)} and {last}" if first else last
        raise BadRecipe("doctor", [f"{flag} goes without {listed}"])


def _is_as_bad(finding: Finding, least: str) -> bool:
    from mainstem.doctor.finding import Severity

    order = tuple(Severity)
    return order.index(finding.severity) <= order.index(Severity(least))


def _picture(source: str | None, config: Path | None) -> tuple[Picture, str | None]:
    """What there is to look at, and the backend that it came from."""
    from mainstem.cli.doctor_clusters import picture_of_clusters, recipe_links, with_cluster_ids

    if source is None and config is not None:
        return picture_of_clusters(config), None
    said = os.environ.get("OPENLINEAGE_URL") or DEFAULT_BACKEND if source is None else source
    is_address = "://" in said
    if is_address:
        picture = _from_backend(said)
    else:
        picture = _from_files(said, () if config is None else recipe_links(config))
    if config is not None:
        picture = with_cluster_ids(picture, config)
    return picture, said if is_address else None


def _from_backend(url: str) -> Picture:
    from mainstem.doctor.reading.backend import BackendClient

    if not url.startswith(("http://", "https://")):
        raise BadRecipe("doctor", [f"{url.partition('://')[0]}:// is no backend; say http(s)://"])
    if not _has_host(url):
        raise BadRecipe("doctor", [f"{scrub(url)} is no address; say http(s)://HOST:PORT"])
    with BackendClient(url, os.environ.get("OPENLINEAGE_API_KEY")) as client:
        return client.picture()


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _from_files(said: str, links: tuple[Link, ...]) -> Picture:
    from mainstem.cli.doctor_telling import counted
    from mainstem.doctor.reading.events import read_events

    path = Path(said)
    if not said or not path.exists():
        what = f"{said!r} is neither a file nor a directory"
        raise BadRecipe("doctor", [f"{what}; a backend's address begins with http:// or https://"])
    with counted("events") as progress:
        picture, strange = read_events(path, progress, links)
    if strange:
        told = "1 line was no event" if strange == 1 else f"{strange} lines were no events"
        print(f"mainstem doctor: {told}", file=sys.stderr)
    return picture


def _print_json(found: list[Finding], picture: Picture) -> None:
    import orjson

    from mainstem.doctor.thinking import report

    told = {"version": REPORT_SCHEMA, **report(found, picture.made_at)}
    print(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
