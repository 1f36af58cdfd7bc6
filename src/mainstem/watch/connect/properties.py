"""A Java properties file, as far as a worker's is written."""

from __future__ import annotations


def parse_properties(text: str) -> dict[str, str]:
    r"""The keys and values; comments, continued lines and all three separators understood.

    >>> parse_properties("# c\nbootstrap.servers = b1:9092,\\\n  b2:9092\n")
    {'bootstrap.servers': 'b1:9092,b2:9092'}
    """
    found: dict[str, str] = {}
    pending = ""
    for line in text.splitlines():
        stripped = line.lstrip()
        if not pending and (not stripped or stripped[0] in "#!"):
            continue
        joined = pending + stripped
        # an odd number of backslashes at the end continues the line
        if (len(joined) - len(joined.rstrip("\\"))) % 2:
            pending = joined[:-1]
            continue
        pending = ""
        key, value = _split(joined)
        found[key] = value
    return found


def _split(line: str) -> tuple[str, str]:
    for place, character in enumerate(line):
        if character in "=: \t" and (place == 0 or line[place - 1] != "\\"):
            rest = line[place:].lstrip()
            if rest[:1] in {"=", ":"}:
                rest = rest[1:]
            return line[:place].replace("\\", ""), rest.lstrip().replace("\\\\", "\\")
    return line, ""
