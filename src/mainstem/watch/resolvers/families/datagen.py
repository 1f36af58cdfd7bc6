"""Generators: topics that the connector fills with data of its own making."""

from __future__ import annotations

from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

RESOLVER = endpoint_family(
    "generators",
    classes=(
        "io.confluent.kafka.connect.datagen.DatagenConnector",
        "DatagenSource",
        "com.github.jcustenborder.kafka.connect.simulator.SimulatorSourceConnector",
        "org.apache.kafka.connect.tools.VerifiableSourceConnector",
    ),
    reads=(),
    endpoint=Endpoint(topic_keys=("kafka.topic", "topic")),
)
