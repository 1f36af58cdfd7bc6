from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mainstem.errors import BadRecipe
from mainstem.recipe import Recipe, from_flags, load
from mainstem.recipe.duration import parse_duration

WHOLE = """
clusters:
  - name: prod
    urls: [http://connect-1:8083, "http://${HOST:-connect-2}:8083"]
    username: reader
    password: ${CONNECT_PASSWORD}
    kafka: {bootstrap: "b1:9092,b2:9092"}
    connectors: {allow: ["orders-.*"], deny: [".*-test"]}
    interval: 5s
    heartbeat: 2m
    on_delete: ABORT
    provided_configs: {"${file:/secrets:url}": "jdbc:postgresql://${not}/expanded"}
    declared:
      orders-http:
        outputs: [{namespace: "https://api.example", name: /orders}]
  - name: staging
    urls: [http://staging:8083]
namespaces:
  "kafka://b1:9092": ["kafka://b2:9092"]
"""


def write(directory: Path, text: str) -> Path:
    path = directory / "recipe.yml"
    path.write_text(text)
    return path


def test_a_whole_recipe(tmp_path: Path) -> None:
    recipe = load(write(tmp_path, WHOLE), {"CONNECT_PASSWORD": "hunter2"})
    prod, staging = recipe.clusters
    assert prod.urls == ("http://connect-1:8083", "http://connect-2:8083")
    assert prod.password is not None
    assert prod.password.get_secret_value() == "hunter2"
    assert "hunter2" not in repr(recipe)
    assert (prod.interval, prod.heartbeat) == (timedelta(seconds=5), timedelta(minutes=2))
    assert list(prod.provided_configs.values()) == ["jdbc:postgresql://${not}/expanded"]
    assert (staging.interval, staging.heartbeat, staging.grace) == (
        timedelta(seconds=10), timedelta(minutes=5), timedelta(minutes=6)
    )  # fmt: skip
    assert staging.namespace() == "kafka-connect://staging"


def test_every_mistake_is_told_at_once_with_place_value_and_what_is_allowed(
    tmp_path: Path,
) -> None:
    text = """
clusters:
  - name: a
    urls: ["ftp://x"]
    intervall: 5
    heartbeat: soon
    on_delete: MAYBE
    connectors: {allow: ["(unclosed"]}
  - name: b
"""
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, text), {})
    told = "\n".join(caught.value.mistakes)
    assert "clusters.0.intervall: is not a known key; did you mean 'interval'?" in told
    assert "clusters.0.heartbeat: 'soon': must be seconds" in told
    assert "clusters.0.on_delete: 'MAYBE': must be 'COMPLETE' or 'ABORT'" in told
    assert "clusters.0.urls.0: 'ftp://x': must be http://HOST:PORT or https://HOST:PORT" in told
    assert "'(unclosed': is not a regular expression" in told
    assert "clusters.1.urls: is missing" in told


def test_two_clusters_of_one_name_are_a_mistake(tmp_path: Path) -> None:
    text = "clusters: [{name: a, urls: ['http://x']}, {name: a, urls: ['http://y']}]"
    with pytest.raises(BadRecipe, match="two clusters are called 'a'"):
        load(write(tmp_path, text), {})


def test_clusters_without_urls_or_with_one_name_are_told_beside_other_mistakes(
    tmp_path: Path,
) -> None:
    text = "clusters: [{name: a, urls: []}, {name: a, urls: ['http://x'], intervall: 3}]"
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, text), {})
    assert caught.value.mistakes == (
        "clusters: two clusters are called 'a'; each needs a name of its own",
        "clusters.0.urls: must not be empty",
        "clusters.1.intervall: is not a known key; did you mean 'interval'?",
    )


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("clusters: [{urls: []}]", "clusters.0.urls: must not be empty"),
        ("clusters: []", "clusters: must not be empty"),
        (
            "clusters: [{urls: ['http://x', 'y:8083']}]",
            "clusters.0.urls.1: 'y:8083': must be http://HOST:PORT or https://HOST:PORT",
        ),
        ("clusters: [{urls: [8083]}]", "clusters.0.urls.0: 8083: must be text"),
        (
            "clusters: [{urls: ['http://x'], provided_configs: {server: 1234}}]",
            "clusters.0.provided_configs.server: must be text",
        ),
        (
            "clusters: [{urls: ['http://x'], bearer: hunter2, username: reader}]",
            "clusters.0.bearer: goes without username and password",
        ),
    ],
)
def test_one_mistake_is_told_with_its_place(tmp_path: Path, text: str, mistake: str) -> None:
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, text), {})
    assert caught.value.mistakes == (mistake,)


@pytest.mark.parametrize("url", ["ftp://u:hunter2@x", "ftp://x?token=hunter2"])
def test_an_address_that_may_hold_a_credential_is_not_repeated(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, f"clusters: [{{urls: ['{url}']}}]"), {})
    assert caught.value.mistakes == (
        "clusters.0.urls.0: must be http://HOST:PORT or https://HOST:PORT",
    )


def test_a_variable_that_is_not_set_is_named_with_its_place(tmp_path: Path) -> None:
    text = "clusters: [{urls: ['http://x'], username: '${WHO}'}]"
    with pytest.raises(BadRecipe, match=r"clusters\.0\.username: .*WHO"):
        load(write(tmp_path, text), {})


def test_unset_variables_and_other_mistakes_are_told_together(tmp_path: Path) -> None:
    text = "clusters: [{urls: ['http://x'], username: '${WHO}', intervall: 3}]"
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, text), {})
    assert [line.partition(":")[0] for line in caught.value.mistakes] == [
        "clusters.0.username",
        "clusters.0.intervall",
    ]


def test_credentials_in_a_url_are_refused_and_not_repeated(tmp_path: Path) -> None:
    text = "clusters: [{urls: ['http://u:hunter2@x']}]"
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, text), {})
    assert "use the keys username and password" in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "just text", "- a list", "a: [unclosed", "\x00"])
def test_a_file_that_is_no_recipe_says_so(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadRecipe, match=r"recipe\.yml"):
        load(write(tmp_path, text), {})


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadRecipe, match="cannot be read"):
        load(tmp_path / "none.yml", {})


def test_flags_alone_make_a_recipe() -> None:
    recipe = from_flags("http://a:8083, http://b:8083", kafka="k:9092", interval=2.0, heartbeat=30)
    (cluster,) = recipe.clusters
    assert cluster.urls == ("http://a:8083", "http://b:8083")
    assert cluster.kafka is not None
    assert cluster.kafka.bootstrap == "k:9092"
    with pytest.raises(BadRecipe, match="at least 1 s"):
        from_flags("http://a:8083", interval=0.5)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [(10, 10), ("10", 10), ("500ms", 0.5), ("1.5 h", 5400), ("2d", 172800), (0.25, 0.25)],
)
def test_durations(written: object, seconds: float) -> None:
    assert parse_duration(written) == timedelta(seconds=seconds)


@pytest.mark.parametrize("written", ["", "-5", "5 weeks", None, True, [], "1e3"])
def test_what_is_no_duration(written: object) -> None:
    with pytest.raises(ValueError, match="must be seconds"):
        parse_duration(written)


def test_caps_of_the_outbox_are_off_unless_set(tmp_path: Path) -> None:
    clusters = "clusters: [{urls: [http://c:8083]}]\n"
    off = load(write(tmp_path, clusters), {}).outbox
    assert (off.max_bytes, off.max_age) == (None, None)
    on = load(write(tmp_path, clusters + "outbox: {max_bytes: 2GiB, max_age: 7d}"), {}).outbox
    assert (on.max_bytes, on.max_age) == (2 * 1024**3, timedelta(days=7))


@pytest.mark.parametrize(
    ("cap", "complaint"),
    [
        ("{max_bytes: much}", "outbox.max_bytes: 'much': must be bytes, or a number with kB"),
        ("{max_bytes: 0}", "outbox.max_bytes: 0: must be bytes, or a number with kB"),
        ("{max_bytes: true}", "outbox.max_bytes: True: must be bytes"),
        ("{max_age: 0s}", "outbox.max_age: '0s': must be longer than 0 s"),
        ("{max_size: 1MB}", "outbox.max_size: is not a known key"),
    ],
)
def test_a_wrong_cap_is_named(cap: str, complaint: str, tmp_path: Path) -> None:
    text = f"clusters: [{{urls: [http://c:8083]}}]\noutbox: {cap}\n"
    with pytest.raises(BadRecipe) as caught:
        load(write(tmp_path, text), {})
    assert complaint in str(caught.value)


def _with_client(tmp_path: Path, kafka: str) -> Recipe:
    path = tmp_path / "recipe.yml"
    path.write_text(f"clusters:\n  - urls: [http://c:8083]\n    kafka: {kafka}\n")
    return load(path, {"KAFKA_PASSWORD": "pw-7"})


def test_a_kafka_client_takes_librdkafka_s_settings(tmp_path: Path) -> None:
    kafka = _with_client(
        tmp_path,
        "{bootstrap: b:9092, client: {sasl.password: '${KAFKA_PASSWORD}', "
        "enable.ssl.certificate.verification: false, socket.timeout.ms: 500}}",
    ).clusters[0].kafka  # fmt: skip
    assert kafka is not None
    assert kafka.client is not None
    told = {key: value.get_secret_value() for key, value in kafka.client.items()}
    assert told == {
        "sasl.password": "pw-7",
        "enable.ssl.certificate.verification": "false",
        "socket.timeout.ms": "500",
    }
    assert "pw-7" not in repr(kafka)


@pytest.mark.parametrize(
    ("kafka", "complaint"),
    [
        ("{bootstrap: b, client: {group.id: mine}}", "kafka.client: group.id cannot be set"),
        ("{bootstrap: b, client: {bootstrap.servers: c}}", "bootstrap.servers cannot be set"),
        ("{bootstrap: b, refresh: 10ms}", "kafka.refresh: '10ms': must be at least 1 s"),
        ("{client: {}}", "kafka.bootstrap: is missing"),
        ("{bootstrap: b, client: ssl}", "kafka.client: must be a map"),
    ],
)
def test_a_wrong_kafka_client_is_named(kafka: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(BadRecipe) as told:
        _with_client(tmp_path, kafka)
    assert complaint in str(told.value)
