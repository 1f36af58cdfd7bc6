"""DataHub's recipes for its kafka-connect source, read as DataHub reads them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import regex
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import BadRecipe
from mainstem.recipe.as_watched import as_watched
from mainstem.recipe.ingestion import ConnectorPatterns, IngestRecipe, SourceConfig
from mainstem.recipe.ingestion_loading import LoadedIngestion, load_ingestion
from mainstem.recipe.json_schema import json_schema
from mainstem.recipe.model import Cluster

STARTER = """
source:
  type: "kafka-connect"
  config:
    # Coordinates
    connect_uri: "http://localhost:8083"

    # Credentials
    username: admin
    password: password

    # Optional
    platform_instance_map:
      mysql: mysql_platform_instance

sink:
  # sink configs
"""


def load(tmp_path: Path, text: str, **environment: str) -> LoadedIngestion:
    file = tmp_path / "recipe.yml"
    file.write_text(text)
    return load_ingestion(file, environment)


def config(tmp_path: Path, text: str, **environment: str) -> SourceConfig:
    indented = text.replace("\n", "\n    ")
    whole = f"source:\n  type: kafka-connect\n  config:\n    {indented}\n"
    return load(tmp_path, whole, **environment).recipe.source.config


def mistakes(tmp_path: Path, text: str, **environment: str) -> str:
    with pytest.raises(BadRecipe) as caught:
        load(tmp_path, text, **environment)
    return "\n".join(caught.value.mistakes)


def watched(tmp_path: Path, text: str) -> Cluster:
    recipe = IngestRecipe.model_validate(
        {"source": {"type": "kafka-connect", "config": config(tmp_path, text)}}
    )
    return as_watched(recipe).clusters[0]


def test_the_starter_recipe_is_read_as_it_is_written(tmp_path: Path) -> None:
    recipe, warnings = load(tmp_path, STARTER)
    cluster = as_watched(recipe).clusters[0]
    assert (cluster.urls, cluster.username) == (("http://localhost:8083",), "admin")
    assert cluster.password
    assert cluster.password.get_secret_value() == "password"
    assert cluster.platform_instance_map == {"mysql": "mysql_platform_instance"}
    assert (recipe.sink.type, warnings) == ("openlineage", ())


def test_what_is_not_said_is_what_datahub_takes_for_it(tmp_path: Path) -> None:
    recipe, _ = load(tmp_path, "source: {type: kafka-connect}")
    said = recipe.source.config
    assert said.connect_uri == "http://localhost:8083/"
    assert said.cluster_name == "connect-cluster"
    assert said.connector_patterns == ConnectorPatterns(allow=(".*",), deny=(), ignoreCase=True)
    assert (said.env, said.convert_lineage_urns_to_lowercase) == ("PROD", False)
    assert said.use_connect_topics_api is True
    assert (said.stateful_ingestion.enabled, said.stateful_ingestion.remove_stale_metadata) == (
        False,
        True,
    )


def test_environments_are_taken_in_any_case(tmp_path: Path) -> None:
    assert config(tmp_path, "env: stg").env == "STG"


def test_keys_without_a_value_are_keys_that_are_not_there(tmp_path: Path) -> None:
    text = """provided_configs:
stateful_ingestion:
generic_connectors:
connect_to_platform_map:
platform_instance:
cluster_name:"""
    assert config(tmp_path, text) == SourceConfig()


def test_the_references_platform_maps_stay_as_they_are(tmp_path: Path) -> None:
    text = """connect_to_platform_map:
  mysql_connector1: {mysql: mysql_instance1, kafka: kafka_instance1}
platform_instance_map: {snowflake: snowflake_platform_instance}
platform_instance: here"""
    cluster = watched(tmp_path, text)
    assert cluster.connect_to_platform_map["mysql_connector1"]["kafka"] == "kafka_instance1"
    assert cluster.platform_instance_map == {"snowflake": "snowflake_platform_instance"}
    assert cluster.namespace() == "kafka-connect://here"


def test_the_references_provided_configs_fill_in_placeholders(tmp_path: Path) -> None:
    text = """provided_configs:
  - provider: env
    path_key: MYSQL_CONNECTION_URL
    value: jdbc:mysql://${DB:-test_mysql}:3306/librarydb
  - {provider: env, path_key: PORT, value: 3306}"""
    assert watched(tmp_path, text).provided_configs == {
        "${env:MYSQL_CONNECTION_URL}": "jdbc:mysql://test_mysql:3306/librarydb",
        "${env:PORT}": "3306",
    }


def test_variables_are_expanded_as_datahub_does_it(tmp_path: Path) -> None:
    text = (
        "username: ${WHO:-admin}\npassword: $SECRET\nplatform_instance: x$Y\ncluster_name: $nothing"
    )
    said = config(tmp_path, text, SECRET="hidden")
    assert said.username == "admin"
    assert said.password
    assert said.password.get_secret_value() == "hidden"
    assert (said.platform_instance, said.cluster_name) == ("x$Y", "$nothing")


def test_every_mistake_is_told_at_once_with_its_place_and_without_secrets(tmp_path: Path) -> None:
    text = """
source:
  type: kafka-connect
  config:
    connect_url: http://x
    username: ${WHO}
    connector_patterns: {allow: ["(unclosed"], ignorecase: true}
    generic_connectors: [{connector_name: c, source_dataset: d}]
    provided_configs: [{provider: env, value: hunter2}]
    stateful_ingestion: {enabled: maybe}
sink: {type: datahub-rest, config: {server: "ftp://h", token: [hunter2]}}
"""
    told = mistakes(tmp_path, text)
    assert "source.config.connect_url: is not a known key; did you mean 'connect_uri'?" in told
    assert "source.config.username:" in told
    assert "'(unclosed': is not a regular expression" in told
    assert "ignorecase: is not a known key; did you mean 'ignoreCase'?" in told
    assert "generic_connectors.0: source_dataset and source_platform go together" in told
    assert "provided_configs.0.path_key: is missing" in told
    assert "stateful_ingestion.enabled: 'maybe'" in told
    assert "must be http://HOST:PORT" in told
    assert "hunter2" not in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("source: {type: kafka}", "source.type: 'kafka': must be 'kafka-connect'"),
        ("sink: {type: console}", "source: is missing"),
        (
            "source: {type: kafka-connect}\nsink: {type: pigeon}",
            "sink.type: 'pigeon': must be one of 'openlineage', 'file', 'console'",
        ),
        ("source: {type: kafka-connect}\nsink: {config: {}}", "sink: needs the key type"),
        (
            "source: {type: kafka-connect, config: {connector_patterns: {allow: [(, 3]}}}",
            (
                "source.config.connector_patterns.allow.0: '(': is not a regular expression: "
                "missing ) at position 1\n"
                "source.config.connector_patterns.allow.1: 3: must be text"
            ),
        ),
        (
            "source: {type: kafka-connect, config: {password: '${NOBODY_SET_THIS}'}}",
            (
                "source.config.password: the environment has no NOBODY_SET_THIS; "
                "${NOBODY_SET_THIS:-DEFAULT} would do without"
            ),
        ),
        ("source: {type: kafka-connect}\nsink: {type: file}", "sink.config.filename: is missing"),
        ("pipeline_nam: x", "pipeline_nam: is not a known key; did you mean 'pipeline_name'?"),
        (
            "source: {type: kafka-connect, config: {connector_patterns: [a]}}",
            "connector_patterns: a list: must be a map with the keys allow, deny, ignoreCase",
        ),
        (
            "source: {type: kafka-connect, config: {provided_configs: {provider: x}}}",
            "source.config.provided_configs: must be a list",
        ),
        (
            "source: {type: kafka-connect, config: {generic_connectors: {a: b}}}",
            "source.config.generic_connectors: a map: must be a list",
        ),
        (
            "source: {type: kafka-connect, config: {connect_to_platform_map: {c: mysql}}}",
            "source.config.connect_to_platform_map.c: 'mysql': must be a map",
        ),
        (
            "source: {type: kafka-connect, config: {use_connect_topics_api: perhaps}}",
            "source.config.use_connect_topics_api: 'perhaps': must be true or false",
        ),
        (
            "source: {type: kafka-connect, config: {env: live}}",
            "source.config.env: 'LIVE': must be one of 'PROD', 'NON_PROD'",
        ),
        (
            "source: {type: kafka-connect, config: {connect_uri: 8083}}",
            "source.config.connect_uri: 8083: must be text",
        ),
        (
            (
                "source: {type: kafka-connect, config: {clusters: "
                "[{cluster_name: a}, {cluster_name: b, platform_instance: a, connect_uri: x}]}}"
            ),
            (
                "source.config.clusters: two clusters are called 'a'; "
                "each needs a name of its own\n"
                "source.config.clusters.1.connect_uri: 'x': must be http://HOST:PORT"
            ),
        ),
    ],
)
def test_what_is_allowed_is_said(tmp_path: Path, text: str, told: str) -> None:
    assert told in mistakes(tmp_path, text)


def test_what_means_nothing_here_is_listed_and_ignored(tmp_path: Path) -> None:
    text = """
pipeline_name: nightly
datahub_api: {server: "http://gms", token: "${NOT_SET}"}
transformers: [{type: simple_add_dataset_tags, config: {}}]
reporting: []
source:
  type: kafka-connect
  config:
    kafka_rest_endpoint: https://x
    kafka_api_key: k
    kafka_api_secret: s
    confluent_cloud_environment_id: e
    use_schema_resolver: true
    schema_resolver_expand_patterns: true
    confluent_catalog: {}
    stateful_ingestion: {enabled: true, state_provider: {type: datahub}, fail_safe_threshold: 75}
sink: {type: datahub-rest, config: {server: "http://gms:8080", max_threads: 4}}
"""
    recipe, warnings = load(tmp_path, text)
    assert recipe.source.config.stateful_ingestion.enabled is True
    assert [line.partition(":")[0] for line in warnings] == [
        "pipeline_name", "datahub_api", "transformers", "reporting",
        "source.config.kafka_rest_endpoint", "source.config.kafka_api_key",
        "source.config.kafka_api_secret", "source.config.confluent_cloud_environment_id",
        "source.config.use_schema_resolver", "source.config.schema_resolver_expand_patterns",
        "source.config.confluent_catalog", "source.config.stateful_ingestion.state_provider",
        "source.config.stateful_ingestion.fail_safe_threshold", "sink.config.max_threads",
    ]  # fmt: skip


def test_a_user_in_the_uri_is_taken_for_the_user(tmp_path: Path) -> None:
    said = config(tmp_path, "connect_uri: http://joe:p%40ss@connect:8083/x")
    assert (said.connect_uri, said.username) == ("http://connect:8083/x", "joe")
    assert said.password
    assert said.password.get_secret_value() == "p@ss"


def test_generic_connectors_say_where_data_comes_from_and_goes_to(tmp_path: Path) -> None:
    text = """generic_connectors:
  - {connector_name: in, source_dataset: db.t, source_platform: mssql}
  - {connector_name: out, target_dataset: db.u, target_platform: mysql}
  - {connector_name: both, source_dataset: a, source_platform: kafka,
     target_dataset: b, target_platform: s3}"""
    declared = watched(tmp_path, text).declared
    assert [(each.namespace, each.name) for each in declared["in"].sources] == [
        ("sqlserver", "db.t")
    ]
    assert [(each.namespace, each.name) for each in declared["out"].targets] == [("mysql", "db.u")]
    assert [each.name for each in declared["both"].targets] == ["b"]
    assert (declared["both"].sources, declared["both"].topics) == ((), ("a",))


def test_the_first_word_about_a_connector_counts_and_later_ones_are_listed(tmp_path: Path) -> None:
    text = """source:
  type: kafka-connect
  config:
    generic_connectors:
      - {connector_name: in, source_dataset: a, source_platform: mysql}
      - {connector_name: in, source_dataset: b, source_platform: mysql}"""
    loaded = load(tmp_path, text)
    (cluster,) = as_watched(loaded.recipe).clusters
    assert [each.name for each in cluster.declared["in"].sources] == ["a"]
    assert loaded.warnings == (
        "source.config.generic_connectors.1: is ignored: 'in' has an entry before it",
    )


def test_several_clusters_are_told_apart(tmp_path: Path) -> None:
    text = """clusters:
  - {connect_uri: "http://a:8083", cluster_name: a, kafka: {bootstrap: "b:9092"}}
  - {connect_uri: "http://b:8083", cluster_name: b, platform_instance: bee}"""
    recipe = IngestRecipe.model_validate(
        {"source": {"type": "kafka-connect", "config": config(tmp_path, text)}}
    )
    assert [(each.name, each.namespace()) for each in as_watched(recipe).clusters] == [
        ("a", "kafka-connect://a"),
        ("b", "kafka-connect://bee"),
    ]


@pytest.mark.parametrize(
    ("clusters", "sink", "told"),
    [
        ("[{connect_uri: 'http://a'}, {connect_uri: 'http://b'}]", "console", "two clusters"),
        ("[{cluster_name: a}]\n    connect_uri: 'http://a'", "console", "without connect_uri"),
        ("[{cluster_name: a}, {cluster_name: b}]", "datahub-rest", "needs a platform_instance"),
        ("[]", "console", "source.config.clusters: must not be empty"),
        (
            "[{connector_patterns: {}}]",
            "console",
            "clusters.0.connector_patterns: is a key of another part of the recipe, and none here",
        ),
    ],
)
def test_clusters_that_cannot_be_told_apart_are_a_mistake(
    clusters: str, sink: str, told: str, tmp_path: Path
) -> None:
    text = (
        f"source:\n  type: kafka-connect\n  config:\n    clusters: {clusters}\n"
        f"sink: {{type: {sink}}}"
    )
    assert told in mistakes(tmp_path, text)


def test_one_cluster_of_several_may_go_without_an_instance_in_datahub(tmp_path: Path) -> None:
    two = "[{cluster_name: a}, {cluster_name: b, platform_instance: bee}]"
    text = f"source: {{type: kafka-connect, config: {{clusters: {two}}}}}"
    recipe = load(tmp_path, f"{text}\nsink: {{type: datahub-rest}}").recipe
    assert [each.platform_instance for each in recipe.source.config.places] == [None, "bee"]


def test_a_mistake_of_the_whole_recipe_is_told_by_its_place_alone(tmp_path: Path) -> None:
    two = "[{cluster_name: a}, {cluster_name: b}]"
    text = f"source: {{type: kafka-connect, config: {{clusters: {two}}}}}"
    told = mistakes(tmp_path, f"{text}\nsink: {{type: datahub-rest}}")
    assert told.startswith("source.config.clusters: 'b' needs a platform_instance")


def test_an_instance_of_an_unset_variable_is_none(tmp_path: Path) -> None:
    said = config(tmp_path, 'platform_instance: "${PI:-}"\ncluster_name: "${CN:-}"')
    assert (said.platform_instance, said.cluster_name) == (None, "connect-cluster")


@pytest.mark.parametrize("servers", ["b:x", "b 1", "http://"])
def test_a_kafka_that_is_no_address_is_told_with_its_place(tmp_path: Path, servers: str) -> None:
    kafka = f"kafka: {{bootstrap: {servers!r}}}"
    told = mistakes(tmp_path, f"source: {{type: kafka-connect, config: {{{kafka}}}}}")
    assert told == (
        f"source.config.kafka.bootstrap: {servers!r}: must be HOST:PORT, or several with commas "
        "between them"
    )


PATTERNS = st.sampled_from(["a", "a.*b", "A|b", "a$", "b?", "(a|b)a", "[ab]{2}"])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(PATTERNS, max_size=2), st.lists(PATTERNS, max_size=2), st.booleans(),
    st.text(alphabet="abA\n", max_size=5),
)  # fmt: skip
def test_patterns_let_through_what_datahub_lets_through(
    allow: list[str], deny: list[str], ignore_case: bool, name: str
) -> None:
    """DataHub: denied by any match at the beginning, else allowed by one."""
    flags = re.IGNORECASE if ignore_case else 0
    expected = not any(re.match(one, name, flags) for one in deny) and any(
        re.match(one, name, flags) for one in allow
    )
    said = {"allow": allow, "deny": deny, "ignoreCase": ignore_case}
    source = {"type": "kafka-connect", "config": {"connector_patterns": said}}
    patterns = as_watched(IngestRecipe.model_validate({"source": source})).clusters[0].connectors
    lets_through = any(regex.fullmatch(one, name) for one in patterns.allow) and not any(
        regex.fullmatch(one, name) for one in patterns.deny
    )
    assert lets_through == expected


def test_the_json_schema_takes_what_the_reader_takes(tmp_path: Path) -> None:
    import jsonschema_rs  # noqa: PLC0415

    valid = jsonschema_rs.validator_for(json_schema("ingest")).is_valid
    tree: dict[str, Any] = yaml.safe_load(STARTER)
    tree["sink"] = {"type": "datahub-rest", "config": {"server": "http://gms:8080"}}
    assert valid(tree)
    assert valid({**tree, "pipeline_name": "nightly"})
    tree["source"]["config"]["kafka_api_key"] = "k"
    assert valid(tree)
    tree["source"]["config"]["connect_url"] = "http://x"
    assert not valid(tree)


@pytest.mark.parametrize(
    "text",
    [
        STARTER,
        "source: {type: kafka-connect, config: {env: prod}}",
        "source: {type: kafka-connect, config: {env: '${E:-QA}', verify: '${V:-true}'}}",
        "source: {type: kafka-connect, config: {username: , stateful_ingestion: {enabled: }}}",
        "source: {type: kafka-connect, config: {clusters: [{cluster_name: , kafka: }]}}",
        "source: {type: kafka-connect, config: {use_connect_topics_api: 'false'}}",
        (
            "source: {type: kafka-connect}\n"
            "sink: {type: datahub-rest, config: {timeout_sec: '${T:-5}'}}"
        ),
        (
            "source: {type: kafka-connect, config: {provided_configs: "
            "[{provider: env, path_key: P, value: 5}]}}"
        ),
    ],
)
def test_what_the_reader_takes_the_json_schema_takes(tmp_path: Path, text: str) -> None:
    import jsonschema_rs  # noqa: PLC0415

    load(tmp_path, text)
    assert jsonschema_rs.validator_for(json_schema("ingest")).is_valid(yaml.safe_load(text))


@pytest.mark.parametrize(
    "config", ["{env: live}", "{verify: perhaps}", "{clusters: []}", "{connect_url: x}"]
)
def test_what_the_reader_refuses_the_json_schema_refuses(tmp_path: Path, config: str) -> None:
    import jsonschema_rs  # noqa: PLC0415

    text = f"source: {{type: kafka-connect, config: {config}}}"
    assert mistakes(tmp_path, text)
    assert not jsonschema_rs.validator_for(json_schema("ingest")).is_valid(yaml.safe_load(text))


def test_the_watchers_recipe_has_a_schema_too() -> None:
    import jsonschema_rs  # noqa: PLC0415

    valid = jsonschema_rs.validator_for(json_schema("watch")).is_valid
    assert valid({"clusters": [{"urls": ["http://x"], "interval": "5s"}]})
    assert not valid({"clusters": [{"urls": ["http://x"], "intervall": 5}]})
