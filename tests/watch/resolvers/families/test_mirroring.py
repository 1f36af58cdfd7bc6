from __future__ import annotations

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import Symlink
from watch.resolvers.connectors import connector, resolved, topic

REPLICATOR = {
    "connector.class": "io.confluent.connect.replicator.ReplicatorSourceConnector",
    "src.kafka.bootstrap.servers": "a1:9092",
    "dest.kafka.bootstrap.servers": "b9:9092",
    "topic.whitelist": "orders",
}


def test_a_copy_is_also_known_in_the_cluster_that_the_worker_writes_to() -> None:
    told = resolved(resolve(connector("source", REPLICATOR)))
    copy = DatasetName("kafka://b9:9092", "orders")
    assert told.outputs == (copy,)
    assert told.symlinks[copy] == (Symlink(topic("orders"), "TOPIC"),)


def test_a_target_that_nothing_provides_is_the_worker_s_own_cluster() -> None:
    config = {**REPLICATOR, "dest.kafka.bootstrap.servers": "${file:/secrets:bootstrap}"}
    told = resolved(resolve(connector("source", config)))
    assert (told.outputs, told.symlinks) == ((topic("orders"),), {})


def test_a_source_cluster_that_nothing_provides_leaves_the_copies() -> None:
    config = {**REPLICATOR, "src.kafka.bootstrap.servers": "${file:/secrets:bootstrap}"}
    told = resolved(resolve(connector("source", config)))
    assert (told.inputs, len(told.outputs), len(told.unresolved)) == ((), 1, 1)
