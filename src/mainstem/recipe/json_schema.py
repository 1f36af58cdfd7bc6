"""The recipes' JSON Schema, for editors."""

from __future__ import annotations

from typing import Any, Literal, get_args

from mainstem.recipe.ingestion import Environment, IngestRecipe
from mainstem.recipe.model import Recipe
from mainstem.recipe.set_aside import MEANINGLESS

_ANNOTATIONS = ("title", "description", "default")
_SCALAR_AS_TEXT = {
    "type": "string",
    "pattern": r"\$|^[0-9.]+$|^(?:[Tt]rue|[Ff]alse|[Yy]es|[Nn]o|[Oo]n|[Oo]ff)$",
}

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
    for part in (schema, *schema["$defs"].values()):
        needed = part.get("required", ())
        known: dict[str, Any] = part.get("properties", {})
        for key, value in known.items():
            known[key] = _as_written(value, is_needed=key in needed)
    known_at_source = schema["$defs"]["SourceConfig"]["properties"]
    known_at_source["env"]["anyOf"].append({"type": "string", "pattern": _in_any_case(Environment)})
    return schema


def _as_written(value: dict[str, Any], *, is_needed: bool) -> dict[str, Any]:
    """What may stand in the file: a key without a value, and a variable where no text is meant."""
    if "const" in value or "deprecated" in value:
        return value
    told = {key: value[key] for key in _ANNOTATIONS if key in value}
    meant = {key: each for key, each in value.items() if key not in _ANNOTATIONS}
    is_scalar = "enum" in value or value.get("type") in ("boolean", "integer", "number")
    ways = [meant] + [{"type": "null"}] * (not is_needed) + [_SCALAR_AS_TEXT] * is_scalar
    return {**told, "anyOf": ways}


def _in_any_case(words: Any) -> str:
    letters = ("".join(f"[{c.upper()}{c.lower()}]" for c in word) for word in get_args(words))
    return f"^(?:{'|'.join(letters)})$"


def _schema_of(model: type[IngestRecipe] | type[Recipe]) -> dict[str, Any]:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **model.model_json_schema()}


def _pattern(key: str) -> str:
    return "^" + key.replace("*", ".*") + "$"
