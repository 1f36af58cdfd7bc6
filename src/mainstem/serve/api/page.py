"""The web page: its built files, and index.html for every address that it understands itself."""

from __future__ import annotations

import gzip
import html
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).resolve().parents[1] / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
NOT_BUILT = (
    b"<!doctype html><title>Mainstem</title><p>The API answers under /api; the web page is not "
    b"built here. In a checkout: <code>make page</code>."
)
_NOT_OURS = ("/api/", "/healthz", "/readyz", "/metrics")
_BASE = b'<base href="/" />'
_SMALLEST_WORTH_PACKING = 1024


class Built(NamedTuple):
    """The page's files as they were built at one time."""

    stamp: int | None
    """When; None where there is no page."""

    page: bytes
    files: dict[str, Path]
    """By their paths: a path is looked up, never opened."""


def built_in(folder: Path) -> Built:
    """What a folder holds now."""
    index = folder / "index.html"
    files = {
        f"/{file.relative_to(folder).as_posix()}": file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file != index
    }
    stamp = _stamp(index)
    return Built(stamp, NOT_BUILT if stamp is None else index.read_bytes(), files)


def _stamp(file: Path) -> int | None:
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return None


class Page:
    """Answers for the page before anyone is asked for a token: its files hold no lineage."""

    def __init__(self, app: ASGIApp, folder: Path = STATIC, root: str = "") -> None:
        self._app = app
        self._root = root
        self._folder = folder
        self._built = built_in(folder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file or the page, or hand the request on."""
        response = None
        if self._root and scope["type"] == "http":
            scope = _below(self._root, scope)
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            path = scope["path"]
            headers = dict(scope["headers"])
            if not path.startswith(_NOT_OURS):
                packed = b"gzip" in headers.get(b"accept-encoding", b"")
                if path in self._built.files:
                    response = _file(self._built.files[path], path, packed=packed)
                elif b"text/html" in headers.get(b"accept", b""):
                    response = self._page()
        await (response or self._app)(scope, receive, send)

    def _page(self) -> Response:
        # Built anew under a running server, it names files that were not there before.
        if _stamp(self._folder / "index.html") != self._built.stamp:
            self._built = built_in(self._folder)
            _read.cache_clear()
        base = f'<base href="{html.escape(self._root)}/" />'.encode()
        headers = {**HEADERS, "Cache-Control": "no-cache"}
        page = self._built.page.replace(_BASE, base, 1)
        return Response(page, media_type="text/html", headers=headers)


def _below(root: str, scope: Scope) -> Scope:
    """The request without the root, which a proxy may take off or leave on."""
    path, raw = scope["path"], scope.get("raw_path") or scope["path"].encode()
    # Both are looked at: what is routed later is read from the raw path again.
    if not (f"{path}/".startswith(f"{root}/") and raw.startswith(root.encode())):
        return scope
    rest = {"path": path[len(root) :] or "/", "raw_path": raw[len(root) :] or b"/"}
    return {**scope, **rest}


def _file(file: Path, path: str, *, packed: bool) -> Response | None:
    try:
        body = _read(file, packed=packed)
    except FileNotFoundError:
        # Whoever opened the page before it was built anew asks for what it was then.
        return None
    # The names of assets hold a hash of what is in them.
    forever = path.startswith("/assets/")
    kept = "public, max-age=31536000, immutable" if forever else "no-cache"
    headers = {**HEADERS, "Cache-Control": kept, "Vary": "Accept-Encoding"}
    if packed and body[:2] == b"\x1f\x8b":
        headers["Content-Encoding"] = "gzip"
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(body, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _read(file: Path, *, packed: bool) -> bytes:
    body = file.read_bytes()
    if not packed or len(body) < _SMALLEST_WORTH_PACKING:
        return body
    return gzip.compress(body, mtime=0)
