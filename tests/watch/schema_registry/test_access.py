from __future__ import annotations

import pytest

from mainstem.watch.connect.converters import Converter, Login
from mainstem.watch.connect.secret import Secret
from mainstem.watch.schema_registry.access import (
    NO_REGISTRY,
    RegistryAccess,
    Trust,
    choose_registry,
)
from mainstem.watch.schema_registry.fields import NoSchema

OURS = RegistryAccess(("https://registry:8081",), "us", Secret("ours"))
THEIRS = Login("them", Secret("theirs"))
SILENT = Converter()


def avro(*urls: str, login: Login | None = None) -> Converter:
    return Converter(uses_registry=True, urls=urls, login=login)


def test_the_connector_s_word_comes_before_the_worker_s_and_that_before_the_recipe_s() -> None:
    trust = Trust(OURS, ("other",))
    worker = avro("http://worker:8081")
    assert choose_registry(SILENT, SILENT, trust) == OURS
    assert choose_registry(avro(), worker, trust) == RegistryAccess(("http://worker:8081",))
    chosen = choose_registry(avro("http://other:1", login=THEIRS), worker, trust)
    assert chosen == RegistryAccess(("http://other:1",), "them", Secret("theirs"))


@pytest.mark.parametrize(
    "url",
    ["http://evil:8081", "https://registry.evil:8081", "https://registry@evil/", "http://10.0.0.1"],
)
def test_a_connector_cannot_send_us_to_a_host_that_nobody_named(url: str) -> None:
    chosen = choose_registry(avro(url), SILENT, Trust(OURS))
    assert isinstance(chosen, NoSchema)
    assert "schema_registry.hosts" in chosen.reason
    some = choose_registry(avro("https://registry:8081", url), SILENT, Trust(OURS))
    assert isinstance(some, NoSchema)


def test_hosts_may_be_named_with_their_port() -> None:
    trust = Trust(None, ("Other:9000",))
    assert choose_registry(avro("http://other:9000"), SILENT, trust) == RegistryAccess(
        ("http://other:9000",)
    )
    assert isinstance(choose_registry(avro("http://other:9001"), SILENT, trust), NoSchema)


@pytest.mark.parametrize("url", ["https://other", "https://registry:9999", "http://registry:8081"])
def test_the_recipe_s_credentials_go_only_to_the_recipe_s_own_registry(url: str) -> None:
    chosen = choose_registry(avro(url), SILENT, Trust(OURS, ("other",)))
    assert chosen == RegistryAccess((url,))


def test_the_same_registry_is_asked_as_the_recipe_says_unless_there_are_other_credentials() -> None:
    trust = Trust(OURS)
    assert choose_registry(avro("https://registry:8081/any/path"), SILENT, trust) == OURS
    own = choose_registry(avro("https://registry:8081", login=THEIRS), SILENT, trust)
    assert own == RegistryAccess(("https://registry:8081",), "them", Secret("theirs"))
    worker = avro("http://worker:8081", login=THEIRS)
    assert choose_registry(avro("http://worker:8081"), worker, trust) == RegistryAccess(
        ("http://worker:8081",), "them", Secret("theirs")
    )


def test_who_uses_no_registry_asks_none() -> None:
    strings = Converter(uses_registry=False)
    assert choose_registry(strings, avro("http://worker"), Trust(OURS)) is NO_REGISTRY
    assert choose_registry(SILENT, strings, Trust(OURS)) is NO_REGISTRY
    assert choose_registry(SILENT, SILENT, Trust()) is NO_REGISTRY
    assert choose_registry(avro(), SILENT, Trust()) == NoSchema(
        "nothing tells the address of a schema registry"
    )


def test_a_login_that_we_have_not_is_told_unless_the_recipe_has_one() -> None:
    wants = Converter(True, urls=("https://registry:8081",), cannot_log_in="x=OAUTHBEARER")
    told = choose_registry(wants, SILENT, Trust(hosts=("registry",)))
    assert isinstance(told, NoSchema)
    assert "x=OAUTHBEARER" in told.reason
    assert choose_registry(wants, SILENT, Trust(OURS)) == OURS
    assert isinstance(choose_registry(SILENT, wants, Trust()), NoSchema)
