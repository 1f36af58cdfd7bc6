"""https workers: whose certificate is believed, which one we show, and what is said if not."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme

from mainstem.errors import ConnectRefused, ConnectUnavailable
from mainstem.watch.connect.client import ConnectAccess, ConnectClient
from mainstem.watch.connect.redaction import AllowedKeys

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A handshake that fails is what is tested here."""


@contextmanager
def worker(certificate: trustme.LeafCert, wants: trustme.CA | None = None) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    if wants is not None:
        wants.configure_trust(context)
        context.verify_mode = ssl.CERT_REQUIRED
    server = QuietServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    return str(tmp_path / "ca.pem")


def look(access: ConnectAccess) -> None:
    with ConnectClient(access, AllowedKeys([])) as client:
        assert client.look().connectors == {}


def test_a_worker_whose_authority_is_named_is_believed(authority: trustme.CA, ca_file: str) -> None:
    with worker(authority.issue_cert("127.0.0.1")) as url:
        look(ConnectAccess((url,), ca_file=ca_file))
        look(ConnectAccess((url,), verify=False))


@pytest.mark.parametrize(
    ("certificate", "complaint"),
    [
        (
            lambda _ours: trustme.CA().issue_cert("127.0.0.1"),
            "unable to get local issuer certificate",
        ),
        (
            lambda ours: ours.issue_cert("127.0.0.1", not_after=LONG_AGO),
            "certificate has expired",
        ),
        (lambda ours: ours.issue_cert("192.0.2.7"), "IP address mismatch"),
    ],
    ids=["wrong authority", "expired", "another host's"],
)
def test_a_certificate_that_is_not_believed_says_why_and_by_whom(
    certificate: Callable[[trustme.CA], trustme.LeafCert],
    complaint: str,
    authority: trustme.CA,
    ca_file: str,
) -> None:
    with (
        worker(certificate(authority)) as url,
        pytest.raises(ConnectUnavailable) as caught,
    ):
        look(ConnectAccess((url,), ca_file=ca_file))
    assert f"not believed by ca_file {ca_file}" in str(caught.value)
    assert complaint in str(caught.value)


def test_without_a_ca_file_the_systems_are_named(authority: trustme.CA) -> None:
    with (
        worker(authority.issue_cert("127.0.0.1")) as url,
        pytest.raises(ConnectUnavailable, match="not believed by the system's CAs"),
    ):
        look(ConnectAccess((url,)))


def test_who_we_are_is_shown_to_a_worker_that_wants_to_know(
    authority: trustme.CA, ca_file: str, tmp_path: Path
) -> None:
    me = authority.issue_cert("watcher@example.org")
    me.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    me.cert_chain_pems[0].write_to_path(str(tmp_path / "cert.pem"))
    pair = (str(tmp_path / "cert.pem"), str(tmp_path / "key.pem"))
    with worker(authority.issue_cert("127.0.0.1"), wants=authority) as url:
        look(ConnectAccess((url,), ca_file=ca_file, client_certificate=pair))
        with pytest.raises(ConnectUnavailable):
            look(ConnectAccess((url,), ca_file=ca_file))


def test_a_file_that_cannot_be_used_is_named_by_its_key_and_path(
    ca_file: str, tmp_path: Path
) -> None:
    rubbish, missing = tmp_path / "rubbish.pem", str(tmp_path / "missing.pem")
    rubbish.write_text("not a certificate")
    for access, named in (
        (ConnectAccess(("https://c",), ca_file=missing), f"ca_file {missing}: No such file"),
        (ConnectAccess(("https://c",), ca_file=str(rubbish)), f"ca_file {rubbish}: is not what"),
        (
            ConnectAccess(("https://c",), ca_file=ca_file, client_certificate=(missing, missing)),
            f"client_certificate {missing} with client_key {missing}: No such file",
        ),
    ):
        with pytest.raises(ConnectRefused) as caught:
            look(access)
        assert named in str(caught.value)
