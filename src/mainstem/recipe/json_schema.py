"""The recipes' JSON Schema, for editors."""

from __future__ import annotations

from typing import Any, Literal

from mainstem.recipe.ingestion import IngestRecipe
from mainstem.recipe.model import Recipe
from mainstem.recipe.set_aside import MEANINGLESS

_MODEL_AT: dict[tuple[str, ...], str] = {
    ("source", "config"): "SourceConfig",
    ("source", "config", "stateful_ingestion"): "Stateful",
    ("sink", "config"): "DataHubServer",
}


def json_schema(verb: Literal["ingest", "watch"]) -> dict[str, Any]:
    """The schema of the recipe that a verb reads; what is ignored is called deprecated."""
    if verb == "watch":
        return _schema_of(Recipe)
    schema = _schema_of(IngestRecipe)
    for path, keys in MEANINGLESS.items():
        part = schema["$defs"][_MODEL_AT[path]] if path else schema
        for key, why in keys.items():
            told = {"deprecated": True, "description": f"Ignored: {why}."}
            if "*" in key:
                part.setdefault("patternProperties", {})[_pattern(key)] = told
            else:
                part["properties"][key] = told
    return schema


def _schema_of(model: type[IngestRecipe] | type[Recipe]) -> dict[str, Any]:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **model.model_json_schema()}


def _pattern(key: str) -> str:
    return "^" + key.replace("*", ".*") + "$"
