"""``mainstem serve``: the backend."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import socket
import sys
from typing import TYPE_CHECKING, Any

from mainstem import clock
from mainstem.cli.garbage import seldom_look_for_cycles
from mainstem.cli.store import DEFAULT_STORE, StoreUrl, keep_freed_memory
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.oidc.sign_in import SignIn

CLIENT_SECRET = "MAINSTEM_OIDC_CLIENT_SECRET"  # noqa: S105 - its name
SECONDS_TO_FINISH = 10
SECONDS_KEPT_OPEN = 75
"""Longer than clients keep a connection that they do not use: a server that hangs up first may
do so while the next event is on its way."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 5000,
    store: StoreUrl = DEFAULT_STORE,
    root_path: str = "",
    insecure: bool = False,
    public_url: str | None = None,
    oidc_issuer: str | None = None,
    oidc_client_id: str | None = None,
    oidc_scopes: str = "openid",
    oidc_read_claim: tuple[str, ...] = (),
    oidc_write_claim: tuple[str, ...] = (),
    oidc_host: tuple[str, ...] = (),
) -> None:
    """Take OpenLineage events, answer Marquez's API and ours.

    Args:
        host: Where to listen; beyond loopback a token must exist, or an issuer be named.
        port: The port to listen on.
        store: Where events and the graph are kept.
        root_path: The path below which a proxy shows it, such as /lineage.
        insecure: Listen beyond loopback although no token exists.
        public_url: The address that browsers use, such as https://lineage.example.com; an issuer
            sends them back to it.
        oidc_issuer: An OpenID Connect issuer that people sign in with. A client's secret is read
            from MAINSTEM_OIDC_CLIENT_SECRET.
        oidc_client_id: As whom the issuer knows this server.
        oidc_scopes: What the issuer is asked for.
        oidc_read_claim: CLAIM=VALUE of those who may read; may be said again. Without any, all
            whom the issuer signs in.
        oidc_write_claim: CLAIM=VALUE of those who may write too; may be said again.
        oidc_host: A host on which the issuer has endpoints, beside its own; may be said again.
    """
    import gc

    # All that is made until requests come stays: looking for garbage among it takes a third of
    # the start.
    gc.disable()
    keep_freed_memory()
    import uvicorn

    from mainstem.cli.logs import set_up_logs
    from mainstem.doctor.thinking import judge
    from mainstem.scrub import scrub
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.api.connections import BoundedProtocol
    from mainstem.serve.app import make_app
    from mainstem.sql.opening import open_database

    set_up_logs(normally=logging.WARNING)
    root = root_of(root_path)
    sign_in = sign_in_of(
        oidc_issuer,
        client_id=oidc_client_id,
        public_url=public_url or address_of(host, port) + root,
        scopes=oidc_scopes,
        read_claims=oidc_read_claim,
        write_claims=oidc_write_claim,
        hosts=oidc_host,
    )
    listening = _listen(host, port)
    backend = Backend(open_database(store), clock.now).open(
        f"mainstem serve, process {os.getpid()}"
    )
    backend.sign_in = sign_in
    backend.findings.judge = judge
    try:
        refuse_strangers(backend, host, insecure=insecure)
    except BadRecipe:
        backend.close()
        raise
    seldom_look_for_cycles()
    if backend.slow_search:
        print(f"mainstem serve: {backend.slow_search}", file=sys.stderr)
    print(f"mainstem serve: http://{host}:{port}, store {scrub(store)}", file=sys.stderr)
    config = uvicorn.Config(
        make_app(backend, root),
        http=BoundedProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        timeout_keep_alive=SECONDS_KEPT_OPEN,
    )
    uvicorn.Server(config).run(sockets=[listening])


def root_of(said: str) -> str:
    """A root path without its last slash; only what needs no escaping in a path or in HTML."""
    root = said.rstrip("/")
    if re.fullmatch(r"(/[\w.~-]*[\w~-][\w.~-]*)*", root, re.ASCII):
        return root
    allowed = "a path such as /lineage: a slash, then letters, digits, - . _ ~"
    raise BadRecipe("serve", [f"--root-path {said!r} is not {allowed}"])


def address_of(host: str, port: int) -> str:
    """The address that this server has for browsers of the same machine."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def sign_in_of(issuer: str | None, **said: Any) -> SignIn | None:
    """How people sign in by OpenID Connect; None where no issuer is named."""
    if issuer is None:
        flags = {
            "client_id": "--oidc-client-id",
            "hosts": "--oidc-host",
            "read_claims": "--oidc-read-claim",
            "write_claims": "--oidc-write-claim",
        }
        alone = [flag for name, flag in flags.items() if said[name]]
        if alone:
            raise BadRecipe(
                "serve", [f"{flag} means nothing without --oidc-issuer" for flag in alone]
            )
        return None
    from mainstem.serve.oidc.issuer import Issuer
    from mainstem.serve.oidc.settings import checked_settings
    from mainstem.serve.oidc.sign_in import SignIn

    settings = checked_settings(issuer=issuer, **said)
    return SignIn(settings, Issuer(settings, os.environ.get(CLIENT_SECRET) or None))


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket, taken before the store is opened: what cannot be served is not touched."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        reason = f"cannot listen on {host}, port {port}: {why}"
        raise BadRecipe("serve", [f"{reason}; choose another with --port or --host"]) from error
    bound.setblocking(False)
    return bound


def refuse_strangers(backend: Backend, host: str, *, insecure: bool) -> None:
    """Raise where others could reach a server that asks for neither a token nor a sign-in."""
    from mainstem.serve.store.tokens import tokens

    if backend.sign_in is not None:
        backend.always_guarded = True
        return
    with backend.read() as connection:
        guarded = any(token.revoked is None for token in tokens(connection))
    if insecure or is_loopback(host):
        return
    if guarded:
        # Should the last token be revoked while the server runs, nobody is let in.
        backend.always_guarded = True
        return
    advice = (
        "make a token with: mainstem token create NAME --scope write; or let people sign in with "
        "--oidc-issuer URL --oidc-client-id ID; or say --insecure"
    )
    raise BadRecipe("serve", [f"--host {host} lets others in, and no token exists; {advice}"])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address, by every name it has."""
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return False
    return all(ipaddress.ip_address(address[4][0]).is_loopback for address in found)
