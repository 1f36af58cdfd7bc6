"""``mainstem token create|list|revoke``."""

from __future__ import annotations

import sys
from typing import Literal

import cyclopts

from mainstem.cli.store import DEFAULT_STORE, StoreUrl, opened, present
from mainstem.errors import BadRecipe, NotFound

app = cyclopts.App(name="token", help="Create, list and revoke API tokens.")


@app.command
def create(
    name: str, *, scope: Literal["read", "write"] = "read", store: StoreUrl = DEFAULT_STORE
) -> None:
    """Make a token and print its secret, once; from then on every request needs a token.

    Args:
        name: Whose it is, for your own memory.
        scope: ``read`` for every GET, ``write`` for everything.
        store: Where events and the graph are kept.
    """
    from mainstem.serve.store.tokens import Scope, create_token

    if not name.strip():
        raise BadRecipe("token create", ["NAME is empty; say whose it is, such as airflow"])
    with opened(store, "mainstem token", alone=False, make=True) as connection:
        secret = create_token(connection, name, Scope(scope), present())
    sys.stdout.write(secret + "\n")


@app.command(name="list")
def list_tokens(*, store: StoreUrl = DEFAULT_STORE, json: bool = False) -> None:
    """Print every token: id, scope, name, when made, when revoked; never a secret.

    Args:
        store: Where events and the graph are kept.
        json: Print the list as JSON.
    """
    import orjson

    from mainstem.said.times import iso
    from mainstem.serve.store.tokens import tokens

    with opened(store, "mainstem token", alone=False) as connection:
        listed = [
            {
                "id": one.id,
                "scope": one.scope.value,
                "name": one.name,
                "created": iso(one.created),
                "revoked": None if one.revoked is None else iso(one.revoked),
            }
            for one in tokens(connection)
        ]
    if json:
        sys.stdout.write(orjson.dumps({"version": 1, "tokens": listed}).decode() + "\n")
        return
    for one in listed:
        ended = f"  revoked {one['revoked']}" if one["revoked"] else ""
        sys.stdout.write(f"{one['id']}  {one['scope']:5}  {one['created']}  {one['name']}{ended}\n")


@app.command
def revoke(token_id: str, *, store: StoreUrl = DEFAULT_STORE) -> None:
    """Make a token worthless; a running server follows within a second.

    Args:
        token_id: The id that ``mainstem token list`` prints.
        store: Where events and the graph are kept.
    """
    from mainstem.serve.store.tokens import revoke_token, tokens

    with opened(store, "mainstem token", alone=False) as connection:
        if token_id not in [one.id for one in tokens(connection)]:
            raise NotFound("Token", token_id)
        revoke_token(connection, token_id, present())
