"""The official client's configuration, found and merged by the official client itself.

Reading it opens no transport. The client hides two mistakes that we tell: a file that is no YAML,
and ``OPENLINEAGE_CONFIG`` naming a file that is not there.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from mainstem.errors import BadRecipe
from mainstem.logs import log

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

CLIENT_LOGGER = "openlineage.client.client"


class Filter(Struct, frozen=True):
    """Runs of jobs with this name are not told."""

    exact: str | None = None
    regex: str | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where events go and what happens to them before; the transport may hold secrets."""

    where: str
    """The file it comes from, or ``environment``."""

    transport: Mapping[str, object] = field(repr=False)
    filters: tuple[Filter, ...] = ()
    job_tags: Mapping[str, str] = field(default_factory=dict[str, str])
    run_tags: Mapping[str, str] = field(default_factory=dict[str, str])


def read_configuration(given: Mapping[str, object] | None = None) -> Configuration:
    """What the environment and ``openlineage.yml`` say; ``given`` goes before both."""
    file = _find_file()
    where = str(file) if file else "environment"
    if file is not None:
        _check_file(file)
    client_config = _ask_client(dict(given or {}), where)
    return Configuration(
        where=where,
        transport=_transport(client_config.transport),
        filters=tuple(_filters(client_config.filters, where)),
        job_tags=client_config.tags.job,
        run_tags=client_config.tags.run,
    )


def _ask_client(given: dict[str, Any], where: str) -> Any:
    from openlineage.client import OpenLineageClient  # noqa: PLC0415 - heavy
    from openlineage.client.transport.noop import NoopConfig, NoopTransport  # noqa: PLC0415

    with _environment_kept(), _client_silent():
        try:
            client = OpenLineageClient(transport=NoopTransport(NoopConfig()), config=given)
        except re.error as error:
            wrong = f"filters: {error.pattern!r} is no regular expression: {error.msg}"
            raise BadRecipe(where, [wrong]) from error
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            allowed = "transport, facets, filters, tags and dataset, as the client documents them"
            raise BadRecipe(
                where, [f"the configuration has the wrong shape; it must have {allowed}"]
            ) from error
        return client.config


def _transport(configured: Mapping[str, object] | None) -> Mapping[str, object]:
    """Which transport the client would open, by its own order of precedence."""
    if os.environ.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true":
        return {"type": "noop"}
    if configured and configured.get("type"):
        return configured
    if url := os.environ.get("OPENLINEAGE_URL"):
        return _transport_of_plain_variables(url)
    log.warning("no OpenLineage transport is configured; events go to the console")
    return {"type": "console"}


def _transport_of_plain_variables(url: str) -> dict[str, object]:
    transport: dict[str, object] = {"type": "http", "url": url}
    if endpoint := os.environ.get("OPENLINEAGE_ENDPOINT"):
        transport["endpoint"] = endpoint
    if key := os.environ.get("OPENLINEAGE_API_KEY"):
        transport["auth"] = {"type": "api_key", "apiKey": key}
    return transport


def _filters(configured: list[Any], where: str) -> Iterator[Filter]:
    for number, one in enumerate(configured):
        if one.type == "exact" and one.match:
            yield Filter(exact=one.match)
        elif one.type == "regex" and one.regex:
            yield Filter(regex=one.regex)
        else:
            allowed = "{type: exact, match: NAME} or {type: regex, regex: PATTERN}"
            raise BadRecipe(where, [f"filters[{number}] is {one}; it must be {allowed}"])


def _find_file() -> Path | None:
    """The file the client would read, in its order."""
    named = os.environ.get("OPENLINEAGE_CONFIG")
    if named and not Path(named).is_file():
        log.warning("OPENLINEAGE_CONFIG names no file, looking further", path=named)
    places = (
        named and Path(named),
        Path.cwd() / "openlineage.yml",
        Path.home() / ".openlineage" / "openlineage.yml",
    )
    return next((place for place in places if place and _is_readable(place)), None)


def _is_readable(place: Path) -> bool:
    return place.is_file() and os.access(place, os.R_OK)


def _check_file(file: Path) -> None:
    import yaml  # noqa: PLC0415 - not needed where the environment says all

    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        # Without the parser's own text: it quotes the line, which may hold a key.
        raise BadRecipe(str(file), [f"this is no YAML{line}"]) from None
    if content is not None and not isinstance(content, Mapping):
        raise BadRecipe(str(file), ["the file must be a mapping with keys such as transport:"])
    if content and not isinstance(cast("Any", content).get("transport", {}), Mapping):
        raise BadRecipe(str(file), ["transport must be a mapping with at least a type"])


@contextmanager
def _environment_kept() -> Generator[None]:
    """The client copies OPENLINEAGE_URL and the key into variables that children would inherit."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


@contextmanager
def _client_silent() -> Generator[None]:
    """The client logs the value of a variable that looks like broken JSON; it may be a secret."""
    logger = logging.getLogger(CLIENT_LOGGER)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
