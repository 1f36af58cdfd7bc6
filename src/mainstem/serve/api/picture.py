"""A graph as an SVG that needs nothing else, for a wiki or a portal; it looks as the page's own."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from mainstem.serve.graph.columns_of_hops import columns_of_hops

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH, HEIGHT = 248, 94
_SIZE = f'width="{WIDTH}" height="{HEIGHT}"'
_GAP_BESIDE, _GAP_BELOW, _MARGIN, _CAPTION = 90, 26, 32, 28
_INK, _PALE, _LINE, _ACCENT = "#0f172a", "#64748b", "#cbd5e1", "#0f766e"
_EDGE = "#94a3b8"
_FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
_XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
    f' orient="auto"><path d="M0 0 8 4 0 8z" fill="{_EDGE}"/></marker></defs>'
)
KINDS = {
    "TABLE": "Table",
    "VIEW": "View",
    "TOPIC": "Topic",
    "STREAM": "Stream",
    "QUEUE": "Queue",
    "FILE": "File",
    "INDEX": "Index",
    "COLLECTION": "Collection",
    "ENDPOINT": "Endpoint",
    "KAFKA_CONNECT": "Connector",
    "DEBEZIUM": "Connector",
    "SPARK": "Spark job",
    "FLINK": "Flink job",
    "AIRFLOW": "Airflow task",
    "DBT": "dbt model",
}
STATES = {
    "RUNNING": ("Running", "#15803d"),
    "COMPLETED": ("Completed", "#15803d"),
    "FAILED": ("Failed", "#b91c1c"),
    "ABORTED": ("Stopped", "#a16207"),
    "NEW": ("New", "#475569"),
    "DEGRADED": ("Degraded", "#a16207"),
    "UNKNOWN": ("Unknown", "#7e22ce"),
}
# XML has no way to write most control characters, not even escaped.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class _Place(NamedTuple):
    x: int
    y: int


def picture_of(
    root: str, nodes: Sequence[dict[str, Any]], edges: Sequence[dict[str, Any]], caption: str
) -> str:
    """The nodes and edges of an answer as SVG, on white."""
    ids = {node["id"] for node in nodes}
    lines = [
        (edge["source"], edge["target"])
        for edge in edges
        if {edge["source"], edge["target"]} <= ids
    ]
    columns = columns_of_hops(root, ids, lines)
    tallest = max(map(len, columns), default=1)
    places = dict(_placed(columns, tallest))
    width = _length(len(columns), WIDTH, _GAP_BESIDE) + 2 * _MARGIN
    height = _length(tallest, HEIGHT, _GAP_BELOW) + 2 * _MARGIN + _CAPTION
    return "\n".join(
        [
            f'<svg {_XMLNS} width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
            f'<g font-family="{_FONT}">',
            f"<title>{_xml(caption)}</title>",
            _ARROW,
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            *(_edge(places[source], places[target]) for source, target in lines),
            *(_card(node, places[node["id"]], is_root=node["id"] == root) for node in nodes),
            _text((_MARGIN, height - 14), 10, _PALE, _short(caption, width // 6)),
            "</g></svg>\n",
        ]
    )


def _length(count: int, size: int, gap: int) -> int:
    return max(1, count) * (size + gap) - gap


def _placed(columns: list[list[str]], tallest: int) -> Iterator[tuple[str, _Place]]:
    for across, column in enumerate(columns):
        spare = _length(tallest, HEIGHT, _GAP_BELOW) - _length(len(column), HEIGHT, _GAP_BELOW)
        for down, node in enumerate(column):
            x = _MARGIN + across * (WIDTH + _GAP_BESIDE)
            yield node, _Place(x, _MARGIN + spare // 2 + down * (HEIGHT + _GAP_BELOW))


def _edge(source: _Place, target: _Place) -> str:
    x, y, to_x, to_y = source.x + WIDTH, source.y + HEIGHT // 2, target.x, target.y + HEIGHT // 2
    # A line that runs against the flow needs a wider bend to be seen at all.
    bend = (to_x - x) // 2 if to_x >= x else 40 + int((x - to_x) ** 0.5 * 6)
    return (
        f'<path class="edge" d="M{x} {y} C{x + bend} {y} {to_x - bend} {to_y} {to_x} {to_y}"'
        f' fill="none" stroke="{_EDGE}" stroke-width="1.5" marker-end="url(#arrow)"/>'
    )


def _card(node: dict[str, Any], at: _Place, *, is_root: bool) -> str:
    word, tone = _state(node)
    rounded = 14 if node["type"] == "JOB" else 6
    parts = [
        f"<title>{_xml(node['namespace'])} {_xml(node['name'])}</title>",
        f'<rect {_SIZE} rx="{rounded}" fill="#fff" stroke="{_ACCENT if is_root else _LINE}"/>',
        f'<rect y="12" width="4" height="{HEIGHT - 24}" rx="2" fill="{tone}"/>',
        _text((14, 19), 10, _PALE, _kind(node)),
        _text((WIDTH - 12, 19), 10, tone, word, ' text-anchor="end"'),
        _text((14, 40), 13, _INK, _short(node["name"], 30), ' font-weight="600"'),
        _text((14, 58), 10, _PALE, _short(node["namespace"], 42)),
        _text((14, 78), 10, _PALE, _foot(node)),
    ]
    return f'<g class="node" transform="translate({at.x} {at.y})">{"".join(parts)}</g>'


def _state(node: dict[str, Any]) -> tuple[str, str]:
    connector = node["connector"]
    state = node["state"]
    if state is None:
        return "", _LINE
    if node["stale"]:
        return STATES["UNKNOWN"]
    if state == "RUNNING" and connector and connector["degraded"]:
        return STATES["DEGRADED"]
    return STATES.get(state, (state.lower(), STATES["NEW"][1]))


def _kind(node: dict[str, Any]) -> str:
    kind = "KAFKA_CONNECT" if node["connector"] else node["kind"]
    if kind in ("", "JOB"):
        return "Job" if node["type"] == "JOB" else "Dataset"
    return KINDS.get(kind) or kind.replace("_", " ").capitalize()


def _foot(node: dict[str, Any]) -> str:
    connector, columns = node["connector"], node["columns"]
    parts = [f"{connector['tasksRunning']}/{connector['tasks']} tasks"] if connector else []
    if columns:
        parts.append(f"{columns} column{'s' if columns > 1 else ''}")
    return " · ".join(parts)


def _text(at: tuple[int, int], size: int, colour: str, said: str, more: str = "") -> str:
    x, y = at
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{more}>{_xml(said)}</text>'


def _short(said: str, most: int) -> str:
    """A text that is too long, with its middle left out: both ends of a name tell most."""
    if len(said) <= most:
        return said
    return f"{said[: most // 2]}…{said[-(most - 1 - most // 2) :]}"


def _xml(said: str) -> str:
    return html.escape(_UNWRITABLE.sub("\ufffd", said))
