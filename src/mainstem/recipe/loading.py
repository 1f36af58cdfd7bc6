"""From YAML text or command-line flags to a frozen ``Recipe``, or to all mistakes at once."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, cast

import yaml
from pydantic import BaseModel, ValidationError

from mainstem.errors import BadRecipe
from mainstem.recipe.expansion import expand
from mainstem.recipe.model import (
    Cluster,
    DatasetRef,
    Declared,
    DeclaredEdge,
    Kafka,
    OutboxPart,
    Patterns,
    ProvidersPart,
    Recipe,
    SchemaRegistry,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_PARTS: tuple[type[BaseModel], ...] = (
    Recipe, OutboxPart, Cluster, Patterns, Kafka, SchemaRegistry, ProvidersPart, Declared,
    DeclaredEdge, DatasetRef,
)  # fmt: skip
_KNOWN_KEYS = sorted({key for part in _PARTS for key in part.model_fields})


def load(path: Path, environment: Mapping[str, str]) -> Recipe:
    """The recipe in a file, ``${VAR}`` taken from the environment."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecipe(str(path), [f"cannot be read: {error}"]) from error
    try:
        tree = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadRecipe(str(path), [f"is not YAML: {error}"]) from error
    if not isinstance(tree, dict):
        raise BadRecipe(str(path), ["must be a map with the key 'clusters'"])
    expanded, unset = expand(cast("dict[str, Any]", tree), environment)
    return _check(str(path), expanded, unset)


def from_flags(
    url: str,
    *,
    kafka: str | None = None,
    interval: float | None = None,
    heartbeat: float | None = None,
) -> Recipe:
    """The recipe that a bare ``--connect URL`` stands for."""
    cluster: dict[str, Any] = {"urls": [part.strip() for part in url.split(",")]}
    if kafka is not None:
        cluster["kafka"] = {"bootstrap": kafka}
    if interval is not None:
        cluster["interval"] = interval
    if heartbeat is not None:
        cluster["heartbeat"] = heartbeat
    return _check("command line", {"clusters": [cluster]})


def _check(where: str, tree: Mapping[str, Any], known: Sequence[str] = ()) -> Recipe:
    """The recipe, unless it has mistakes, those already known among them."""
    try:
        recipe = Recipe.model_validate(tree)
    except ValidationError as error:
        details = error.errors()
        # a cluster with a mistake is left out, and then the list seems to be empty
        found = [one for one in details if len(details) == 1 or one["type"] != "too_short"]
        raise BadRecipe(where, [*known, *map(_mistake, found)]) from None
    if known:
        raise BadRecipe(where, known)
    return recipe


def _mistake(detail: Any) -> str:
    """One line: where, what stands there, what is allowed; a secret's value is never shown."""
    path = ".".join(str(step) for step in detail["loc"]) or "(the whole file)"
    if detail["type"] == "extra_forbidden":
        near = difflib.get_close_matches(str(detail["loc"][-1]), _KNOWN_KEYS, n=1)
        return f"{path}: is not a known key" + (f"; did you mean {near[0]!r}?" if near else "")
    message = str(detail["msg"]).removeprefix("Value error, ")
    shown = detail.get("input")
    if detail["type"] == "missing" or isinstance(shown, dict | list) or _is_secret(path):
        return f"{path}: {message}"
    return f"{path}: {shown!r}: {message}"


def _is_secret(path: str) -> bool:
    return any(
        word in path for word in ("password", "bearer", "provided_configs", "urls", "kafka.client")
    )
