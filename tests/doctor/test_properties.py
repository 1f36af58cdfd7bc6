"""On an aligned estate nothing is found; a renaming on one side of a seam always is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from doctor_drawing import Drawing, Name, are_one, kinds
from mainstem.doctor.likeness import are_near
from mainstem.doctor.picture import Picture
from mainstem.doctor.thinking import findings_in
from mainstem.names.servers import DEFAULT_PORTS

bounded = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"
words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=6, max_size=10)
ports = st.integers(1024, 60000).filter(lambda one: one not in DEFAULT_PORTS.values())


class Flow(NamedTuple):
    """One table's way: database, topic, lake, summary, report."""

    source: Name
    topic: Name
    table: Name
    summary: Name


Renamed = Callable[[str, Name], Name]


@st.composite
def estates(draw: st.DrawFn) -> list[Flow]:
    """Flows that share servers and nothing else; no name is near another."""
    names = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    assume(not any(are_near(a, b) for a in names for b in names if a != b))
    host, broker, bucket = (draw(words) + str(at) for at in range(3))
    port = draw(ports)
    return [
        Flow(
            (f"postgres://{host}:5432", f"shop.public.{name}"),
            (f"kafka://{broker}:{port}", f"shop.public.{name}"),
            (f"s3://{bucket}", f"lake/shop/{name}"),
            ("snowflake://acme-main", f"dwh.public.{name}_totals"),
        )
        for name in names
    ]


def same(_job: str, name: Name) -> Name:
    return name


def drawn(flows: list[Flow], called: Renamed = same) -> Picture:
    """The estate as its jobs tell it, each calling datasets in its own way."""
    drawing = Drawing()
    for number, flow in enumerate(flows):
        source, topic, table, summary = flow
        columns = (f"id_{number}", f"price_{number}", "note")
        steps = (
            ("capture", [source], [topic], {"type": "SOURCE_CONNECTOR"}),
            ("sink", [topic], [table], {"type": "SINK_CONNECTOR"}),
            ("alert", [topic], [], {}),
            ("sum", [table], [summary], {"integration": "SPARK"}),
            ("report", [summary], [], {}),
        )
        for step, reads, writes, more in steps:
            job = f"{step}-{number}"
            told = {name: called(job, name) for name in (*reads, *writes)}
            for name, said in told.items():
                if name in (table, summary, source):
                    drawing.dataset(said, columns=columns)
            made = {"columns_made": frozenset(drawing.dataset(told[one]) for one in writes)}
            drawing.job(
                job, [told[one] for one in reads], [told[one] for one in writes], **more, **made
            )
    return drawing.picture()


@given(estates())
@bounded
def test_nothing_is_found_on_an_aligned_estate(flows: list[Flow]) -> None:
    assert findings_in(drawn(flows)) == []


def on(host: str) -> Callable[[Name], Name]:
    return lambda name: (f"kafka://{host}:{name[0].rpartition(':')[2]}", name[1])


RENAMINGS: dict[str, tuple[str, str, Callable[[Name], Name]]] = {
    "localhost": ("topic", "server-loopback", on("localhost")),
    "127.0.0.1": ("topic", "server-loopback", on("127.0.0.1")),
    "database on localhost": (
        "summary-server",
        "server-loopback",
        lambda name: ("mysql://localhost:3306", name[1]),
    ),
    "unknown:unknown": ("topic", "kafka-unknown", lambda n: ("kafka://unknown:unknown", n[1])),
    "null:-1": ("topic", "kafka-unknown", lambda name: ("kafka://null:-1", name[1])),
    "null port": (
        "topic",
        "kafka-address",
        lambda name: (f"{name[0].rpartition(':')[0]}:null", name[1]),
    ),
    "no port": ("topic", "kafka-address", lambda n: (n[0].rpartition(":")[0], n[1])),
    "SASL_SSL prefix": (
        "topic",
        "kafka-address",
        lambda name: (f"kafka://SASL_SSL://{name[0].partition('://')[2]}", name[1]),
    ),
    "SASL_SSL alone": (
        "topic",
        "kafka-address",
        lambda name: (f"SASL_SSL://{name[0].partition('://')[2]}", name[1]),
    ),
    "broker list": (
        "topic",
        "kafka-address",
        lambda name: (f"kafka://other:9092,{name[0].partition('://')[2]}", name[1]),
    ),
    "another broker": ("topic", "kafka-listeners", on("entirely-different")),
    "case of a topic": ("topic", "letter-case", lambda name: (name[0], name[1].upper())),
    "case of a table": ("summary", "letter-case", lambda name: (name[0], name[1].upper())),
    "database left out": (
        "summary",
        "left-out-part",
        lambda name: (name[0], name[1].partition(".")[2]),
    ),
    "schema left out": (
        "summary",
        "left-out-part",
        lambda name: (name[0], name[1].replace(".public.", ".")),
    ),
    "s3a in the name": (
        "table",
        "location-spelling",
        lambda name: ("file", f"s3a://{name[0].partition('://')[2]}/{name[1]}"),
    ),
    "where the bucket ends": (
        "table",
        "location-spelling",
        lambda name: (f"{name[0]}/lake", name[1].removeprefix("lake/")),
    ),
    "a slash": ("table", "location-spelling", lambda name: (name[0], f"/{name[1]}/")),
    "the warehouse's name": (
        "table",
        "iceberg-name",
        lambda name: (f"{name[0]}/lake", name[1].removeprefix("lake/").replace("/", ".")),
    ),
    "a catalog's name": (
        "table",
        "iceberg-name",
        lambda name: ("hive://meta:9083", name[1].removeprefix("lake/").replace("/", ".")),
    ),
    "a separator": ("summary", "near-name", lambda n: (n[0], n[1].replace("_totals", "-totals"))),
    "a plural": ("summary", "near-name", lambda n: (n[0], n[1].removesuffix("s"))),
}


@pytest.mark.parametrize("renaming", RENAMINGS)
@given(flows=estates(), data=st.data())
@bounded
def test_a_renaming_on_one_side_is_found(
    renaming: str, flows: list[Flow], data: st.DataObject
) -> None:
    which, kind, rename = RENAMINGS[renaming]
    if which == "summary-server":
        flows = [one._replace(summary=("mysql://warehouse:3306", one.summary[1])) for one in flows]
    flow = data.draw(st.sampled_from(flows))
    renamed: Name = getattr(flow, which.partition("-")[0])
    number = flows.index(flow)
    steps = {
        "topic": ["capture", "sink", "alert"],
        "table": ["sink", "sum"],
        "summary": ["sum", "report"],
    }[which.partition("-")[0]]
    step = data.draw(st.sampled_from(steps))
    if kind == "kafka-listeners":
        # Of a cluster nothing else is known: that both sides fit is all there is to go by.
        step = "capture"
    other = rename(renamed)

    def called(job: str, name: Name) -> Name:
        return other if job == f"{step}-{number}" and name == renamed else name

    found = findings_in(drawn(flows, called))
    assert kind in kinds(found), [(one.kind, one.title) for one in found]
    (told,) = [one for one in found if one.kind == kind]
    assert are_one([told], renamed, other)
    assert {(node.namespace, node.name) for node in told.nodes} >= {renamed, other}
