"""The recipe's shape: what a user may write, with defaults and limits."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from mainstem.errors import CannotTell
from mainstem.names.jobs import connect_namespace
from mainstem.names.kafka import cluster_namespace
from mainstem.recipe.address import parse_address
from mainstem.recipe.duration import parse_duration
from mainstem.recipe.size import parse_size

# pydantic reads this when the first model is made: looking through every package that is installed
# takes longer than a recipe
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

_NUMBER_WITH_UNIT = WithJsonSchema({"type": ["number", "string"]})

Duration = Annotated[timedelta, BeforeValidator(parse_duration), _NUMBER_WITH_UNIT]
"""Seconds as a number, or a number with its unit: ``10``, ``"500ms"``, ``"5m"``, ``"1h"``."""


Size = Annotated[int, BeforeValidator(parse_size), _NUMBER_WITH_UNIT]
"""Bytes as a number, or a number with its unit: ``500MB``, ``2GiB``."""


Address = Annotated[tuple[str, int], BeforeValidator(parse_address), _NUMBER_WITH_UNIT]
"""``HOST:PORT``, or a port of this machine alone."""


class Part(BaseModel):
    """A piece of the recipe: frozen, and a key it does not know is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def compilable(pattern: str) -> str:
    """The pattern, which is a regular expression."""
    import regex  # noqa: PLC0415  only recipes with patterns pay for it

    try:
        regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"is not a regular expression: {error}") from error
    return pattern


Pattern = Annotated[str, AfterValidator(compilable)]


EVERY_NAME = (".*",)
"""Connect lets no line break into a connector's name."""


class Patterns(Part):
    """Which connectors are watched: regular expressions that match the whole name."""

    allow: tuple[Pattern, ...] = EVERY_NAME
    deny: tuple[Pattern, ...] = ()


CLIENT_KEYS_OF_OURS = (
    "bootstrap.servers", "metadata.broker.list", "group.id", "group.instance.id",
    "enable.auto.commit", "enable.auto.offset.store", "enable.partition.eof", "auto.offset.reset",
    "allow.auto.create.topics",
)  # fmt: skip
"""Settings of a Kafka client that decide whether others notice that it reads."""


def client_value(value: object) -> str:
    """A setting of a Kafka client as librdkafka takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def names_brokers(servers: str) -> str:
    """The servers, each of them ``HOST:PORT``."""
    try:
        cluster_namespace(servers)
    except CannotTell as error:
        raise ValueError("must be HOST:PORT, or several with commas between them") from error
    return servers


class Kafka(Part):
    """The Kafka that a Connect cluster works on; its REST does not tell."""

    bootstrap: Annotated[str, Field(min_length=1), AfterValidator(names_brokers)]
    client: dict[str, Annotated[SecretStr, BeforeValidator(client_value)]] | None = None
    """librdkafka's settings; that they are there lets us read the last records of topics."""

    refresh: Duration = timedelta(minutes=1)
    """Between two readings of one topic."""

    @field_validator("client")
    @classmethod
    def _leaves_no_trace(cls, client: dict[str, SecretStr] | None) -> dict[str, SecretStr] | None:
        ours = [key for key in client or () if key in CLIENT_KEYS_OF_OURS]
        if ours:
            raise ValueError(
                f"{ours[0]} cannot be set: topics are read at the address in bootstrap, without "
                "a group and without committing anything"
            )
        return client

    @field_validator("refresh")
    @classmethod
    def _not_too_often(cls, period: timedelta) -> timedelta:
        return at_least_a_second(period)


def at_least_a_second(period: timedelta) -> timedelta:
    """The period, unless it is shorter."""
    if period < timedelta(seconds=1):
        raise ValueError("must be at least 1 s")
    return period


def http_only(url: str) -> str:
    """The URL, which is HTTP and without a user in it."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be http://HOST:PORT or https://HOST:PORT")
    if parts.username or parts.password:
        raise ValueError(
            "holds a user name; in a recipe, use the keys username and password instead"
        )
    return url


HttpUrl = Annotated[str, AfterValidator(http_only)]


class Entry(Part):
    """What opens the door of a service; without any of it, a door that is open."""

    username: str | None = None
    password: SecretStr | None = None
    bearer: SecretStr | None = None
    ca_file: Path | None = None
    client_certificate: Path | None = None
    client_key: Path | None = None
    verify: bool = True

    @field_validator("bearer")
    @classmethod
    def _one_way_in(cls, bearer: SecretStr | None, before: ValidationInfo) -> SecretStr | None:
        if bearer is not None and any(before.data.get(key) for key in ("username", "password")):
            raise ValueError("goes without username and password")
        return bearer


class SchemaRegistry(Entry):
    """The schema registry that tells the fields of topics, and which others may be asked."""

    urls: tuple[HttpUrl, ...] = ()
    hosts: tuple[str, ...] = ()
    """Further hosts, or host:port, that a connector's own config may send us to."""

    subjects: dict[str, str] = Field(default_factory=dict)
    """Subjects whose names nothing tells, by ``TOPIC-key`` or ``TOPIC-value``."""

    questions_per_look: int = Field(default=200, ge=1)
    timeout: Duration = timedelta(seconds=5)


class ProvidersPart(Part):
    """Where the values of config-provider placeholders may be read; nowhere by default."""

    file: tuple[Path, ...] = ()
    env: tuple[Pattern, ...] = ()


class DatasetRef(Part):
    """A dataset by its OpenLineage name."""

    namespace: str = Field(min_length=1)
    name: str = Field(min_length=1)


class DeclaredEdge(Part):
    """One edge that the user knows."""

    input: DatasetRef
    output: DatasetRef


class Declared(Part):
    """The user's own word about one connector, added to what is found."""

    inputs: tuple[DatasetRef, ...] = ()
    outputs: tuple[DatasetRef, ...] = ()
    edges: tuple[DeclaredEdge, ...] = ()
    sources: tuple[DatasetRef, ...] = ()
    """Where a source of a class that nobody knows reads: each feeds every topic it writes."""

    targets: tuple[DatasetRef, ...] = ()
    """Where a sink writes, whatever its config says: each is fed by every topic it reads."""

    topics: tuple[str, ...] = ()
    """The topics that a sink with targets reads, where neither its config nor the worker tells."""


class ConnectCluster(Entry):
    """What is said of a Kafka Connect cluster whoever looks at it, and however often."""

    job_namespace: str | None = None
    kafka: Kafka | None = None
    worker_properties: Path | None = None
    schema_registry: SchemaRegistry | None = None


class Cluster(ConnectCluster):
    """One Kafka Connect cluster that is watched."""

    name: str = Field(default="connect", min_length=1)
    urls: tuple[HttpUrl, ...] = Field(min_length=1)
    connectors: Patterns = Patterns()
    granularity: Literal["connector", "dataset"] = "connector"
    platform_instance_map: dict[str, str] = Field(default_factory=dict)
    connect_to_platform_map: dict[str, dict[str, str]] = Field(default_factory=dict)
    """By connector; goes before ``platform_instance_map``."""

    convert_lineage_urns_to_lowercase: bool = False
    use_connect_topics_api: bool = True
    interval: Duration = timedelta(seconds=10)
    heartbeat: Duration = timedelta(minutes=5)
    grace: Duration = timedelta(minutes=6)
    topics_refresh: Duration = timedelta(minutes=10)
    offsets_rate: float = Field(default=2.0, ge=0)
    quiet_after: Duration = timedelta(minutes=30)
    on_delete: Literal["COMPLETE", "ABORT"] = "COMPLETE"
    providers: ProvidersPart = ProvidersPart()
    provided_configs: dict[str, str] = Field(default_factory=dict)
    declared: dict[str, Declared] = Field(default_factory=dict)
    traces: Literal["summary", "whole"] = "summary"

    @field_validator("interval", "heartbeat")
    @classmethod
    def _not_too_often(cls, period: timedelta) -> timedelta:
        return at_least_a_second(period)

    def namespace(self) -> str:
        """The job namespace of its connectors."""
        return self.job_namespace or connect_namespace(self.name)


class OutboxPart(Part):
    """How much may wait for a destination, and how long; without limit by default."""

    max_bytes: Size | None = None
    max_age: Duration | None = None

    @field_validator("max_age")
    @classmethod
    def _above_zero(cls, age: timedelta | None) -> timedelta | None:
        if age is not None and age <= timedelta(0):
            raise ValueError("must be longer than 0 s")
        return age


class Recipe(Part):
    """Everything that ``mainstem watch`` is told."""

    clusters: tuple[Cluster, ...] = Field(min_length=1)
    journal: Path | None = None
    outbox: OutboxPart = OutboxPart()
    admin: Address | None = None
    """Where health and metrics are told; nowhere by default."""

    schema_registry: SchemaRegistry | None = None
    """For every cluster that has none of its own."""

    namespaces: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """A canonical dataset namespace, and the other names for the same system."""
