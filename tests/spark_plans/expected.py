"""The lineage that queries mean, as people wrote it down in tests/spark/lineage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from mainstem.spark.lineage import DatasetKey, QueryLineage, Source

LINEAGE = Path(__file__).resolve().parent.parent / "spark" / "lineage"
_DIRECT = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
_BROKER = "kafka://broker:9092"
DATASETS = {
    **{
        name: DatasetKey("file", f"/data/wh/db/{name}")
        for name in ("orders", "customers", "totals", "totals_mor")
    },
    "events_table": DatasetKey("file", "/data/wh/db/events"),
    "people_json": DatasetKey("file", "/data/in/people.json"),
    "parts": DatasetKey("file", "/data/in/parts"),
    "words": DatasetKey("file", "/data/spark-warehouse/shop.db/words"),
    "delta_orders": DatasetKey("file", "/data/delta/orders"),
    "arrivals": DatasetKey("file", "/data/stream/arrivals"),
    "people": DatasetKey("postgres://database:5432", "shop.public.people"),
    "events": DatasetKey(_BROKER, "events"),
    "payments": DatasetKey(_BROKER, "payments"),
    "avro": DatasetKey(_BROKER, "avro"),
    "orders_topic": DatasetKey(_BROKER, "orders"),
}


def expectations() -> Mapping[str, Mapping[str, Any]]:
    """Every query's lineage as plain data, by the query's name."""
    files = sorted(LINEAGE.glob("*.yaml"))
    every = {}
    for file in files:
        for name, said in yaml.safe_load(file.read_text()).items():
            files_at = {"output": f"file /data/out/{name}", "mode": "overwrite"}
            every[name] = {**(files_at if file.stem == "batch" else {}), **said}
    return every


def expected(said: Mapping[str, Any]) -> dict[str, Any]:
    """What a person wrote, in the shape that ``told`` gives."""
    output = _dataset(said["output"]) if said["output"] else None
    link = said.get("symlink")
    return {
        "inputs": sorted(DATASETS[name] for name in said["inputs"]),
        "outputs": [output] if output else [],
        "mode": said.get("mode"),
        "columns": {
            name: _sources(sources) for name, sources in said.get("columns", {}).items() if output
        },
        "rows": _sources(said.get("rows")),
        "opaque": said.get("opaque", []),
        **({"symlinks": [(*link.split(" "), "TABLE")]} if link else {}),
    }


def told(lineage: QueryLineage, *, symlinks: bool = False) -> dict[str, Any]:
    """What was computed, in the same shape."""
    key = lineage.outputs[0].key if lineage.outputs else None
    columns = lineage.columns[key] if key else {}
    answer: dict[str, Any] = {
        "inputs": sorted(each.key for each in lineage.inputs),
        "outputs": [each.key for each in lineage.outputs],
        "mode": lineage.mode,
        "columns": {name: list(sources) for name, sources in columns.items()},
        "rows": list(lineage.indirect[key]) if key else [],
        "opaque": list(lineage.opaque),
    }
    if symlinks:
        answer["symlinks"] = [link for each in lineage.outputs for link in each.symlinks]
    return answer


def _dataset(text: str) -> DatasetKey:
    return DATASETS[text] if text in DATASETS else DatasetKey(*text.split(" ", 1))


def _sources(text: str | None) -> list[Source]:
    return sorted(map(_source, text.split(", "))) if text else []


def _source(text: str) -> Source:
    column, subtype, *masked = text.split(" ")
    dataset, _, path = column.partition(".")
    kind = "DIRECT" if subtype in _DIRECT else "INDIRECT"
    return Source(DATASETS[dataset], path, kind, subtype, masked == ["masked"])  # type: ignore[arg-type]
