"""HTTP as far as whoever asks thousands of questions needs it: credentials, TLS, bodies that end.

By urllib3: a question costs it three fifths of httpx2's CPU, and loading it half.
"""

from __future__ import annotations

import ssl
from base64 import b64encode
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    InsecureRequestWarning,
    NewConnectionError,
    ReadTimeoutError,
)

from mainstem import __version__
from mainstem.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mainstem.errors import MainstemError
    from mainstem.watch.connect.secret import Secret

MEGABYTE = 1024 * 1024
CHUNK = 64 * 1024

CONNECTIONS_KEPT = 32
"""To each address; more than we ever ask at once."""


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
    access: Access, seconds: float, refused: Callable[[str], MainstemError]
) -> urllib3.PoolManager:
    """Connections that are kept; their requests follow no redirect and are made once."""
    if not access.verify:
        # the recipe wants it so
        urllib3.disable_warnings(InsecureRequestWarning)
    return urllib3.PoolManager(
        maxsize=CONNECTIONS_KEPT,
        ssl_context=_verification(access, refused),
        timeout=urllib3.Timeout(connect=min(5.0, seconds), read=min(10.0, seconds)),
        # a credential goes nowhere but where it was meant to
        retries=False,
    )


def headers_of(access: Access) -> dict[str, str]:
    """What every request carries: who asks, and what opens the door."""
    headers = {
        "Accept": "application/json",
        "Accept-Encoding": "gzip, deflate",
        "User-Agent": f"mainstem/{__version__}",
    }
    if access.bearer is not None:
        headers["Authorization"] = f"Bearer {access.bearer.reveal()}"
    elif access.username is not None:
        password = access.password.reveal() if access.password else ""
        pair = b64encode(f"{access.username}:{password}".encode())
        headers["Authorization"] = f"Basic {pair.decode()}"
    return headers


def read_body(
    response: urllib3.BaseHTTPResponse,
    limit: int,
    deadline: float,
    unavailable: Callable[[str], MainstemError],
) -> bytes:
    """The whole body, unless it is larger or slower than allowed."""
    chunks: list[bytes] = []
    length = 0
    # as much as is there: waiting for a whole chunk would be waiting for who drips
    while chunk := response.read1(CHUNK, decode_content=True):
        chunks.append(chunk)
        length += len(chunk)
        if length > limit:
            raise unavailable(f"the answer is larger than {limit} bytes")
        if monotonic() > deadline:
            raise unavailable("the answer takes too long")
    return b"".join(chunks)


def reason_of(error: HTTPError, access: Access) -> str:
    """The kind of silence; of TLS also what is wrong with whose certificate."""
    found = _tls_error(error)
    if isinstance(found, ssl.SSLCertVerificationError):
        believes = f"ca_file {access.ca_file}" if access.ca_file else "the system's CAs"
        return f"its certificate is not believed by {believes}: {found.verify_message}"
    if found is not None:
        return f"TLS: {found.reason or found}"
    # a connection that is refused is, to urllib3, one that was not made in time
    if isinstance(error, NewConnectionError):
        return "cannot be reached"
    is_late = isinstance(error, ConnectTimeoutError | ReadTimeoutError)
    return "does not answer in time" if is_late else type(error).__name__


def _tls_error(error: BaseException | None) -> ssl.SSLError | None:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return error
        error = error.__cause__ or error.__context__
    return None


def _verification(access: Access, refused: Callable[[str], MainstemError]) -> ssl.SSLContext | None:
    if not any(url.lower().startswith("https:") for url in access.urls):
        # reading the system's CAs takes a while
        return None
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
