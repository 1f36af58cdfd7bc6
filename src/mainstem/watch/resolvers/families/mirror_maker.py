"""MirrorMaker 2: topics of one Kafka cluster copied into another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.watch.resolvers.column_rules import MIRRORED
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.mirroring import copied, in_cluster, seen_also_as
from mainstem.watch.resolvers.model import Family, Reads, Resolution
from mainstem.watch.resolvers.name_lists import NameLists, patterns_of
from mainstem.watch.resolvers.sources import resolve_source

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Connector, ControlTopic
    from mainstem.watch.transforms.settings import Settings

NAME = "MirrorMaker 2"
_SOURCE = "source.cluster.bootstrap.servers"
_TARGET = "target.cluster.bootstrap.servers"
_NEVER_COPIED = (r".*[\-\.]internal", r".*\.replica", "__.*")
_KEEPS_NAMES = "IdentityReplicationPolicy"
_KEEPS_NAMES_TOO = "com.amazonaws.kafka.samples.CustomMM2ReplicationPolicy"


def resolve(connector: Connector) -> Resolution:
    """Each topic that the lists let through to its copy; checkpoints and heartbeats as control."""
    config = settings_of(connector)
    here = in_cluster(connector, config, _TARGET)
    simple_name = config["connector.class"].rpartition(".")[2].removesuffix("Connector")
    if simple_name == "MirrorCheckpoint":
        return Resolution(NAME, control=(_checkpoints(here, config),))
    if simple_name == "MirrorHeartbeat":
        return Resolution(NAME, control=(control_topic(here, "heartbeats", "heartbeat"),))
    lists = NameLists(
        patterns_of(config, "topics") or (".*",),
        ignore_case=False,
    )
    unwanted = NameLists(_excluded(config), ignore_case=False)
    prefix = _prefix(config)

    def excluded(name: str) -> bool:
        return unwanted.allows(name) or (bool(prefix) and _came_from_target(config, name))

    source = copied(
        lists,
        excluded=excluded,
        source_address=lambda: config.required(_SOURCE),
        prefix=prefix,
    )
    told = resolve_source(here, NAME, replace(source, control=_own_topics(here, config)))
    return seen_also_as(connector.kafka_namespace, told)


def _excluded(config: Settings) -> tuple[str, ...]:
    return patterns_of(config, "topics.exclude", "topics.blacklist") or _NEVER_COPIED


def _separator(config: Settings) -> str:
    return config.text("replication.policy.separator", ".")


def _separator_of_internal_topics(config: Settings) -> str:
    custom = config.flag("replication.policy.internal.topic.separator.enabled", default=True)
    return _separator(config) if custom else "."


def _prefix(config: Settings) -> str | None:
    """What stands before the name of a copy; None where the config does not tell."""
    policy = config.text("replication.policy.class", "DefaultReplicationPolicy")
    simple_name = policy.rpartition(".")[2]
    if simple_name == _KEEPS_NAMES or policy == _KEEPS_NAMES_TOO:
        return ""
    if simple_name != "DefaultReplicationPolicy":
        return None
    alias = config.first("source.cluster.alias")
    return None if alias is None else alias + _separator(config)


# apache/kafka: isCycle of MirrorSourceConnector.java
def _came_from_target(config: Settings, name: str) -> bool:
    """Whether the topic is a copy, or a copy's copy, of one on the cluster that is written to."""
    *clusters, _ = name.split(_separator(config))
    return config.text("target.cluster.alias", "target") in clusters


def _own_topics(connector: Connector, config: Settings) -> tuple[ControlTopic, ...]:
    separator = _separator(config)
    alias = config.text("source.cluster.alias", "source")
    heartbeats = control_topic(connector, f"{alias}{separator}heartbeats", "heartbeat")
    if not config.flag("emit.offset-syncs.enabled", default=True):
        return (heartbeats,)
    on_target = config.text("offset-syncs.topic.location", "source") == "target"
    other = alias if on_target else config.text("target.cluster.alias", "target")
    syncs = _separator_of_internal_topics(config).join(("mm2-offset-syncs", other, "internal"))
    if on_target:
        return heartbeats, control_topic(connector, syncs, "offset-sync")
    try:
        servers = config.required(_SOURCE)
        there = replace(connector, kafka_namespace=kafka.cluster_namespace(servers))
    except CannotTell:
        return (heartbeats,)
    return heartbeats, control_topic(there, syncs, "offset-sync")


def _checkpoints(connector: Connector, config: Settings) -> ControlTopic:
    alias = config.required("source.cluster.alias")
    name = _separator_of_internal_topics(config).join((alias, "checkpoints", "internal"))
    return control_topic(connector, name, "checkpoint")


RESOLVER = Family(
    name=NAME,
    classes=(
        "org.apache.kafka.connect.mirror.MirrorSourceConnector",
        "org.apache.kafka.connect.mirror.MirrorCheckpointConnector",
        "org.apache.kafka.connect.mirror.MirrorHeartbeatConnector",
    ),
    reads=Reads(
        names=(
            _SOURCE,
            _TARGET,
            "source.cluster.alias",
            "target.cluster.alias",
            "topics.exclude",
            "topics.blacklist",
            "replication.policy.class",
            "replication.policy.separator",
            "replication.policy.internal.topic.separator.enabled",
            "emit.offset-syncs.enabled",
            "offset-syncs.topic.location",
        )
    ),
    resolve=resolve,
    columns=MIRRORED,
)
