"""Aliases: what symlinks say, what users add and take out; every decision can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Query, Response

from mainstem.errors import EventRefused
from mainstem.serve.api.parameters import Held, json_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes
from mainstem.serve.store import decisions
from mainstem.serve.store.decisions import AliasChoice
from mainstem.serve.store.surroundings import every_symlink

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.serve.api.backend import Backend
    from mainstem.sql.connection import Connection

router = router_of("/api/v2", "aliases")
Forget = Annotated[
    bool, Query(description="Take the decision itself back, so that symlinks alone speak.")
]


@router.get("/aliases", response_model=shapes.Aliases)
def list_aliases(backend: Held) -> Response:
    """Every alias that holds, and those that were taken out."""
    with backend.read() as connection:
        links = every_symlink(connection)
        choices = decisions.alias_choices(connection)
    decided = {choice[:4]: choice.accepted for choice in choices}
    said = [(one.namespace, one.name, other.namespace, other.name) for one, other in sorted(links)]
    holding = [_shown(*one, "symlink") for one in said if decided.get(one, True)]
    holding += [_shown(*one[:4], "user") for one in choices if one.accepted and one[:4] not in said]
    rejected = [_shown(*one[:4], "user") for one in choices if not one.accepted]
    return json_of({"aliases": holding, "rejected": rejected})


@router.put("/aliases", response_model=shapes.Aliases)
def put_alias(backend: Held, said: shapes.Alias) -> Response:
    """Say that two names are one thing; the first is the one it goes by."""
    choice = _choice(said, accepted=True)
    return _decide(backend, lambda one: decisions.decide_alias(one, choice, backend.now()))


@router.delete("/aliases", response_model=shapes.Aliases)
def delete_alias(backend: Held, said: shapes.Alias, *, forget: Forget = False) -> Response:
    """Say that two names are not one thing, whatever a symlink says; or forget what was said."""
    choice = _choice(said, accepted=False)
    if forget:
        return _decide(backend, lambda one: decisions.forget_alias(one, choice))
    return _decide(backend, lambda one: decisions.decide_alias(one, choice, backend.now()))


def _decide(backend: Backend, act: Callable[[Connection], None]) -> Response:
    backend.decide(act)
    backend.aliases_changed()
    return list_aliases(backend)


def _choice(said: shapes.Alias, *, accepted: bool) -> AliasChoice:
    if (said.name is None) != (said.otherName is None):
        raise EventRefused(422, "give both names, or neither to speak of whole namespaces")
    if not said.namespace or not said.otherNamespace or "" in (said.name, said.otherName):
        raise EventRefused(422, "a name must not be empty")
    names = (said.namespace, said.name, said.otherNamespace, said.otherName)
    if any("\0" in name for name in names if name):
        raise EventRefused(422, "a name must not hold U+0000")
    return AliasChoice(*names, accepted)


def _shown(
    namespace: str, name: str | None, other_namespace: str, other_name: str | None, origin: str
) -> dict[str, Any]:
    return {
        "namespace": namespace, "name": name, "otherNamespace": other_namespace,
        "otherName": other_name, "origin": origin,
    }  # fmt: skip
