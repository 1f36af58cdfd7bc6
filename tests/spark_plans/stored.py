"""Golden plans on disk: addresses of the machine they were captured on are written the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from mainstem.spark.captured import CapturedPlan, from_json, to_json

if TYPE_CHECKING:
    from spark_plans.session import Bench

PLANS = Path(__file__).resolve().parent.parent / "spark" / "plans"
AGENTS_PLANS = PLANS.with_name("agent_plans")
ROOT = "/data"
BROKER = "broker:9092"
DATABASE = "database:5432"
_NOISE = (
    "analyzedQuery",
    "explicitMetadata",
    "jvmId",
    "metadata",
    "nonInheritableMetadataKeys",
    "qualifier",
)
"""What differs from run to run, or fills half of every file, and means nothing for lineage."""


def store(
    name: str,
    bench: Bench,
    write: CapturedPlan,
    stream: CapturedPlan | None = None,
    folder: Path = PLANS,
) -> None:
    """Keep what was captured of one query; of a write inside foreachBatch its stream's plan too."""
    text = f'{{"write": {_readable(write)},\n"stream": {_readable(stream)}}}'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(anonymous(text, bench) + "\n")


def load(name: str, folder: Path = PLANS) -> tuple[CapturedPlan, CapturedPlan | None]:
    """The write, and the stream around it."""
    data = orjson.loads((folder / f"{name}.json").read_bytes())
    stream = data["stream"]
    return _captured(data["write"]), _captured(stream) if stream else None


def anonymous(text: str, bench: Bench) -> str:
    """The text without the addresses of the bench that it came from."""
    address = bench.jdbc_url.split("/")[2]
    for found, told in (
        (str(bench.root), ROOT),
        (bench.bootstrap, BROKER),
        (address, DATABASE),
    ):
        text = text.replace(found, told)
    return text


def _readable(captured: CapturedPlan | None) -> str:
    if captured is None:
        return "null"
    data = to_json(captured)
    nodes = (orjson.dumps(_without_noise(node)).decode() for node in orjson.loads(data.pop("plan")))
    rest = (f'"{key}": {orjson.dumps(value).decode()}' for key, value in data.items())
    listed = ",\n".join(nodes)
    return f'{{"plan": [\n{listed}\n],\n' + ",\n".join(rest) + "}"


def _without_noise(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_noise(each) for each in value]
    if isinstance(value, dict):
        return {key: _without_noise(each) for key, each in value.items() if key not in _NOISE}
    return value


def _captured(data: dict[str, Any]) -> CapturedPlan:
    return from_json({**data, "plan": orjson.dumps(data["plan"]).decode()})
