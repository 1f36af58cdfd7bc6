"""Keys that DataHub knows and that mean nothing here: taken out, and told."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, cast

MEANINGLESS: dict[tuple[str, ...], dict[str, str]] = {
    (): {
        "datahub_api": "only a sink is talked to",
        "failure_log": "the report lists failures",
        "flags": "none of DataHub's flags changes anything here",
        "pipeline_name": "the state belongs to the recipe's file, or to its key journal",
        "reporting": "the report is printed; --report-to writes it",
        "run_id": "run ids are derived",
        "transformers": "what is told is told as it was found",
    },
    ("source", "config"): {
        "confluent_catalog": "only Connect is asked",
        "confluent_cloud_*": "only Connect is asked; give connect_uri",
        "kafka_api_*": "only Connect is asked for topics",
        "kafka_rest_endpoint": "only Connect is asked for topics",
        "schema_resolver_*": "columns come from schema_registry",
        "use_schema_resolver*": "columns come from schema_registry",
    },
    ("source", "config", "stateful_ingestion"): {
        "fail_safe_threshold": "only what this recipe told before is ever taken back",
        "ignore_new_state": "the state is the recipe's journal",
        "ignore_old_state": "the state is the recipe's journal",
        "max_checkpoint_state_size": "the state is the recipe's journal",
        "state_provider": "the state is the recipe's journal",
    },
    ("sink", "config"): {
        "default_trace_mode": "requests are not traced",
        "max_pending_requests": "one request at a time, in order",
        "max_per_batch": "one request at a time, in order",
        "max_threads": "one request at a time, in order",
        "mode": "one request at a time, in order",
        "retry_max_times": "what is not taken is tried again until it is",
        "retry_status_codes": "what is not taken is tried again until it is",
    },
}
"""By the map they stand in: a key or a pattern of keys, and why it means nothing."""


IGNORED = tuple(key for keys in MEANINGLESS.values() for key in keys if "*" not in key)


def set_aside(tree: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The tree without those keys, and a line for each that was in it."""
    told: list[str] = []

    def walk(node: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for key, value in node.items():
            why = _why_meaningless(path, str(key), tree)
            if why is not None:
                told.append(f"{'.'.join((*path, str(key)))}: is ignored: {why}")
            elif isinstance(value, dict):
                kept[key] = walk(cast("dict[str, Any]", value), (*path, str(key)))
            else:
                kept[key] = value
        return kept

    return walk(tree, ()), told


def _why_meaningless(path: tuple[str, ...], key: str, tree: dict[str, Any]) -> str | None:
    if path == ("sink", "config") and tree["sink"].get("type") != "datahub-rest":
        return None
    known = MEANINGLESS.get(path, {})
    return next((why for pattern, why in known.items() if fnmatchcase(key, pattern)), None)
