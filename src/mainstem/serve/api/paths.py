"""Names with slashes, colons, percent signs and blanks in the path: routed whole, given decoded.

The server decodes a path before it is routed, which would split ``s3%3A%2F%2Flake`` into three
parts. So the raw path is split first; a slash inside a part stays encoded until its handler's
parameter is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from starlette.convertors import Convertor, register_url_convertor

from mainstem.serve.api.errors import error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class NameConvertor(Convertor[str]):
    """``{namespace:name}`` in a route: one part of the path, decoded."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        """From the path to the name."""
        return unquote(value)

    def to_string(self, value: str) -> str:
        """From the name to the path."""
        return _kept_whole(value)


register_url_convertor("name", NameConvertor())


class WholeNames:
    """Hands on the path with every part decoded but its own slashes and percent signs.

    U+0000 goes no further: one database knows it, the other does not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Rewrite the path of one request."""
        raw: bytes | None = scope.get("raw_path")
        if b"%00" in (raw or b"") or b"%00" in scope.get("query_string", b""):
            refusal = error_response(400, "U+0000 is in no name and in no word; the address has it")
            await refusal(scope, receive, send)
            return
        if raw and b"%" in raw:
            parts = raw.partition(b"?")[0].decode("latin-1").split("/")
            scope = {**scope, "path": "/".join(_kept_whole(unquote(part)) for part in parts)}
        await self._app(scope, receive, send)


def _kept_whole(part: str) -> str:
    return part.replace("%", "%25").replace("/", "%2F")
