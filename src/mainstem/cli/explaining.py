"""A resolution in words: what ``mainstem explain`` prints for people."""

from __future__ import annotations

from collections.abc import Iterator

from mainstem.cli.explaining_columns import column_map
from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers import direction_of
from mainstem.watch.resolvers.model import Connector, Resolution, Unresolved
from mainstem.watch.resolvers.routes import routes
from mainstem.watch.transforms.chain import Route
from mainstem.watch.transforms.model import Unpredictable


def explanation(
    connector: Connector, answer: Resolution | Unresolved, *, columns: bool
) -> Iterator[str]:
    """The lines about one connector, an empty one last."""
    direction = direction_of(connector, connector.config.get("connector.class", ""))
    yield f"{connector.name or '(no name)'}  [{answer.family}, {direction.value}]"
    if isinstance(answer, Unresolved):
        yield f"  unresolved  {answer.reason}"
    else:
        yield from _lineage(answer)
        for route in routes(connector, answer):
            yield f"  chain       {_route(route)}"
        if columns:
            yield from column_map(answer)
        yield from (f"  unresolved  {reason}" for reason in answer.unresolved)
    yield from (f"  note        {note}" for note in answer.notes)
    yield ""


def _lineage(answer: Resolution) -> Iterator[str]:
    yield from (f"  input       {_name(dataset)}" for dataset in answer.inputs)
    yield from (f"  output      {_name(dataset)}" for dataset in answer.outputs)
    for edge in answer.edges:
        yield f"  edge        {edge.input.name} → {edge.output.name}  ({edge.evidence.value})"
    for control in answer.control:
        yield f"  control     {_name(control.dataset)}  ({control.kind})"


def _route(route: Route) -> str:
    steps = [route.start]
    for alias, after in route.after_steps:
        name = f"? ({after.reason})" if isinstance(after, Unpredictable) else after
        steps.append(f"—{alias}→ {name}")
    return " ".join(steps)


def _name(dataset: DatasetName) -> str:
    return f"{dataset.namespace}  {dataset.name}"
