"""The official client's configuration: where it is found, what it means, what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urljoin

import pytest
from openlineage.client import OpenLineageClient
from structlog.testing import capture_logs

from mainstem.errors import BadRecipe
from mainstem.outbox import Configuration, destinations_from_configuration, read_configuration
from mainstem.outbox.destinations.console import ConsoleDestination
from mainstem.outbox.destinations.file import FileDestination
from mainstem.outbox.destinations.http import HttpDestination

KEY = "s3cr3t-api-key"


@pytest.fixture(autouse=True)
def empty_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("OPENLINEAGE")]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    (home / ".openlineage").mkdir(parents=True)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    return tmp_path


def http_of(configuration: Configuration) -> HttpDestination:
    [destination] = destinations_from_configuration(configuration)
    assert isinstance(destination, HttpDestination)
    return destination


def mistakes_of(transport: dict[str, object]) -> tuple[str, ...]:
    with pytest.raises(BadRecipe) as bad:
        destinations_from_configuration(Configuration("environment", transport))
    return bad.value.mistakes


def test_nothing_configured_means_the_console_and_says_so() -> None:
    with capture_logs() as logs:
        [destination] = destinations_from_configuration()
    assert isinstance(destination, ConsoleDestination)
    assert [entry["log_level"] for entry in logs] == ["warning"]


def test_plain_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", "http://backend:5000")
    monkeypatch.setenv("OPENLINEAGE_ENDPOINT", "in")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", KEY)
    settings = http_of(read_configuration())._settings
    assert settings.url == "http://backend:5000/in"
    assert settings.bearer() == f"Bearer {KEY}"


def test_nested_variables_with_the_clients_lower_casing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", "http://backend:5000")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TIMEOUT", "2.5")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__COMPRESSION", "gzip")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__AUTH__TYPE", "api_key")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__AUTH__APIKEY", KEY)
    settings = http_of(read_configuration())._settings
    assert (settings.timeout, settings.gzip, settings.bearer()) == (2.5, True, f"Bearer {KEY}")


FILE = "transport:\n  type: file\n  log_file_path: {place}\n  append: true\n"


@pytest.mark.parametrize("place", ["named", "here", "home"])
def test_files_are_found_where_the_client_finds_them(
    place: str, empty_surroundings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = {
        "home": empty_surroundings / "home" / ".openlineage" / "openlineage.yml",
        "here": empty_surroundings / "here" / "openlineage.yml",
        "named": empty_surroundings / "elsewhere.yml",
    }
    # Weaker places are filled too: the strongest one that exists must win.
    for name, path in written.items():
        path.write_text(FILE.format(place=name))
        if name == "named":
            monkeypatch.setenv("OPENLINEAGE_CONFIG", str(path))
        if name == place:
            break
    configuration = read_configuration()
    assert configuration.where == str(written[place])
    assert destinations_from_configuration(configuration) == (
        FileDestination("file", Path(place), append=True),
    )


def test_the_file_goes_before_variables_as_in_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("openlineage.yml").write_text("transport:\n  type: http\n  url: http://file:1\n")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", "http://variable:1")
    monkeypatch.setenv("OPENLINEAGE_URL", "http://plain:1")
    assert http_of(read_configuration())._settings.url == "http://file:1/api/v1/lineage"


def test_what_is_given_goes_before_the_file() -> None:
    Path("openlineage.yml").write_text("transport:\n  type: http\n  url: http://file:1\n")
    given = read_configuration({"transport": {"url": "http://given:1"}})
    assert http_of(given)._settings.url == "http://given:1/api/v1/lineage"


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("http://h:1", "a/b"),
        ("http://h:1/base", "a"),
        ("http://h:1/base/", "a"),
        ("http://h", "/a"),
    ],
)
def test_the_address_is_the_one_the_client_would_use(
    url: str, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", url)
    monkeypatch.setenv("OPENLINEAGE_ENDPOINT", endpoint)
    ours = http_of(read_configuration())._settings.url
    transport = OpenLineageClient().transport
    assert ours == urljoin(transport.url, transport.endpoint)  # pyright: ignore


def test_disabled_means_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", "http://backend:5000")
    monkeypatch.setenv("OPENLINEAGE_DISABLED", " True ")
    [destination] = destinations_from_configuration()
    assert destination.kind == "noop"


def test_reading_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", "http://backend:5000")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", KEY)
    before = dict(os.environ)
    read_configuration()
    assert dict(os.environ) == before


def test_a_composite_becomes_one_destination_each_under_its_name() -> None:
    configuration = read_configuration(
        {
            "transport": {
                "type": "composite",
                "transports": {
                    "marquez": {"type": "http", "url": "http://one:1"},
                    "audit": {"type": "file", "log_file_path": "audit", "append": True},
                },
            }
        }
    )
    made = destinations_from_configuration(configuration)
    assert [(one.name, one.kind) for one in made] == [("marquez", "http"), ("audit", "file")]


def test_a_composite_list_gets_names_that_differ() -> None:
    transports = [
        {"type": "console"},
        {"type": "console"},
        {"type": "console", "name": "third"},
        {"type": "composite", "name": "inner", "transports": [{"type": "console", "name": "x"}]},
    ]
    transport: dict[str, object] = {"type": "composite", "transports": transports}
    made = destinations_from_configuration(Configuration("environment", transport))
    assert [one.name for one in made] == ["console", "console-2", "third", "inner.x"]


def test_every_mistake_is_told_with_key_value_and_what_is_allowed() -> None:
    assert mistakes_of(
        {
            "type": "composite",
            "transports": {
                "a": {"type": "http", "url": "h:5000", "timeout": "soon"},
                "b": {"type": "http", "compression": "zip"},
                "c": {"type": "file", "append": "perhaps", "log_file_path": "x"},
            },
        }
    ) == (
        "transport.transports.a.url is 'h:5000'; it must be http://HOST:PORT or https://HOST:PORT",
        "transport.transports.a.timeout is 'soon'; it must be a number of seconds above 0",
        "transport.transports.b.url is missing; it must be a text",
        "transport.transports.b.compression is 'zip'; it must be one of gzip",
        "transport.transports.c.append is 'perhaps'; it must be true or false",
    )


@pytest.mark.parametrize(
    "transport",
    [
        {"type": "http", "url": "http://h:1", "auth": f"{{apiKey: {KEY}"},
        {"type": "http", "url": "http://h:1", "auth": {"type": "api_key", "apiKey": [KEY]}},
        {"type": "http", "url": "http://h:1", "custom_headers": {"X": [KEY]}},
        {"type": "http", "url": f"ftp://user:{KEY}@h:1"},
        {"type": "http", "url": "http://h:1", "auth": {"type": "oauth2", "clientSecret": KEY}},
    ],
)
def test_a_mistake_beside_a_secret_does_not_show_it(transport: dict[str, object]) -> None:
    mistakes = mistakes_of(transport)
    assert mistakes
    assert KEY not in "\n".join(mistakes)


def test_a_file_that_is_no_yaml_is_said_without_its_content() -> None:
    Path("openlineage.yml").write_text(f"transport:\n  auth: {{apiKey: {KEY}\n  url: [\n")
    with pytest.raises(BadRecipe, match="no YAML") as bad:
        read_configuration()
    assert KEY not in str(bad.value)
    assert bad.value.__cause__ is None


def test_a_broken_variable_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__AUTH", f"{{apiKey: {KEY}}}")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", "http://h:1")
    with caplog.at_level("DEBUG"), pytest.raises(BadRecipe) as bad:
        destinations_from_configuration()
    assert KEY not in caplog.text + str(bad.value)


def test_a_configuration_does_not_show_its_transport() -> None:
    configuration = Configuration("environment", {"type": "http", "auth": {"apiKey": KEY}})
    assert KEY not in repr(configuration)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"type": "exact"}, r"filters\[0\] is .*exact.* it must be"),
        ({"type": "regex", "regex": "("}, r"filters: '\(' is no regular expression"),
        ({}, r"filters\[0\] is"),
        ({"color": "red"}, "wrong shape"),
    ],
)
def test_a_wrong_filter_is_told(wrong: dict[str, str], told: str) -> None:
    with pytest.raises(BadRecipe, match=told):
        read_configuration({"filters": [wrong]})
