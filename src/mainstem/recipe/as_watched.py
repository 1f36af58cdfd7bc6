"""What an ingestion recipe means for the watcher: the same clusters in the watcher's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mainstem.names.jobs import connect_namespace
from mainstem.names.platforms import namespace_of_platform
from mainstem.recipe.model import (
    EVERY_NAME,
    Cluster,
    ConnectCluster,
    DatasetRef,
    Declared,
    Patterns,
    Recipe,
    SchemaRegistry,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.recipe.ingestion import (
        ConnectorPatterns,
        GenericConnector,
        IngestRecipe,
        Place,
        SourceConfig,
    )

ENOUGH_QUESTIONS = 100_000
"""There is no later look that could ask a registry for the rest."""


def as_watched(recipe: IngestRecipe) -> Recipe:
    """The recipe that one look of the watcher follows."""
    config = recipe.source.config
    return Recipe(
        clusters=tuple(_cluster(recipe, place) for place in config.places), journal=recipe.journal
    )


def _cluster(recipe: IngestRecipe, place: Place) -> Cluster:
    config = recipe.source.config
    return Cluster(
        name=place.cluster_name,
        urls=(place.connect_uri,),
        **_as_said(place),
        connectors=_whole_names(config.connector_patterns),
        # in DataHub's own words, its URNs and jobs take these up
        **({} if recipe.sink.type.startswith("datahub-") else _in_openlineage(config)),
        use_connect_topics_api=config.use_connect_topics_api,
        interval=recipe.heartbeat,
        heartbeat=recipe.heartbeat,
        provided_configs={
            f"${{{each.provider}:{each.path_key}}}": each.value for each in config.provided_configs
        },
        declared=_declared(config.generic_connectors),
    )


def _as_said(place: Place) -> dict[str, Any]:
    instance = place.platform_instance
    namespace = place.job_namespace or (connect_namespace(instance) if instance else None)
    said = {key: getattr(place, key) for key in ConnectCluster.model_fields}
    registry = _patient(place.schema_registry)
    return {**said, "job_namespace": namespace, "schema_registry": registry}


def _in_openlineage(config: SourceConfig) -> dict[str, Any]:
    return {
        "granularity": "dataset",
        "platform_instance_map": config.platform_instance_map,
        "connect_to_platform_map": config.connect_to_platform_map,
        "convert_lineage_urns_to_lowercase": config.convert_lineage_urns_to_lowercase,
    }


def _patient(registry: SchemaRegistry | None) -> SchemaRegistry | None:
    return registry and registry.model_copy(update={"questions_per_look": ENOUGH_QUESTIONS})


def _whole_names(patterns: ConnectorPatterns) -> Patterns:
    """DataHub's patterns match the beginning of a name, the watcher's the whole of it."""
    if patterns.allow == EVERY_NAME and not patterns.deny:
        return Patterns()
    flags = "i" if patterns.ignoreCase else ""

    def whole(pattern: str) -> str:
        return f"(?{flags}:{pattern})(?s:.*)"

    return Patterns(allow=tuple(map(whole, patterns.allow)), deny=tuple(map(whole, patterns.deny)))


def _declared(generic: Iterable[GenericConnector]) -> dict[str, Declared]:
    by_connector: dict[str, Declared] = {}
    for each in generic:
        by_connector.setdefault(each.connector_name, _word(each))
    return by_connector


def _word(generic: GenericConnector) -> Declared:
    """An entry with a target is about a sink; its source is the topic, unless the sink tells."""
    target = _reference(generic.target_platform, generic.target_dataset)
    if target:
        topics = (generic.source_dataset,) if generic.source_dataset else ()
        return Declared(targets=(target,), topics=topics)
    source = _reference(generic.source_platform, generic.source_dataset)
    return Declared(sources=(source,) if source else ())


def _reference(platform: str | None, dataset: str | None) -> DatasetRef | None:
    if platform is None or dataset is None:
        return None
    return DatasetRef(namespace=namespace_of_platform(platform), name=dataset)
