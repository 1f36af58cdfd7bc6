"""Connection strings: a secret as a whole, but the place they lead to is none and goes on."""

from __future__ import annotations

import re

_AZURE = re.compile(
    r"(?:^|;)\s*(?:AccountKey|SharedAccessKey|SharedAccessSignature)=", re.IGNORECASE
)
_AZURE_PLACE = re.compile(
    r"(?:^|;)\s*(AccountName=[a-z0-9]{3,24}|Endpoint=sb://[a-z0-9.-]+/?)(?=;|$)", re.IGNORECASE
)
_QUESTDB = re.compile(r"(?:http|tcp)s?::")
_QUESTDB_PLACE = re.compile(r"(?:::|;)(addr=[\w.-]+(?::\d+)?)(?=;|$)")


def place_of(value: str) -> str | None:
    """The part of a connection string that names a server or account; None for any other value.

    >>> place_of("DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=c2VjcmV0")
    'AccountName=acme'
    >>> place_of("http::addr=quest:9000;username=admin;password=quest;")
    'addr=quest:9000'
    """
    if "=" not in value:
        return None
    if _AZURE.search(value):
        return ";".join(_AZURE_PLACE.findall(value))
    return ";".join(_QUESTDB_PLACE.findall(value)) if _QUESTDB.match(value) else None
