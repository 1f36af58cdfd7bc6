"""From a DataHub recipe's text to an ``IngestRecipe``, or to all its mistakes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mainstem.recipe.expansion import expand_as_datahub
from mainstem.recipe.ingestion import PARTS, IngestRecipe, Place
from mainstem.recipe.loading import called_alike, check, read_map
from mainstem.recipe.official_client import unknown_keys
from mainstem.recipe.set_aside import IGNORED, set_aside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


class LoadedIngestion(NamedTuple):
    """A recipe, and what in it means nothing here."""

    recipe: IngestRecipe
    warnings: tuple[str, ...]


def load_ingestion(path: Path, environment: Mapping[str, str]) -> LoadedIngestion:
    """The recipe in a file, variables taken from the environment by DataHub's rules."""
    # what means nothing here needs no variables either
    wanted, warnings = set_aside(read_map(path, "source"))
    expanded, unset = expand_as_datahub(_without_empty(wanted), environment)
    known = (*unset, *_called_alike(expanded), *_unknown_to_the_client(expanded))
    recipe = check(str(path), IngestRecipe, PARTS, expanded, known, ignored=IGNORED)
    return LoadedIngestion(recipe, (*warnings, *_repeated(recipe)))


def _called_alike(tree: Mapping[str, Any]) -> Iterable[str]:
    node: Any = tree
    for key in ("source", "config", "clusters"):
        node = cast("dict[str, Any]", node).get(key) if isinstance(node, dict) else None
    names = (_cluster_name, _job_instance)
    return dict.fromkeys(
        line for name in names for line in called_alike("source.config.clusters", node, name)
    )


def _unknown_to_the_client(tree: Mapping[str, Any]) -> Iterator[str]:
    sink = tree.get("sink")
    given = cast("dict[str, Any]", sink) if isinstance(sink, dict) else {}
    if given.get("type", "openlineage") == "openlineage":
        yield from unknown_keys("sink.config", given.get("config"))


def _cluster_name(place: Mapping[str, Any]) -> object:
    return place.get("cluster_name") or Place.model_fields["cluster_name"].default


def _job_instance(place: Mapping[str, Any]) -> object:
    return place.get("platform_instance") or _cluster_name(place)


def _repeated(recipe: IngestRecipe) -> Iterator[str]:
    """Entries after the first of a connector, which DataHub does not look at either."""
    names: set[str] = set()
    for number, entry in enumerate(recipe.source.config.generic_connectors):
        if entry.connector_name in names:
            place = f"source.config.generic_connectors.{number}"
            yield f"{place}: is ignored: {entry.connector_name!r} has an entry before it"
        names.add(entry.connector_name)


def _without_empty(tree: dict[str, Any]) -> dict[str, Any]:
    """DataHub takes a known key without a value for one that is not there, in its own starter."""
    known = {key for part in PARTS for key in part.model_fields}

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(each) for each in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        entries = cast("dict[Any, Any]", node).items()
        return {key: walk(value) for key, value in entries if value is not None or key not in known}

    return walk(tree)
