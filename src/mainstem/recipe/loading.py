"""From YAML text or command-line flags to a frozen ``Recipe``, or to all mistakes at once."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, TypeVar, cast

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
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_PARTS: tuple[type[BaseModel], ...] = (
    Recipe, OutboxPart, Cluster, Patterns, Kafka, SchemaRegistry, ProvidersPart, Declared,
    DeclaredEdge, DatasetRef,
)  # fmt: skip
_SECRET_PLACES = (
    "password", "bearer", "provided_configs", "token", "headers", "kafka.client",
)  # fmt: skip
_ADDRESSES = ("urls", "connect_uri", "server", "bootstrap")

_IN_WORDS = {
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "dict_type": "must be a map",
    "missing": "is missing",
    "string_too_short": "must not be empty",
    "string_type": "must be text",
    "too_short": "must not be empty",
    "tuple_type": "must be a list",
    "union_tag_not_found": "needs the key type",
}
"""What pydantic says in Python's words, by the kind of mistake."""

M = TypeVar("M", bound=BaseModel)


def load(path: Path, environment: Mapping[str, str]) -> Recipe:
    """The recipe in a file, ``${VAR}`` taken from the environment."""
    expanded, unset = expand(read_map(path, "clusters"), environment)
    alike = called_alike("clusters", expanded.get("clusters"), _name)
    return check(str(path), Recipe, _PARTS, expanded, [*unset, *alike])


def _name(cluster: Mapping[str, Any]) -> object:
    return cluster.get("name", Cluster.model_fields["name"].default)


def called_alike(
    where: str, clusters: object, name_of: Callable[[Mapping[str, Any]], object]
) -> Iterator[str]:
    """A line for each name of several clusters, as they are written: others' mistakes hide none."""
    written = cast("list[Any]", clusters) if isinstance(clusters, list) else []
    names = [name_of(cast("dict[str, Any]", one)) for one in written if isinstance(one, dict)]
    for name in dict.fromkeys(name for name in names if isinstance(name, str)):
        if names.count(name) > 1:
            yield f"{where}: two clusters are called {name!r}; each needs a name of its own"


def read_map(path: Path, key: str) -> dict[str, Any]:
    """The map in a YAML file, which must have that key."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecipe(str(path), [f"cannot be read: {error}"]) from error
    try:
        tree = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadRecipe(str(path), [f"is not YAML: {error}"]) from error
    if not isinstance(tree, dict):
        raise BadRecipe(str(path), [f"must be a map with the key {key!r}"])
    return cast("dict[str, Any]", tree)


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
    return check("command line", Recipe, _PARTS, {"clusters": [cluster]})


def check(
    where: str,
    model: type[M],
    parts: Sequence[type[BaseModel]],
    tree: Mapping[str, Any],
    known: Sequence[str] = (),
    *,
    ignored: Iterable[str] = (),
) -> M:
    """What the tree says, unless it has mistakes, those already known among them.

    Keys that are ``ignored`` are no mistakes, and so may be what another was meant to be.
    """
    try:
        recipe = model.model_validate(tree)
    except ValidationError as error:
        found = _in_the_file(error.errors())
        raise BadRecipe(
            where, [*known, *(_mistake(each, parts, ignored) for each in found)]
        ) from None
    if known:
        raise BadRecipe(where, known)
    return recipe


def _in_the_file(details: Sequence[Any]) -> list[Any]:
    """Without lists that seem empty because what is in them has mistakes and was left out."""
    places = [one["loc"] for one in details]

    def seems_empty(detail: Any) -> bool:
        place = detail["loc"]
        inside = (other for other in places if len(other) > len(place))
        return detail["type"] == "too_short" and any(
            other[: len(place)] == place for other in inside
        )

    return [one for one in details if not seems_empty(one)]


def _mistake(detail: Any, parts: Sequence[type[BaseModel]], ignored: Iterable[str]) -> str:
    """One line: where, what stands there, what is allowed; a secret's value is never shown."""
    path = ".".join(map(str, _steps(detail["loc"])))
    if not path:
        return _allowed(detail, parts)
    if detail["type"] == "extra_forbidden":
        keys = sorted({*ignored, *(key for part in parts for key in part.model_fields)})
        return f"{path}: {_unknown_key(str(detail['loc'][-1]), keys)}"
    if detail["type"] == "union_tag_invalid":
        return f"{path}.type: {detail['ctx']['tag']!r}: {_one_of(detail['ctx']['expected_tags'])}"
    message = _allowed(detail, parts)
    shown = detail.get("input")
    if detail["type"] == "missing" or _is_secret(path, shown):
        return f"{path}: {message}"
    if isinstance(shown, dict | list):
        is_misplaced = detail["type"].endswith("_type")
        kind = "a map: " if isinstance(shown, dict) else "a list: "
        return f"{path}: {kind * is_misplaced}{message}"
    return f"{path}: {shown!r}: {message}"


def _unknown_key(key: str, known: Sequence[str]) -> str:
    if key in known:
        return "is a key of another part of the recipe, and none here"
    near = difflib.get_close_matches(key, known, n=1)
    return "is not a known key" + (f"; did you mean {near[0]!r}?" if near else "")


def _allowed(detail: Any, parts: Sequence[type[BaseModel]]) -> str:
    """In the words of whoever writes YAML."""
    if detail["type"] == "model_type":
        name = detail["ctx"]["class_name"]
        keys = next((", ".join(part.model_fields) for part in parts if part.__name__ == name), "")
        return f"must be a map with the keys {keys}" if keys else _IN_WORDS["dict_type"]
    if detail["type"] == "literal_error":
        return _one_of(detail["ctx"]["expected"])
    told = str(detail["msg"]).removeprefix("Value error, ")
    return _IN_WORDS.get(detail["type"], told)


def _one_of(allowed: str) -> str:
    return f"must be {allowed}" if "," not in allowed else f"must be one of {allowed}"


def _steps(place: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where it stands in the file; pydantic puts a sink's type into the place of what is in it."""
    return ("sink", *place[2:]) if place[:1] == ("sink",) else place


def _is_secret(path: str, value: object) -> bool:
    if any(word in path for word in _SECRET_PLACES):
        return True
    is_address = any(word in path for word in _ADDRESSES)
    return is_address and isinstance(value, str) and any(sign in value for sign in "@?")
