"""The report of an ingestion: a table for people, JSON for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TextIO

from msgspec import Struct
from msgspec.structs import asdict

from mainstem.cli.plainly import plain
from mainstem.watch.loop.ingest_report import ClusterReport, ConnectorReport, Verdict

REPORT_SCHEMA = 1
_UNKNOWN = (Verdict.PARTLY, Verdict.UNRESOLVED, Verdict.UNREADABLE)
_SEEN = (*_UNKNOWN, Verdict.RESOLVED, Verdict.LEFT_OUT, Verdict.NOT_PREVIEWED)

_COLUMNS = ("connector", "cluster", "type", "state", "lineage", "in → out", "told")

_SILENCED = "nothing was told: the OpenLineage configuration filters everything out or is disabled"


class IngestReport(Struct, frozen=True):
    """Everything about one run of a recipe."""

    recipe: str
    sink: str
    journal: str
    dry_run: bool
    preview: bool
    told: int
    """Events or proposals made."""

    undelivered: int
    refused: int
    ignored: tuple[str, ...]
    """Keys of the recipe that mean nothing here."""

    clusters: tuple[ClusterReport, ...]

    def connectors(self) -> Iterator[ConnectorReport]:
        """Of every cluster."""
        return (each for cluster in self.clusters for each in cluster.connectors)

    def count(self, *verdicts: Verdict) -> int:
        """How many connectors came out so."""
        return sum(cluster.count(*verdicts) for cluster in self.clusters)

    def failures(self) -> tuple[str, ...]:
        """Why this run is no success."""
        told = [f"{each.name}: {each.trouble}" for each in self.clusters if each.trouble]
        if self.undelivered:
            told.append(f"{self.undelivered} of the events were not delivered")
        if self.refused:
            told.append(f"{self.refused} of the events were refused")
        read = any(each.trouble is None for each in self.clusters)
        return (*told, *self._emptiness()) if read else tuple(told)

    def warnings(self) -> tuple[str, ...]:
        """What a person should look at although the run went through."""
        unknown = (each for each in self.connectors() if each.verdict in _UNKNOWN)
        return (
            *self.ignored,
            *(f"{each.name}: {reason}" for each in unknown for reason in each.reasons),
            *(
                f"{each.name}: {each.unasked}"
                for each in self.connectors()
                if each.unasked and each.unasked not in each.reasons
            ),
        )

    def as_json(self) -> bytes:
        """For machines; the shape has a number."""
        import orjson

        failures, warnings = self.failures(), self.warnings()
        told: dict[str, Any] = {
            "schema": REPORT_SCHEMA,
            "status": "failure" if failures else "warnings" if warnings else "success",
            "failures": failures,
            "warnings": warnings,
            "totals": self._totals(),
            **{name: value for name, value in asdict(self).items() if name != "ignored"},
        }
        return orjson.dumps(told, default=plain, option=orjson.OPT_INDENT_2)

    def _totals(self) -> dict[str, int]:
        verdicts = {each.value.replace(" ", "_"): self.count(each) for each in Verdict}
        edges = sum(each.edges for each in self.connectors())
        columns = sum(each.columns for each in self.connectors())
        return {"seen": self.count(*_SEEN), **verdicts, "edges": edges, "columns": columns}

    def _emptiness(self) -> tuple[str, ...]:
        """A run that found no lineage never looks like one that did."""
        if any(each.edges for each in self.connectors()):
            return () if self.told else (_SILENCED,)
        seen, out = self.count(*_SEEN), self.count(Verdict.LEFT_OUT)
        if seen == 0:
            gone = self.count(Verdict.GONE)
            return () if gone and self.told else ("nothing was told: no connector was seen",)
        if out == seen:
            number = "the only connector" if seen == 1 else f"any of the {seen} connectors"
            return (f"nothing was told: connector_patterns does not let {number} through",)
        return (f"no lineage was found: connectors whose lineage is unknown: {seen - out}",)


def words_about_nobody(
    declared: Sequence[str], clusters: Sequence[ClusterReport]
) -> tuple[str, ...]:
    """A line for each generic connector that no cluster has; none while one cannot be read."""
    if any(cluster.trouble for cluster in clusters):
        return ()
    reports = (each for cluster in clusters for each in cluster.connectors)
    there = {each.name for each in reports if each.verdict is not Verdict.GONE}
    return tuple(
        f"source.config.generic_connectors: no connector is called {name!r}"
        for name in dict.fromkeys(declared)
        if name not in there
    )


def print_report(report: IngestReport, file: TextIO) -> None:
    """The table, and below it what went wrong and what is not known."""
    lines = [*_table(report)]
    for kind, told in (("warning", report.warnings()), ("failure", report.failures())):
        lines += [f"{kind}: {each}" for each in told]
    print(*lines, _summary(report), sep="\n", file=file)


def _table(report: IngestReport) -> Iterator[str]:
    """One line per connector, however many: rich's own table takes a millisecond for each."""
    rows = [
        (
            each.name, each.cluster, each.type or "", each.state or "", each.verdict.value,
            f"{len(each.inputs)} → {len(each.outputs)}", ", ".join(each.told),
        )
        for each in report.connectors()
    ]  # fmt: skip
    if not rows:
        return
    widths = [max(map(_cells, column)) for column in zip(_COLUMNS, *rows, strict=True)]
    for row in (_COLUMNS, *rows):
        cells = zip(row, widths, strict=True)
        padded = [text + " " * (width - _cells(text)) for text, width in cells]
        yield "  ".join(padded).rstrip()


@cache
def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _summary(report: IngestReport) -> str:
    counts = {each: report.count(each) for each in Verdict}
    parts = [f"{number} {verdict.value}" for verdict, number in counts.items() if number]
    seen = report.count(*_SEEN)
    verb = "would be told" if report.dry_run else "told"
    return f"{seen} seen: {', '.join(parts) or 'nothing'}; {report.told} {verb} ({report.sink})"
