"""Every address in our own cases, with a password planted in it: none may come out again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.told import as_json, connector_from

CASES = Path(__file__).parent / "cases"
PASSWORD = "hunter2x"
PLANTED = (
    f"://me:{PASSWORD}@",
    f"://me:{PASSWORD}/x@",
    f"://me:a@{PASSWORD}@",
    f"://me:{PASSWORD}?x@",
)


def addresses() -> list[Any]:
    return [
        pytest.param(document, key, id=f"{path.parent.relative_to(CASES)}-{key}")
        for path in sorted(CASES.glob("*/*/connector.json"))
        for document in [json.loads(path.read_text())]
        for key, value in document["config"].items()
        if "://" in value
    ]


@pytest.mark.parametrize(("document", "key"), addresses())
def test_no_password_comes_out_of_an_address(document: dict[str, Any], key: str) -> None:
    address = document["config"][key]
    spoilt = [address.replace("://", planted) for planted in PLANTED]
    spoilt += [f"{address}?password={PASSWORD}", f"{address}&password={PASSWORD}"]
    for value in spoilt:
        changed = {**document, "config": {**document["config"], key: value}}
        told = as_json("c", resolve(connector_from(changed, "kafka://broker:9092")))
        assert PASSWORD not in json.dumps(told), value
