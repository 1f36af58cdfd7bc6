"""What connectors and datasets are called in DataHub: the same URNs as its own source makes.

The SDK's own builders load its whole model first, which takes longer than a hundred connectors;
they are asked in the tests.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.names.platforms import platform_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mainstem.names.dataset import DatasetName

PLATFORM = "kafka-connect"

_PLACE_IN_NAME = frozenset({"abs", "file", "gcs", "http", "https", "s3"})
"""Platforms where the bucket, the container or the server stands before the path."""


class Naming(Struct, frozen=True):
    """What a recipe says of names."""

    env: str = "PROD"
    """One of DataHub's."""

    platform_instance: str | None = None
    platform_instance_map: Mapping[str, str] = field(default_factory=dict[str, str])
    connect_to_platform_map: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, "Mapping[str, str]"]
    )
    lower_case: bool = False

    def flow_urn(self, connector: str) -> str:
        """The connector's."""
        name = _below(self.platform_instance, connector)
        return f"urn:li:dataFlow:({PLATFORM},{_encoded(name)},{self.env})"

    def job_urn(self, connector: str, job_id: str) -> str:
        """That of one of a connector's jobs."""
        return f"urn:li:dataJob:({self.flow_urn(connector)},{_encoded(job_id)})"

    def dataset_urn(self, connector: str, dataset: DatasetName) -> str:
        """That of a dataset which a connector reads or writes."""
        platform = platform_of(dataset.namespace)
        name = name_in_datahub(dataset)
        below = _below(
            self.instance_of(connector, platform), name.lower() if self.lower_case else name
        )
        place = f"urn:li:dataPlatform:{_encoded(platform)}"
        return f"urn:li:dataset:({place},{_encoded(below)},{self.env})"

    def instance_of(self, connector: str, platform: str) -> str | None:
        """The instance of a platform that a connector works on."""
        own = self.own_instance_of(connector, platform)
        return own or self.platform_instance_map.get(platform)

    def own_instance_of(self, connector: str, platform: str) -> str | None:
        """The same, where it is said of this connector alone."""
        return self.connect_to_platform_map.get(connector, {}).get(platform)


def field_urn(dataset_urn: str, field_path: str) -> str:
    """That of a dataset's column."""
    return f"urn:li:schemaField:({dataset_urn},{_encoded(field_path)})"


def _below(instance: str | None, name: str) -> str:
    return f"{instance}.{name}" if instance else name


@lru_cache(maxsize=4096)
def _encoded(text: str) -> str:
    return _encoder()(text)


@cache
def _encoder() -> Callable[[str], str]:
    from datahub.utilities.urn_encoder import UrnEncoder  # noqa: PLC0415 - an extra

    return UrnEncoder.encode_string


def name_in_datahub(dataset: DatasetName) -> str:
    """A dataset's name below its platform.

    >>> from mainstem.names.dataset import DatasetName
    >>> name_in_datahub(DatasetName("s3://lake", "raw/orders"))
    'lake/raw/orders'
    >>> name_in_datahub(DatasetName("wasbs://raw@acme.blob.core.windows.net", "topics/orders"))
    'raw/topics/orders'
    """
    platform = platform_of(dataset.namespace)
    place = dataset.namespace.partition("://")[2]
    if place and platform in _PLACE_IN_NAME:
        # of a container's account DataHub knows nothing
        where = place.partition("@")[0] if platform == "abs" else place
        return f"{where}/{dataset.name.lstrip('/')}".rstrip("/")
    if platform == "glue":
        return dataset.name.removeprefix("table/").replace("/", ".")
    return dataset.name
