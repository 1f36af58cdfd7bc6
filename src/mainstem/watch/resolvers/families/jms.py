"""JMS and the brokers behind it: ActiveMQ, IBM MQ, Solace, TIBCO, WebLogic; one destination."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_URLS = ("activemq.url", "solace.host", "tibco.url", "java.naming.provider.url")
_DESTINATIONS = ("jms.destination.name", "mq.queue", "mq.topic")
# failover:(tcp://a:61616,ssl://b:61617)?randomize=false
_SEVERAL = re.compile(r"[a-z]+:(?://)?\(([^()]*)\)", re.IGNORECASE)
_IBM_SERVER = re.compile(r"([\w.-]+)\((\d+)\)")


def _destination(config: Settings) -> DatasetName:
    name = config.required(*_DESTINATIONS)
    if servers := config.first("mq.connection.name.list"):
        return on_server("ibmmq", _IBM_SERVER.sub(r"\1:\2", servers), name)
    if host := config.first("mq.hostname"):
        return on_server("ibmmq", f"{host}:{config.text('mq.port', '1414')}", name)
    return on_server("jms", _servers(config.required(*_URLS)), name)


def _servers(url: str) -> str:
    several = _SEVERAL.match(url)
    return several[1] if several else url


def _written(config: Settings, _topic: SinkTopic) -> DatasetName:
    return _destination(config)


RESOLVER = endpoint_family(
    "JMS",
    classes=(
        "io.confluent.connect.jms.JmsSourceConnector",
        "io.confluent.connect.jms.JmsSinkConnector",
        "io.confluent.connect.activemq.ActiveMQSourceConnector",
        "ActiveMQSource",
        "io.confluent.connect.jms.ActiveMqSinkConnector",
        "ActiveMQSink",
        "io.confluent.connect.ibm.mq.IbmMQSourceConnector",
        "IbmMQSource",
        "io.confluent.connect.jms.IbmMqSinkConnector",
        "IbmMqSink",
        "com.ibm.eventstreams.connect.mqsource.MQSourceConnector",
        "com.ibm.eventstreams.connect.mqsink.MQSinkConnector",
        "io.confluent.connect.solace.SolaceSourceConnector",
        "SolaceSource",
        "io.confluent.connect.jms.SolaceSinkConnector",
        "SolaceSink",
        "io.confluent.connect.tibco.TibcoSourceConnector",
        "io.confluent.connect.jms.TibcoSinkConnector",
        "io.confluent.connect.weblogic.WeblogicSourceConnector",
    ),
    reads=(*_URLS, *_DESTINATIONS, "mq.connection.name.list", "mq.hostname", "mq.port"),
    endpoint=Endpoint(
        read_from=_destination,
        written_to=_written,
        topic_keys=("kafka.topic", "topic"),
        control=(("state.topic.name", "state"), ("mq.exactly.once.state.topic", "state")),
    ),
)
