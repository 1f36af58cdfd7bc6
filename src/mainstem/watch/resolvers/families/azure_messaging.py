"""Azure Event Hubs and Service Bus, as Confluent's sources read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.messaging import event_hub, service_bus
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.settings import Settings


def _read_from(config: Settings) -> DatasetName:
    if hub := config.first("azure.eventhubs.hub.name"):
        return event_hub(config.required("azure.eventhubs.namespace"), hub)
    return service_bus(
        config.required("azure.servicebus.namespace"),
        config.required("azure.servicebus.entity.name"),
        config.first("azure.servicebus.subscription"),
    )


RESOLVER = endpoint_family(
    "Azure messaging",
    classes=(
        "io.confluent.connect.azure.eventhubs.EventHubsSourceConnector",
        "AzureEventHubsSource",
        "io.confluent.connect.azure.servicebus.ServiceBusSourceConnector",
        "AzureServiceBusSource",
    ),
    reads=(
        "azure.eventhubs.hub.name",
        "azure.eventhubs.namespace",
        "azure.servicebus.entity.name",
        "azure.servicebus.namespace",
        "azure.servicebus.subscription",
    ),
    endpoint=Endpoint(read_from=_read_from),
)
