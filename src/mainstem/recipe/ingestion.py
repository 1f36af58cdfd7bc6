"""A recipe for one ingestion, as DataHub writes it; fields of DataHub keep name and default."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    WithJsonSchema,
    model_validator,
)

from mainstem.recipe.model import (
    EVERY_NAME,
    ConnectCluster,
    Duration,
    HttpUrl,
    Kafka,
    Part,
    Pattern,
    SchemaRegistry,
)


def _text(value: object) -> object:
    """Numbers that stand where DataHub takes any scalar for a text."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


Environment = Literal[
    "PROD", "NON_PROD", "PRD", "PRE", "STG", "DEV", "TEST", "TST", "QA", "UAT", "SIT", "EI", "CORP",
    "RVW", "SBX", "SANDBOX", "CERT",
]  # fmt: skip
"""DataHub's own: it takes no other."""

LaxText = Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": ["string", "number"]})]


class ConnectorPatterns(Part):
    """Which connectors are ingested: regular expressions for the beginning of a name."""

    allow: tuple[Pattern, ...] = EVERY_NAME
    deny: tuple[Pattern, ...] = ()
    ignoreCase: bool = True  # noqa: N815


class ProvidedConfig(Part):
    """The value behind ``${provider:path_key}`` in connectors' configs."""

    provider: str
    path_key: str
    value: LaxText


class GenericConnector(Part):
    """The user's own word about a connector: where its data comes from, or goes to."""

    connector_name: str = Field(min_length=1)
    source_dataset: str | None = Field(default=None, min_length=1)
    source_platform: str | None = Field(default=None, min_length=1)
    target_dataset: str | None = Field(default=None, min_length=1)
    target_platform: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _names_a_side(self) -> Self:
        if (self.source_dataset is None) != (self.source_platform is None):
            raise ValueError("source_dataset and source_platform go together")
        if (self.target_dataset is None) != (self.target_platform is None):
            raise ValueError("target_dataset and target_platform go together")
        if self.source_dataset is None and self.target_dataset is None:
            raise ValueError("needs source_dataset and source_platform, or the same of the target")
        return self


class Stateful(Part):
    """Whether what is gone is taken back where it was told."""

    enabled: bool = False
    remove_stale_metadata: bool = True


class Place(ConnectCluster):
    """One Connect cluster: where it is, and what it is called."""

    connect_uri: HttpUrl = "http://localhost:8083/"
    cluster_name: str = "connect-cluster"
    platform_instance: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _empty_is_not_said(cls, given: object) -> object:
        """As ``${INSTANCE:-}`` is where the variable is not set."""
        fields = cast("dict[str, Any]", given if isinstance(given, dict) else {})
        empty = {key for key in ("cluster_name", "platform_instance") if fields.get(key) == ""}
        said = {key: value for key, value in fields.items() if key not in empty}
        return said if empty else cast("object", given)

    @model_validator(mode="before")
    @classmethod
    def _take_the_user_out_of_the_uri(cls, given: object) -> object:
        """DataHub's HTTP library takes a user from the URI; ours never lets one stand there."""
        fields = cast("dict[str, Any]", given if isinstance(given, dict) else {})
        uri = fields.get("connect_uri")
        parts = urlsplit(uri) if isinstance(uri, str) else None
        if parts is None or not parts.username or fields.get("username") is not None:
            return cast("object", given)
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        password = unquote(parts.password or "")
        user = {"username": unquote(parts.username), "password": password}
        return {**fields, "connect_uri": bare, **user}

    @property
    def job_instance(self) -> str:
        """What tells its connectors from those of another cluster."""
        return self.platform_instance or self.cluster_name


class SourceConfig(Place):
    """Everything that DataHub's kafka-connect source is told; ``clusters`` is ours."""

    connector_patterns: ConnectorPatterns = ConnectorPatterns()
    provided_configs: tuple[ProvidedConfig, ...] = ()
    platform_instance_map: dict[str, str] = Field(default_factory=dict)
    connect_to_platform_map: dict[str, dict[str, str]] = Field(default_factory=dict)
    generic_connectors: tuple[GenericConnector, ...] = ()
    convert_lineage_urns_to_lowercase: bool = False
    env: Annotated[Environment, BeforeValidator(_upper)] = "PROD"
    stateful_ingestion: Stateful = Stateful()
    use_connect_topics_api: bool = True
    clusters: tuple[Place, ...] = Field(default=(), min_length=1)
    """Several clusters instead of the one that ``connect_uri`` names."""

    @model_validator(mode="after")
    def _one_way_to_name_clusters(self) -> Self:
        if self.clusters and self.model_fields_set & Place.model_fields.keys():
            both = sorted(self.model_fields_set & Place.model_fields.keys())
            raise ValueError(f"clusters goes without {', '.join(both)}; put them into its entries")
        return self

    @property
    def places(self) -> tuple[Place, ...]:
        """Every cluster."""
        return self.clusters or (self,)


class Source(Part):
    """What is read."""

    type: Literal["kafka-connect"]
    config: SourceConfig = SourceConfig()


class OpenLineageSink(Part):
    """To wherever the official client's configuration says, or to what stands here instead."""

    type: Literal["openlineage"] = "openlineage"
    config: dict[str, Any] = Field(default_factory=dict)
    """The official client's own configuration: transport, filters, tags."""


class FileName(Part):
    """Where a file is written."""

    filename: Path


class WritesAFile(Part):
    """A sink that needs to be told which file."""

    config: FileName

    @model_validator(mode="before")
    @classmethod
    def _the_name_is_what_is_missing(cls, given: object) -> object:
        return {"config": {}, **cast("dict[str, Any]", given)} if isinstance(given, dict) else given


class FileSink(WritesAFile):
    """OpenLineage events, one per line, added to a file."""

    type: Literal["file"]


class NoSettings(Part):
    """Nothing can be set."""


class ConsoleSink(Part):
    """OpenLineage events, one per line, printed."""

    type: Literal["console"]
    config: NoSettings = NoSettings()


class DataHubFileSink(WritesAFile):
    """What DataHub's own file sink writes."""

    type: Literal["datahub-file"]


class DataHubServer(Part):
    """How a DataHub is reached."""

    server: HttpUrl = "http://localhost:8080"
    token: SecretStr | None = None
    timeout_sec: float = Field(default=30.0, gt=0)
    extra_headers: dict[str, SecretStr] = Field(default_factory=dict)
    ca_certificate_path: Path | None = None
    client_certificate_path: Path | None = None
    disable_ssl_verification: bool = False


class DataHubRestSink(Part):
    """To a DataHub, through its own client."""

    type: Literal["datahub-rest"]
    config: DataHubServer = DataHubServer()


Sink = Annotated[
    OpenLineageSink | FileSink | ConsoleSink | DataHubFileSink | DataHubRestSink,
    Field(discriminator="type"),
]


class IngestRecipe(Part):
    """Everything that ``mainstem ingest`` is told."""

    source: Source
    sink: Sink = OpenLineageSink()
    journal: Path | None = None
    """The recipe's state: what it told before, and what still waits to be delivered."""

    heartbeat: Duration = timedelta(days=1)
    """How often the recipe is run at least; whoever reads the events may rely on it."""

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        """DataHub's names of connectors have no other place for the cluster."""
        places = self.source.config.places
        if self.sink.type.startswith("datahub-") and len(places) > 1:
            nameless = [each.cluster_name for each in places if each.platform_instance is None]
            if len(nameless) > 1:
                raise ValueError(
                    f"source.config.clusters: {nameless[1]!r} needs a platform_instance: DataHub "
                    "could not tell its connectors from another cluster's"
                )
        return self


PARTS = (
    IngestRecipe, Source, SourceConfig, Place, ConnectorPatterns, ProvidedConfig, GenericConnector,
    Stateful, OpenLineageSink, FileName, DataHubServer, Kafka, SchemaRegistry,
)  # fmt: skip
