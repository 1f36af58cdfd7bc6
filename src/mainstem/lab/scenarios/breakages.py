"""What a person can break, how to mend it, and what the lineage must say about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from mainstem.lab.scenarios import lake, orders
from mainstem.lab.scenarios.expected import (
    INGESTION,
    LIVE_ANALYTICS,
    SUMMARY_APPLICATION,
)
from mainstem.lab.scenarios.misnaming import misname, name_rightly
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.scenarios.seeing import wait_for

if TYPE_CHECKING:
    from mainstem.lab.scenarios.pipeline import Pipeline

Action = Callable[["Pipeline"], None]
NOWHERE = "http://127.0.0.1:9"
"""A port that nobody listens on."""
NEW_COLUMN = "discount"
HIDDEN_STATISTICS = f"{lake.SUPPLIER_STATS}_hidden"


class Told(Struct, frozen=True):
    """An event that must follow."""

    type: str
    job: str
    field: str = ""
    """A column that an output of the event must have."""

    def is_in(self, event: Mapping[str, Any]) -> bool:
        """Whether this is the event."""
        if (event.get("eventType"), event["job"]["name"]) != (self.type, self.job):
            return False
        return not self.field or self.field in _fields(event)

    def __str__(self) -> str:
        return f"{self.type} of {self.job}" + (f" with column {self.field}" * bool(self.field))


class Breakage(Struct, frozen=True):
    """One thing to break; what is told is None where silence is right."""

    name: str
    summary: str
    broken: Action
    healed: Action
    told_when_broken: Told | None
    told_when_healed: Told | None
    expect_when_broken: str
    expect_when_healed: str


def _fail_connector(pipeline: Pipeline) -> None:
    wrong = orders.orders_to_s3_config(replace(pipeline.addresses, s3=NOWHERE))
    pipeline.connectors.configure(orders.ORDERS_TO_S3, wrong)
    pipeline.connectors.wait_until_failed(orders.ORDERS_TO_S3)


def _give_connector_back(pipeline: Pipeline) -> None:
    pipeline.add(orders.ORDERS_TO_S3)


def _evolve_schema(pipeline: Pipeline) -> None:
    pipeline.change_table(f"ALTER TABLE orders ADD COLUMN {NEW_COLUMN} numeric(4, 2) DEFAULT 0")
    pipeline.order_through()


def _devolve_schema(pipeline: Pipeline) -> None:
    pipeline.change_table(f"ALTER TABLE orders DROP COLUMN {NEW_COLUMN}")


def _take_s3_away(pipeline: Pipeline) -> None:
    pipeline.objects.close()
    pipeline.connectors.wait_until_failed(orders.ORDERS_TO_S3)


def _bring_s3_back(pipeline: Pipeline) -> None:
    pipeline.objects.open()
    pipeline.restart_until_the_lake_grows()


def _poison_topic(pipeline: Pipeline) -> None:
    pipeline.poison.pour()
    pipeline.connectors.wait_until_failed(orders.ORDERS_TO_ICEBERG)
    streams = (pipeline.ingestion, pipeline.live_analytics)

    def still_alive() -> list[str]:
        return [f"{job.name} still runs" for job in streams if job.is_alive()]

    wait_for("the end of both streams", lambda: not still_alive(), still_alive)


def _remove_poison(pipeline: Pipeline) -> None:
    pipeline.poison.remove()
    pipeline.restart_what_failed()


def _hide_table(pipeline: Pipeline) -> None:
    catalog = pipeline.addresses.catalog
    lake.rename_table(catalog, lake.SUPPLIER_STATS, to=HIDDEN_STATISTICS)
    pipeline.summary.launch()
    pipeline.summary.wait()


def _show_table(pipeline: Pipeline) -> None:
    catalog = pipeline.addresses.catalog
    lake.rename_table(catalog, HIDDEN_STATISTICS, to=lake.SUPPLIER_STATS)
    pipeline.summarise()


BREAKAGES = (
    Breakage(
        name="connector",
        summary="send the S3 sink to an address where nobody listens, so that its task fails",
        broken=_fail_connector,
        healed=_give_connector_back,
        told_when_broken=Told("FAIL", orders.ORDERS_TO_S3),
        told_when_healed=Told("START", orders.ORDERS_TO_S3),
        expect_when_broken="FAIL: the sink's run ends, and says why",
        expect_when_healed="START: a new run of the sink",
    ),
    Breakage(
        name="schema",
        summary=f"give the table orders a new column, {NEW_COLUMN}",
        broken=_evolve_schema,
        healed=_devolve_schema,
        told_when_broken=Told("RUNNING", orders.SOURCE, NEW_COLUMN),
        told_when_healed=None,
        expect_when_broken="RUNNING: the same run of the source, with the column on its topic",
        expect_when_healed="nothing: the registry keeps the newer schema as its latest",
    ),
    Breakage(
        name="job",
        summary="kill -9 the Spark job that counts, its JVM included",
        broken=lambda pipeline: pipeline.live_analytics.kill(),
        healed=lambda pipeline: pipeline.live_analytics.start(),
        told_when_broken=None,
        told_when_healed=Told("ABORT", LIVE_ANALYTICS),
        expect_when_broken="silence: the dead tell nothing; half a minute later its run is stale",
        expect_when_healed="ABORT of the run that was killed, and START of a new one",
    ),
    Breakage(
        name="record",
        summary="write a record that is no order to the orders' topic, so that its readers fail",
        broken=_poison_topic,
        healed=_remove_poison,
        told_when_broken=Told("FAIL", INGESTION),
        told_when_healed=Told("START", INGESTION),
        expect_when_broken="FAIL of both Spark streams and of the Iceberg sink, each with the"
        " reason; the S3 sinks copy bytes and go on",
        expect_when_healed="START: new runs of all that failed",
    ),
    Breakage(
        name="table",
        summary="hide the table that the batch job writes from the catalog, and run the job",
        broken=_hide_table,
        healed=_show_table,
        told_when_broken=Told("FAIL", SUMMARY_APPLICATION),
        told_when_healed=Told("COMPLETE", SUMMARY_APPLICATION),
        expect_when_broken="FAIL: the application ends by an exception, and says which",
        expect_when_healed="COMPLETE: the same job, run again",
    ),
    Breakage(
        name="s3",
        summary="take S3 away, objects kept",
        broken=_take_s3_away,
        healed=_bring_s3_back,
        told_when_broken=Told("FAIL", orders.ORDERS_TO_S3),
        told_when_healed=Told("START", orders.ORDERS_TO_S3),
        expect_when_broken=f"FAIL of the S3 sinks at once; of {INGESTION} when Iceberg gives up",
        expect_when_healed="START: new runs of all that failed",
    ),
    Breakage(
        name="pause",
        summary="pause the source connector",
        broken=lambda pipeline: pipeline.connectors.pause(orders.SOURCE),
        healed=lambda pipeline: pipeline.connectors.resume(orders.SOURCE),
        told_when_broken=Told("COMPLETE", orders.SOURCE),
        told_when_healed=Told("START", orders.SOURCE),
        expect_when_broken="COMPLETE: the source's run ends in order",
        expect_when_healed="START: a new run of the source",
    ),
    Breakage(
        name="delete",
        summary="delete the S3 sink connector",
        broken=lambda pipeline: pipeline.connectors.delete(orders.ORDERS_TO_S3),
        healed=_give_connector_back,
        told_when_broken=Told("COMPLETE", orders.ORDERS_TO_S3),
        told_when_healed=Told("START", orders.ORDERS_TO_S3),
        expect_when_broken="COMPLETE: the sink's run ends, with the edges that it had",
        expect_when_healed="START: a new run of the sink",
    ),
    Breakage(
        name="names",
        summary="let four programs call things by names of their own",
        broken=misname,
        healed=name_rightly,
        told_when_broken=Told("START", INGESTION),
        told_when_healed=Told("START", INGESTION),
        expect_when_broken="START: new runs under names that do not align; the data flows on,"
        " the graph is cut in six places, which mainstem doctor finds and heals",
        expect_when_healed="START: new runs, everything by one name again",
    ),
    Breakage(
        name="database",
        summary="stop PostgreSQL under the running source connector",
        broken=lambda pipeline: pipeline.stack.postgres.stop(),
        healed=lambda pipeline: pipeline.stack.postgres.start(),
        told_when_broken=None,
        told_when_healed=None,
        expect_when_broken="no end: Debezium tries again and again, and Connect calls it RUNNING",
        expect_when_healed="nothing new: the same run goes on",
    ),
    Breakage(
        name="worker",
        summary="kill -9 the Connect worker",
        broken=lambda pipeline: pipeline.stack.connect.kill(),
        healed=lambda pipeline: pipeline.stack.connect.start(),
        told_when_broken=None,
        told_when_healed=None,
        expect_when_broken="silence: what does not answer is not known to have ended",
        expect_when_healed="nothing new: the same runs go on",
    ),
)
"""Everything that ``mainstem lab break`` knows."""


_TOLD_BY_AGENT: dict[str, dict[str, Any]] = {
    "job": {
        "told_when_healed": None,
        "expect_when_broken": "silence: the runs of the application and of its last batch stay"
        " open",
        "expect_when_healed": "START of new runs; the agent never ends those that were killed",
    },
    "table": {
        "told_when_broken": Told("COMPLETE", SUMMARY_APPLICATION),
        "expect_when_broken": "COMPLETE of the application: the agent does not see an exception"
        " that no query ran into",
    },
}
"""What is different where OpenLineage's agent tells of the job."""


def find(name: str, pattern: Pattern = Pattern.MAINSTEM) -> Breakage | None:
    """The breakage of this name, with what can be expected of who tells of it."""
    found = next((each for each in BREAKAGES if each.name == name), None)
    if found is None or pattern is not Pattern.LISTENER:
        return found
    return replace(found, **_TOLD_BY_AGENT.get(name, {}))


def _fields(event: Mapping[str, Any]) -> set[str]:
    facets = (output.get("facets", {}) for output in event.get("outputs", ()))
    return {field["name"] for each in facets for field in each.get("schema", {}).get("fields", ())}
