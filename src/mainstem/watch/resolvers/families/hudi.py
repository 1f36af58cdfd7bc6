"""The Hudi sink: every topic into the one table at ``hoodie.base.path``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.lake import at_location
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _table(config: Settings, _topic: SinkTopic) -> DatasetName:
    return at_location(config.required("hoodie.base.path", "target.base.path"))


RESOLVER = endpoint_family(
    "Hudi",
    classes=(
        "org.apache.hudi.connect.HoodieSinkConnector",
        "org.apache.hudi.connect.HudiSinkConnector",
    ),
    reads=("hoodie.base.path", "target.base.path"),
    endpoint=Endpoint(written_to=_table, control=(("hoodie.kafka.control.topic", "hudi-control"),)),
    # apache/hudi: AbstractConnectWriter.java
    columns=SAME_NAMES,
)
