from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trustme
from urllib3.exceptions import ConnectTimeoutError

from mainstem.errors import RegistryRefused, RegistryUnavailable
from mainstem.watch.connect.fake_http import Answered, Asked, FakeHttp
from mainstem.watch.connect.http import MEGABYTE
from mainstem.watch.connect.secret import Secret
from mainstem.watch.schema_registry.access import RegistryAccess
from mainstem.watch.schema_registry.client import Limits, RegistryClient, SubjectFields
from mainstem.watch.schema_registry.fake import FakeRegistry
from mainstem.watch.schema_registry.fields import Field, NoSchema, SchemaVersion
from watch.schema_registry.tls import tls_server
from watch.schema_registry.trees import lines

ORDER = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
PROTO = 'syntax = "proto3"; message Order { int64 id = 1; }'


def client(registry: FakeRegistry, *urls: str, **access: object) -> RegistryClient:
    entry = RegistryAccess(urls or ("http://r:8081",), **access)  # pyright: ignore[reportArgumentType]
    return RegistryClient(entry, http=registry.http())


def test_the_latest_version_with_its_id_in_every_format() -> None:
    registry = FakeRegistry()
    registry.register("orders-value", ORDER)
    registry.register("payments-value", PROTO, "PROTOBUF")
    number = registry.register("refunds-value", {"properties": {"id": {"type": "integer"}}}, "JSON")
    asked = client(registry, "http://r:8081/apis/ccompat/v7/")
    assert asked.find(["orders-value"]) == SubjectFields(
        SchemaVersion("orders-value", 1, 1, "AVRO"), (Field("id", "long"),)
    )
    found = asked.find(["refunds-value"])
    assert isinstance(found, SubjectFields)
    assert found.schema == SchemaVersion("refunds-value", 1, number, "JSON")
    assert registry.requests[0] == "/apis/ccompat/v7/subjects/orders-value/versions/latest"
    assert isinstance(asked.find(["payments-value"]), SubjectFields)


def test_a_subject_s_name_is_escaped() -> None:
    registry = FakeRegistry()
    registry.register("a/b c%?-value", ORDER)
    assert isinstance(client(registry).find(["a/b c%?-value"]), SubjectFields)


def test_the_first_subject_that_exists_is_it() -> None:
    registry = FakeRegistry()
    registry.register("shop.Order", ORDER)
    found = client(registry).find(["orders.Envelope", "shop.Order"])
    assert isinstance(found, SubjectFields)
    assert client(registry).find(["nobody"]) == NoSchema("the registry has no subject nobody")


def test_a_record_s_own_subject_is_found_behind_the_topic_if_it_is_alone() -> None:
    registry = FakeRegistry()
    registry.register("orders-shop.Order", ORDER)
    registry.register("orders-value", ORDER)
    registry.register("orders-old-shop.Order", ORDER)
    found = client(registry).find([], "orders-")
    assert isinstance(found, SubjectFields)
    assert found.schema is not None
    assert found.schema.subject == "orders-shop.Order"
    registry.register("orders-shop.Cancelled", ORDER)
    several = client(registry).find([], "orders-")
    assert isinstance(several, NoSchema)
    assert "shop.Cancelled" in several.reason


def test_references_are_followed_and_asked_for_once() -> None:
    registry = FakeRegistry()
    registry.register("money", {"type": "fixed", "name": "Money", "size": 8})
    to_money = {"name": "Money", "subject": "money", "version": 1}
    line = {"type": "record", "name": "Line", "fields": [{"name": "price", "type": "Money"}]}
    registry.register("line", line, references=[to_money])
    order = {"type": "record", "name": "Order", "fields": [{"name": "line", "type": "Line"}]}
    to_line = {"name": "Line", "subject": "line", "version": 1}
    registry.register("orders-value", order, references=[to_line, to_money])
    asked = client(registry)
    found = [asked.find(["orders-value"]) for _ in range(3)][-1]
    assert isinstance(found, SubjectFields)
    assert lines(found.fields) == ["line record", "line.price fixed(8)"]
    assert sum("/line/" in request for request in registry.requests) == 1
    assert sum("/orders-value/" in request for request in registry.requests) == 3


def test_references_that_go_in_circles_or_nowhere_end() -> None:
    registry = FakeRegistry()
    here = {"name": "b.proto", "subject": "b", "version": 1}
    there = {"name": "a.proto", "subject": "a", "version": 1}
    registry.register("a", 'syntax="proto3"; message A { B b = 1; }', "PROTOBUF", [here])
    registry.register("b", 'syntax="proto3"; message B { A a = 1; }', "PROTOBUF", [there])
    found = client(registry).find(["a"])
    assert isinstance(found, SubjectFields)
    assert lines(found.fields) == ["b message?", "b.a recursive(A)?"]
    registry.register("c", PROTO, "PROTOBUF", [{"name": "d", "subject": "gone", "version": 2}])
    lacking = client(registry).find(["c"])
    assert isinstance(lacking, NoSchema)
    assert "gone version 2" in lacking.reason
    # what was missing may come
    for _ in range(2):
        registry.register("gone", PROTO, "PROTOBUF")
    assert isinstance(client(registry).find(["c"]), SubjectFields)


def test_a_schema_that_cannot_be_read_is_no_schema_with_its_reason() -> None:
    registry = FakeRegistry()
    registry.register("x", "garbage", "PROTOBUF")
    found = client(registry).find(["x"])
    assert isinstance(found, NoSchema)
    assert found.reason.startswith("x version 1: Protobuf schema: line 1")


def test_credentials_are_sent_as_the_registry_wants_them() -> None:
    registry = FakeRegistry()
    client(registry, username="ann", password=Secret("pw")).find(["x"])
    client(registry, bearer=Secret("token")).find(["x"])
    client(registry).find(["x"])
    assert registry.authorisations == ["Basic YW5uOnB3", "Bearer token", None]


@pytest.mark.parametrize("status", [500, 503, 429, 302, 301])
def test_silence_is_not_the_end_of_a_subject(status: int) -> None:
    registry = FakeRegistry()
    registry.trouble = status
    with pytest.raises(RegistryUnavailable, match=str(status)):
        client(registry).find(["x"])


def test_a_registry_that_says_no() -> None:
    registry = FakeRegistry()
    registry.trouble = 401
    with pytest.raises(RegistryRefused, match="401"):
        client(registry, username="ann", password=Secret("hunter2")).find(["x"])


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, b"<html>proxy</html>"),
        (200, b"<html>login</html>"),
        (200, b"[]"),
        (200, b'{"id": 1}'),
        (200, b'"' + b"x" * (9 * MEGABYTE) + b'"'),
    ],
)
def test_what_is_no_answer_of_a_registry_is_silence(status: int, body: bytes) -> None:
    http = FakeHttp(lambda _: Answered(status, body=body))
    asked = RegistryClient(RegistryAccess(("http://r",)), http=http)
    with pytest.raises(RegistryUnavailable):
        asked.find(["x"])


def test_the_next_address_is_asked_when_one_does_not_answer_and_stays_preferred() -> None:
    registry = FakeRegistry()
    registry.register("x", ORDER)
    hosts: list[str | None] = []

    def answer(request: Asked) -> Answered:
        hosts.append(request.host)
        if request.host == "one":
            raise ConnectTimeoutError("away")
        return Answered(*registry.answer(request.target))

    access = RegistryAccess(("http://one", "http://two"))
    asked = RegistryClient(access, http=FakeHttp(answer))
    assert isinstance(asked.find(["x"]), SubjectFields)
    assert isinstance(asked.find(["x"]), SubjectFields)
    assert hosts == ["one", "two", "two"]


def test_an_error_never_tells_a_credential() -> None:
    access = RegistryAccess(("http://127.0.0.1:9",), "ann", Secret("hunter2"))
    with (
        RegistryClient(access, Limits(seconds=0.5)) as asked,
        pytest.raises(RegistryUnavailable) as caught,
    ):
        asked.find(["x"])
    assert "hunter2" not in f"{caught.value!r} {access!r}"


def test_mutual_tls(tmp_path: Path) -> None:
    authority = trustme.CA()
    ours = tmp_path / "client.pem"
    authority.issue_cert("client@shop").private_key_and_cert_chain_pem.write_to_path(str(ours))
    ca_file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    registry = FakeRegistry()
    registry.register("x", ORDER)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    with tls_server(registry, context) as url:
        certificate = (str(ours), str(ours))
        access = RegistryAccess((url,), ca_file=str(ca_file), client_certificate=certificate)
        with RegistryClient(access) as asked:
            assert isinstance(asked.find(["x"]), SubjectFields)
        with (
            RegistryClient(RegistryAccess((url,), ca_file=str(ca_file))) as stranger,
            pytest.raises(RegistryUnavailable),
        ):
            stranger.find(["x"])


def test_a_certificate_that_cannot_be_read_is_a_mistake_in_the_recipe(tmp_path: Path) -> None:
    missing = str(tmp_path / "nobody.pem")
    with pytest.raises(RegistryRefused, match="client_certificate"):
        RegistryClient(RegistryAccess(("https://r",), client_certificate=(missing, missing)))
