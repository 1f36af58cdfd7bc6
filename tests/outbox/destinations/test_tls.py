"""HTTPS: whose certificate is believed, and which one we show."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme

from mainstem.errors import BadRecipe, DestinationBusy
from mainstem.outbox import Configuration, StoredEvent, destinations_from_configuration
from outbox.backend import Backend, running_backend

EVENT = StoredEvent(1, "r1", b"{}", datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def files(authority: trustme.CA, tmp_path: Path) -> dict[str, str]:
    """The authority's certificate, and one with its key that identifies us."""
    client = authority.issue_cert("watcher@example.org")
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    client.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    client.cert_chain_pems[0].write_to_path(str(tmp_path / "cert.pem"))
    return {name: str(tmp_path / f"{name}.pem") for name in ("ca", "key", "cert")}


@pytest.fixture
def backend(authority: trustme.CA, request: pytest.FixtureRequest) -> Iterator[Backend]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = getattr(request, "param", ssl.CERT_NONE)
    with running_backend(context) as running:
        yield running


def send(backend: Backend, **settings: object) -> None:
    transport: dict[str, object] = {"type": "http", "url": backend.url, **settings}
    [made] = destinations_from_configuration(Configuration("environment", transport))
    with closing(made):
        made.deliver(EVENT)


def test_an_unknown_authority_is_not_believed(backend: Backend) -> None:
    with pytest.raises(DestinationBusy, match="certificate"):
        send(backend)
    assert backend.requests == []


def test_our_own_authority_is_believed_in_both_spellings(
    backend: Backend, files: dict[str, str]
) -> None:
    send(backend, verify=files["ca"])
    send(backend, sslContext={"caCertPath": files["ca"]})
    assert len(backend.accepted) == 2


def test_not_checking_must_be_said(backend: Backend) -> None:
    send(backend, verify=False)
    assert len(backend.accepted) == 1


@pytest.mark.parametrize("backend", [ssl.CERT_REQUIRED], indirect=True)
def test_a_backend_that_wants_to_know_us(backend: Backend, files: dict[str, str]) -> None:
    with pytest.raises(DestinationBusy):
        send(backend, sslContext={"caCertPath": files["ca"]})
    ours = {"clientCertPath": files["cert"], "clientKeyPath": files["key"]}
    send(backend, sslContext={"caCertPath": files["ca"], **ours})
    assert len(backend.accepted) == 1


def test_certificates_that_are_not_there_are_told(backend: Backend, files: dict[str, str]) -> None:
    with pytest.raises(BadRecipe, match="certificates cannot be read from none"):
        send(backend, sslContext={"caCertPath": "none.pem"})
    with pytest.raises(BadRecipe, match="add clientCertPath"):
        send(backend, sslContext={"clientKeyPath": files["key"]})
