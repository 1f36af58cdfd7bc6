"""Whether an id token is to be believed, and what it lets its owner do; joserfc does the checking.

Nothing of a token but its claims' names, the audience and the issuer is ever told: the rest may
be used by whoever reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from joserfc import jwt
from joserfc.errors import ClaimError, ExpiredTokenError, InvalidKeyIdError, JoseError
from joserfc.jws import JWSRegistry
from joserfc.jwt import JWTClaimsRegistry

from mainstem.errors import SigningKeyUnknown, SignInRefused
from mainstem.serve.store.tokens import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from joserfc.jwk import KeySet

    from mainstem.serve.oidc.settings import Claim, OidcSettings

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "Ed25519", "EdDSA"),
)
"""Signed with a key that the issuer alone has: none of them can be forged with a public one."""

SECONDS_CLOCKS_DIFFER = 60
# A header that we do not know is to be passed over, unless it says that it is critical (RFC 7515).
_REGISTRY = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)


def believed_claims(
    id_token: str, keys: KeySet, settings: OidcSettings, nonce: str, now: int
) -> dict[str, Any]:
    """The claims of a token that the issuer signed for us, now, for this attempt."""
    claims = _signed_claims(id_token, keys, settings)
    registry = JWTClaimsRegistry(
        now=now,
        leeway=SECONDS_CLOCKS_DIFFER,
        iss={"essential": True, "value": settings.issuer},
        sub={"essential": True},
        aud={"essential": True, "value": settings.client_id},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": nonce},
    )
    try:
        registry.validate(claims)
    except ClaimError as error:
        raise SignInRefused(_sentence(error, claims, settings)) from error
    # A token for several clients says which of them asked for it.
    party = claims.get("azp", settings.client_id)
    if party != settings.client_id:
        raise SignInRefused(f"the id token was made for another client, azp {party!r}")
    return claims


def _signed_claims(id_token: str, keys: KeySet, settings: OidcSettings) -> dict[str, Any]:
    try:
        claims = cast("Any", jwt.decode(id_token, keys, registry=_REGISTRY).claims)
    except InvalidKeyIdError as error:
        raise SigningKeyUnknown(f"no key of {settings.host} signed the id token") from error
    except (JoseError, ValueError, TypeError) as error:
        kind = error.error if isinstance(error, JoseError) else type(error).__name__
        raise SignInRefused(f"the id token of {settings.host} is not valid: {kind}") from error
    if not isinstance(claims, dict):
        raise SignInRefused(f"the id token of {settings.host} is not valid: it has no claims")
    return cast("dict[str, Any]", claims)


def _sentence(error: ClaimError, claims: Mapping[str, Any], settings: OidcSettings) -> str:
    if isinstance(error, ExpiredTokenError):
        return "the id token has expired; do the clocks of issuer and server agree?"
    match error.claim, claims.get(error.claim):
        case _, None:
            return f"the id token lacks {error.claim}"
        case "aud", said:
            return f"the id token is for {said!r}, not for the client {settings.client_id!r}"
        case "iss", said:
            return f"the id token is of the issuer {said!r}, not of {settings.issuer!r}"
        case "nonce", _:
            return "the id token was made for another sign-in (nonce)"
        case name, _:
            return f"the id token's {name} is not acceptable; do the clocks agree?"


def scope_of_claims(claims: dict[str, Any], settings: OidcSettings) -> Scope | None:
    """What somebody with these claims may do; None where not even read."""
    if any(_has(claims, one) for one in settings.writers):
        return Scope.WRITE
    if not settings.readers or any(_has(claims, one) for one in settings.readers):
        return Scope.READ
    return None


def _has(claims: dict[str, Any], wanted: Claim) -> bool:
    """Whether a claim is the wanted value or a list that holds it; dots lead into objects."""
    found: Any = claims
    for step in (wanted.name,) if wanted.name in claims else wanted.name.split("."):
        found = cast("Any", found.get(step)) if isinstance(found, dict) else None
    values = cast("list[Any]", found if isinstance(found, list) else [found])
    return any(_spelled(value) == wanted.value for value in values)


def _spelled(value: object) -> str | None:
    """A value as it is written in JSON; an object or null can be named by nobody."""
    match value:
        case bool():
            return "true" if value else "false"
        case str() | int() | float():
            return str(value)
        case _:
            return None
