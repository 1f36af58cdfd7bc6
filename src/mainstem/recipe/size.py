"""Sizes as people write them."""

from __future__ import annotations

import re

_UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*(kB|MB|GB|KiB|MiB|GiB)?")


def parse_size(value: object) -> int:
    """The bytes of a number of bytes, or of a number with its unit.

    >>> parse_size("500MB"), parse_size("1GiB")
    (500000000, 1073741824)
    """
    found = _FORM.fullmatch(str(value).strip()) if not isinstance(value, bool) else None
    size = int(float(found[1]) * _UNITS.get(found[2], 1)) if found else 0
    if size == 0:
        raise ValueError("must be bytes, or a number with kB, MB, GB, KiB, MiB or GiB, above 0")
    return size
