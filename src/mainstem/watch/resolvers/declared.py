"""The user's word: the recipe's declarations, and the lineage keys in a connector's own config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Edge, Evidence, Symlink
from mainstem.watch.resolvers.sinks import NO_TARGET
from mainstem.watch.transforms import openlineage_lifecycle
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.resolvers.model import ColumnEdge, Connector, Resolution
    from mainstem.watch.transforms.settings import Settings


def with_recipe(connector: Connector, resolution: Resolution) -> Resolution:
    """The resolution with what the recipe declares; a declared edge outranks a derived one."""
    declared = connector.declared
    if not declared.says_something:
        return resolution
    if declared.targets and connector.direction is Direction.SINK:
        resolution = _to_targets(_with_topics(connector, resolution), declared.targets)
    said = [Edge(one, other, Evidence.DECLARED) for one, other in declared.edges]
    said += [
        replace(edge, evidence=Evidence.DECLARED)
        for edge in resolution.edges
        if edge.input in declared.sources or edge.output in declared.targets
    ]
    said_pairs = {(edge.input, edge.output) for edge in said}
    derived = [edge for edge in resolution.edges if (edge.input, edge.output) not in said_pairs]
    return replace(
        resolution,
        inputs=_union(resolution.inputs, declared.inputs, (edge.input for edge in said)),
        outputs=_union(resolution.outputs, declared.outputs, (edge.output for edge in said)),
        edges=(*derived, *said),
    )


def _with_topics(connector: Connector, resolution: Resolution) -> Resolution:
    """A sink's lineage with the topics that the user names, where no other are known."""
    topics = connector.declared.topics
    if resolution.inputs or not topics:
        return resolution
    return replace(
        resolution,
        inputs=tuple(kafka.topic(connector.kafka_namespace, topic) for topic in topics),
        unresolved=(),
        notes=(*resolution.notes, *resolution.unresolved),
    )


def _to_targets(resolution: Resolution, targets: tuple[DatasetName, ...]) -> Resolution:
    """A sink's lineage to where the user says it goes, whatever its config says."""
    return replace(
        resolution,
        outputs=targets,
        edges=tuple(
            Edge(topic, target, Evidence.DECLARED)
            for topic in resolution.inputs
            for target in targets
        ),
        unresolved=tuple(why for why in resolution.unresolved if not why.startswith(NO_TARGET)),
        columns=tuple(column for column in resolution.columns if column.output in targets),
        symlinks={
            dataset: links
            for dataset, links in resolution.symlinks.items()
            if dataset in (*resolution.inputs, *targets)
        },
    )


def with_lifecycle_smt(connector: Connector, resolution: Resolution) -> Resolution:
    """The resolution with outputs renamed as the OpenLineageLifecycleSmt in the chain says.

    The name derived from config stays as a symlink: it is the same thing under another name.
    """
    options = _lifecycle_options(settings_of(connector))
    if options is None:
        return resolution
    try:
        named = replace(resolution, job_name=options.first("connector.name"))
        namespace = options.first("dataset.namespace")
        if connector.direction is not Direction.SINK or namespace is None:
            return named
        renames = _declared_outputs(options, namespace, settings_of(connector).names("topics"))
    except CannotTell as unknown:
        return replace(resolution, unresolved=(*resolution.unresolved, unknown.reason))
    return _renamed(named, renames)


def _lifecycle_options(config: Settings) -> Settings | None:
    for step in chain_of(config).steps:
        if step.transform is openlineage_lifecycle.TRANSFORM:
            return step.options.settings
    return None


def _declared_outputs(
    options: Settings, namespace: str, connector_topics: tuple[str, ...]
) -> dict[str, DatasetName]:
    topics = options.names("topics") or connector_topics
    names = options.names("dataset.names") or topics
    pairs = zip(topics, names, strict=False)
    return {topic: DatasetName(namespace.rstrip("/"), name) for topic, name in pairs}


def _renamed(resolution: Resolution, renames: dict[str, DatasetName]) -> Resolution:
    edges: list[Edge] = []
    symlinks = dict(resolution.symlinks)
    declared = {
        dataset: renames[dataset.name] for dataset in resolution.inputs if dataset.name in renames
    }
    for edge in resolution.edges:
        output = declared.get(edge.input)
        if output is None:
            edges.append(edge)
            continue
        edges.append(Edge(edge.input, output, Evidence.DECLARED))
        others = [Symlink(edge.output), *symlinks.get(edge.output, ())]
        known = [link for link in others if link.dataset != output]
        symlinks[output] = tuple(dict.fromkeys([*symlinks.get(output, ()), *known]))
    reached = {edge.input for edge in edges}
    for dataset, output in declared.items():
        if dataset not in reached:
            edges.append(Edge(dataset, output, Evidence.DECLARED))
    replaced = {edge.output for edge in resolution.edges} - {edge.output for edge in edges}
    outputs = [output for output in resolution.outputs if output not in replaced]
    return replace(
        resolution,
        columns=tuple(_renamed_column(column, declared) for column in resolution.columns),
        edges=tuple(dict.fromkeys(edges)),
        outputs=_union(outputs, (edge.output for edge in edges)),
        symlinks={output: links for output, links in symlinks.items() if output not in replaced},
    )


def _renamed_column(column: ColumnEdge, declared: dict[DatasetName, DatasetName]) -> ColumnEdge:
    outputs = {declared.get(source.dataset, column.output) for source in column.sources}
    return replace(column, output=outputs.pop()) if len(outputs) == 1 else column


def _union(*several: Iterable[DatasetName]) -> tuple[DatasetName, ...]:
    return tuple(dict.fromkeys(dataset for each in several for dataset in each))
