"""HTTP as far as every client of ours needs it: credentials, TLS, and bodies that end."""

from __future__ import annotations

import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import httpx2

from mainstem.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mainstem.errors import MainstemError
    from mainstem.watch.connect.secret import Secret

MEGABYTE = 1024 * 1024


class Access(Protocol):
    """Where doors are and what opens them; without any of that, doors that are open."""

    @property
    def urls(self) -> tuple[str, ...]:
        """Any of them answers for all; the next is tried when one does not answer."""
        ...

    @property
    def username(self) -> str | None:
        """For basic authentication, with the password."""
        ...

    @property
    def password(self) -> Secret | None:
        """For basic authentication, with the user name."""
        ...

    @property
    def bearer(self) -> Secret | None:
        """A token, sent as it is."""
        ...

    @property
    def ca_file(self) -> str | None:
        """Certificates to trust in place of the system's."""
        ...

    @property
    def client_certificate(self) -> tuple[str, str] | None:
        """Paths of our own certificate and of its key."""
        ...

    @property
    def verify(self) -> bool:
        """Whether the other side's certificate is checked."""
        ...


def open_http(
    access: Access,
    seconds: float,
    refused: Callable[[str], MainstemError],
    transport: httpx2.BaseTransport | None,
) -> httpx2.Client:
    """A client that follows no redirect, so that no credential goes where it was not meant to."""
    headers: dict[str, str] = {}
    if access.bearer is not None:
        headers["Authorization"] = f"Bearer {access.bearer.reveal()}"
    auth = None
    if access.username is not None:
        auth = (access.username, access.password.reveal() if access.password else "")
    return httpx2.Client(
        auth=auth,
        headers=headers,
        verify=_verification(access, refused),
        follow_redirects=False,
        timeout=httpx2.Timeout(min(10.0, seconds), connect=min(5.0, seconds)),
        transport=transport,
        trust_env=False,
    )


def read_body(
    response: httpx2.Response,
    limit: int,
    deadline: float,
    unavailable: Callable[[str], MainstemError],
) -> bytes:
    """The whole body, unless it is larger or slower than allowed."""
    chunks: list[bytes] = []
    length = 0
    for chunk in response.iter_bytes():
        chunks.append(chunk)
        length += len(chunk)
        if length > limit:
            raise unavailable(f"the answer is larger than {limit} bytes")
        if monotonic() > deadline:
            raise unavailable("the answer takes too long")
    return b"".join(chunks)


def reason_of(error: httpx2.HTTPError, access: Access) -> str:
    """The kind of silence; of TLS also what is wrong with whose certificate."""
    found = _tls_error(error)
    if isinstance(found, ssl.SSLCertVerificationError):
        believes = f"ca_file {access.ca_file}" if access.ca_file else "the system's CAs"
        return f"its certificate is not believed by {believes}: {found.verify_message}"
    return type(error).__name__ if found is None else f"TLS: {found.reason or found}"


def _tls_error(error: BaseException | None) -> ssl.SSLError | None:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return error
        error = error.__cause__ or error.__context__
    return None


def _verification(access: Access, refused: Callable[[str], MainstemError]) -> ssl.SSLContext | bool:
    if access.ca_file is None and access.client_certificate is None:
        if not any(url.lower().startswith("https:") for url in access.urls):
            # trusts nobody, since nobody is asked to: reading the system's CAs takes a while
            return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return access.verify
    with _file_errors(refused, f"ca_file {access.ca_file}"):
        context = ssl.create_default_context(cafile=access.ca_file)
    if not access.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if access.client_certificate is not None:
        certificate, key = access.client_certificate
        with _file_errors(refused, f"client_certificate {certificate} with client_key {key}"):
            # a key with a passphrase must not make a service ask somebody for it
            context.load_cert_chain(certificate, key, password="")
    return context


@contextmanager
def _file_errors(refused: Callable[[str], MainstemError], what: str) -> Generator[None]:
    """An unusable file named by its key in the recipe and its path."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        if isinstance(error, ssl.SSLError):
            why = f"is not what is wanted there ({error.reason or error})"
        raise refused(f"{what}: {why}") from error
