from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainstem.errors import BadRecipe
from mainstem.recipe.model import Cluster, Recipe
from mainstem.watch.connect.properties import parse_properties
from mainstem.watch.loop.kafka_name import name_for_connector, name_kafka
from mainstem.watch.loop.settings import settings_of
from mainstem.watch.schema_registry import last_records


def test_the_first_that_tells_names_the_kafka() -> None:
    worker = {"bootstrap.servers": "SASL_SSL://w1:9093,SASL_SSL://w2:9093"}
    assert name_kafka("r:1", worker, "e:3", "id", "c").namespace == "kafka://r:1"
    assert name_kafka(None, worker, "e:3", "id", "c").namespace == "kafka://w1:9093"
    assert name_kafka(None, {}, "e:3", "id", "c").namespace == "kafka://e:3"
    by_id = name_kafka(None, {}, None, "id", "c")
    assert (by_id.namespace, by_id.alias) == ("kafka://id", None)
    assert by_id.note is not None
    assert name_kafka("r:1", {}, None, "id", "c").alias == "kafka://id"


def test_a_connector_that_overrides_its_client_works_on_another_kafka() -> None:
    cluster = name_kafka("r:1", {}, None, "id", "c")
    config = {
        "producer.override.bootstrap.servers": "p:1",
        "consumer.override.bootstrap.servers": "c:1",
    }
    assert name_for_connector(config, "source", cluster).namespace == "kafka://p:1"
    assert name_for_connector(config, "sink", cluster).namespace == "kafka://c:1"
    assert name_for_connector({}, "sink", cluster) is cluster


def test_an_override_that_cannot_be_read_never_becomes_the_wrong_cluster() -> None:
    cluster = name_kafka("r:1", {}, None, "id", "c")
    config = {"consumer.override.bootstrap.servers": "${file:/secrets:bootstrap}"}
    named = name_for_connector(config, "sink", cluster)
    assert named.namespace == "kafka://unknown"
    assert named.note is not None
    assert "secrets" not in named.note


PROPERTIES = r"""
# a comment
! another
bootstrap.servers = b1:9092,\
    b2:9092
group.id:connect
spaced value with blanks
empty=
path=C\\x
"""


def test_a_worker_properties_file() -> None:
    assert parse_properties(PROPERTIES) == {
        "bootstrap.servers": "b1:9092,b2:9092",
        "group.id": "connect",
        "spaced": "value with blanks",
        "empty": "",
        "path": "C\\x",
    }


@given(st.text())
def test_no_properties_file_is_too_odd_to_read(text: str) -> None:
    assert isinstance(parse_properties(text), dict)


def cluster(**more: object) -> Recipe:
    return Recipe(clusters=(Cluster.model_validate({"urls": ["http://x"], **more}),))


def test_the_job_namespace_is_the_recipes_then_the_environments_then_the_clusters() -> None:
    asked = {"OPENLINEAGE_NAMESPACE": "env"}
    named = cluster(job_namespace="mine", name="c")
    assert settings_of(named, named.clusters[0], asked).job_namespace == "mine"
    plain = cluster(name="c")
    assert settings_of(plain, plain.clusters[0], asked).job_namespace == "env"
    assert settings_of(plain, plain.clusters[0], {}).job_namespace == "kafka-connect://c"


def test_a_worker_file_that_is_not_there_is_a_mistake_of_the_recipe(tmp_path: Path) -> None:
    recipe = cluster(worker_properties=str(tmp_path / "none.properties"))
    with pytest.raises(BadRecipe, match="cannot be read"):
        settings_of(recipe, recipe.clusters[0], {})


@pytest.mark.parametrize(
    ("client", "complaint"),
    [
        ({"securty.protocol": "SSL"}, 'No such configuration property: "securty.protocol"'),
        ({"security.protocol": "hush-hush"}, "***"),
    ],
)
def test_a_kafka_client_that_librdkafka_does_not_take_is_a_mistake_of_the_recipe(
    client: dict[str, str], complaint: str
) -> None:
    whole = {"name": "prod", "urls": ["http://c"], "kafka": {"bootstrap": "b:9", "client": client}}
    cluster = Cluster.model_validate(whole)
    with pytest.raises(BadRecipe) as told:
        settings_of(Recipe(clusters=(cluster,)), cluster, {})
    assert told.value.where == "clusters.prod.kafka.client"
    assert complaint in str(told.value)
    assert "hush-hush" not in str(told.value)


def test_a_kafka_client_without_its_package_names_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(last_records, "find_spec", lambda _name: None)
    whole = {"name": "prod", "urls": ["http://c"], "kafka": {"bootstrap": "b:9", "client": {}}}
    cluster = Cluster.model_validate(whole)
    with pytest.raises(BadRecipe, match=r"kafka\.client:\s+needs: pip install 'mainstem\[kafka\]'"):
        settings_of(Recipe(clusters=(cluster,)), cluster, {})
