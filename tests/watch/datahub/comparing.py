"""Two lists of proposals side by side, connector by connector."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).with_name("comparison.json")

_FILE = "the config names the file; DataHub's source does not know FileStream"
_SCHEMA = "the topic is named by the table without its schema; DataHub's source finds no table"
_QUERY = "the query names its table; DataHub's source reads no queries"
_ROUTED = "a RegexRouter renames the topic; DataHub's source does not find the table behind it"
_EARLIER = "Connect remembers topics of an earlier config; DataHub's source takes them for today's"

REASONS = {
    "file-in": ("mainstem", _FILE),
    "file-out": ("mainstem", _FILE),
    "jdbc-pg": ("mainstem", _SCHEMA),
    "jdbc-query": ("mainstem", _QUERY),
    "jdbc-renamed": ("mainstem", _EARLIER),
    "jdbc-routed": ("mainstem", _ROUTED),
    "jdbc-shrunk": ("mainstem", _EARLIER),
}
"""By the name that a connector was made from: which of the two is right, and why."""

Told = dict[str, dict[str, Any]]


def told_by(proposals: Iterable[dict[str, Any]]) -> dict[str, Told]:
    """By connector, its flow and its jobs: URN, what it is called, what it reads and writes."""
    told: dict[str, Told] = {}
    for each in proposals:
        entity, aspect = each["entityUrn"], each["aspect"]["json"]
        entry = told.setdefault(_connector(entity), {}).setdefault(entity, {})
        match each["aspectName"]:
            case "dataFlowInfo":
                entry |= {"name": aspect["name"], "description": aspect["description"]}
            case "dataJobInfo":
                entry |= {"name": aspect["name"]}
            case "dataJobInputOutput":
                entry |= {key: aspect[key] for key in ("inputDatasets", "outputDatasets")}
            case "status":
                entry |= {"removed": aspect["removed"]}
            case other:
                entry[other] = aspect
    return told


def compared(version: str, datahub: dict[str, Told], ours: dict[str, Told]) -> dict[str, Any]:
    """What both say, and where they differ which of them is right."""
    connectors = sorted(datahub.keys() | ours.keys())
    different = [each for each in connectors if datahub.get(each) != ours.get(each)]
    return {
        "datahub": version,
        "same": {each: ours[each] for each in connectors if each not in different},
        "different": {each: _difference(each, datahub, ours) for each in different},
    }


def text_of(comparison: dict[str, Any]) -> str:
    """As it is kept."""
    return json.dumps(comparison, indent=1, sort_keys=True) + "\n"


def _difference(connector: str, datahub: dict[str, Told], ours: dict[str, Told]) -> dict[str, Any]:
    right, why = REASONS[connector.rpartition("-")[0]]
    told = {"datahub": datahub.get(connector), "mainstem": ours.get(connector)}
    return {"right": right, "why": why, **told}


def _connector(urn: str) -> str:
    found = re.search(r"dataFlow:\(kafka-connect,([^,]+),", urn)
    assert found, urn
    return found[1]
