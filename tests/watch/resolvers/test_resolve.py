from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers import reads, resolve
from mainstem.watch.resolvers.model import Declaration, Resolution, Symlink, Unresolved
from mainstem.watch.resolvers.told import as_json, connector_from
from watch.resolvers.connectors import KAFKA, connector, edges, resolved, topic

FILE_SINK = "org.apache.kafka.connect.file.FileStreamSinkConnector"
FILE_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector"


def file_sink(**more: str) -> dict[str, str]:
    config = {"connector.class": FILE_SINK, "topics": "a, b", "file": "/out"}
    return config | {key.replace("__", "."): value for key, value in more.items()}


def test_seen_topics_are_cut_down_to_those_the_config_names() -> None:
    told = resolve(connector("sink", file_sink(), "a", "stale"))
    assert edges(told) == {("a", "/out", "seen"), ("b", "/out", "config")}


def test_a_topics_regex_matches_whole_names_of_topics_seen() -> None:
    config = {"connector.class": FILE_SINK, "topics.regex": "or.*s", "file": "/out"}
    told = resolved(resolve(connector("sink", config, "orders", "orders2", "colors")))
    assert told.inputs == (topic("orders"),)
    unknown = resolved(resolve(connector("sink", config)))
    assert (unknown.inputs, bool(unknown.unresolved)) == ((), True)


def test_a_target_that_needs_no_topics_name_is_told_whatever_the_transforms_do() -> None:
    unknown = {"transforms": "x", "transforms.x.type": "com.acme.Own"}
    told = resolve(connector("sink", {**file_sink(topics="a"), **unknown}))
    assert edges(told) == {("a", "/out", "config")}


def test_a_dead_letter_topic_is_control_and_no_output() -> None:
    told = resolved(
        resolve(connector("sink", file_sink(errors__deadletterqueue__topic__name="dlq")))
    )
    assert [(one.dataset, one.kind) for one in told.control] == [(topic("dlq"), "dead-letter")]
    assert topic("dlq") not in told.outputs


@pytest.mark.parametrize(
    "name", ["FileStreamSink", "FileStreamSinkConnector", "com.acme.fork.FileStreamSinkConnector"]
)
def test_aliases_and_forks_are_known_by_their_simple_name(name: str) -> None:
    config = {"connector.class": name, "topics": "a", "file": "/out"}
    assert resolve(connector("sink", config)).family == "FileStream"


def test_a_connector_without_its_type_is_told_by_its_class() -> None:
    assert edges(resolve(connector("unknown", file_sink(topics="a")))) == {("a", "/out", "config")}
    source = {"connector.class": FILE_SOURCE, "topic": "a", "file": "/in"}
    assert edges(resolve(connector("unknown", source))) == {("/in", "a", "config")}


def test_an_unknown_class_tells_topics_and_guesses_nothing() -> None:
    sink = resolved(resolve(connector("sink", {"connector.class": "com.acme.Z", "topics": "a"})))
    assert (sink.inputs, sink.outputs, len(sink.unresolved)) == ((topic("a"),), (), 1)
    config = {"connector.class": "com.acme.Z", "kafka.topic": "a"}
    source = resolved(resolve(connector("source", config)))
    assert (source.inputs, source.outputs) == ((), (topic("a"),))


def test_a_placeholder_is_filled_in_or_its_dataset_is_unresolved() -> None:
    config = file_sink(file="${file:/etc/paths:out}")
    unknown = resolved(resolve(connector("sink", config)))
    assert (len(unknown.inputs), unknown.outputs) == (2, ())
    assert unknown.unresolved == ("target: file holds a placeholder that nothing provides",)
    provided = {"${file:/etc/paths:out}": "/real"}
    assert resolved(resolve(connector("sink", config, provided=provided))).outputs == (
        DatasetName("file", "/real"),
    )


def test_a_placeholder_never_stands_in_a_name() -> None:
    config = {"connector.class": "com.acme.Z", "topic": "a"}
    declared = Declaration(inputs=(DatasetName("file", "${env:PATH_TO_IT}"),))
    told = resolved(resolve(connector("source", config, declared=declared)))
    assert told.inputs == ()
    assert any("placeholder" in reason for reason in told.unresolved)


def test_the_recipe_adds_to_what_is_derived_and_outranks_it() -> None:
    out, extra = DatasetName("file", "/out"), DatasetName("ftp://x", "y")
    declared = Declaration(outputs=(extra,), edges=((topic("a"), out),))
    told = resolve(connector("sink", file_sink(), declared=declared))
    assert edges(told) == {("a", "/out", "declared"), ("b", "/out", "config")}
    assert extra in resolved(told).outputs


LIFECYCLE = {
    "transforms": "ol",
    "transforms.ol.type": "io.factorhouse.smt.OpenLineageLifecycleSmt",
    "transforms.ol.topics": "a,b",
    "transforms.ol.dataset.namespace": "s3://warehouse",
    "transforms.ol.dataset.names": "first,second",
    "transforms.ol.connector.name": "my-job",
}


def test_the_lifecycle_transform_names_outputs_by_position() -> None:
    told = resolved(resolve(connector("sink", {**file_sink(), **LIFECYCLE})))
    first, second = DatasetName("s3://warehouse", "first"), DatasetName("s3://warehouse", "second")
    assert {(edge.input, edge.output) for edge in told.edges} == {
        (topic("a"), first),
        (topic("b"), second),
    }
    assert told.outputs == (first, second)
    assert told.symlinks[first] == (Symlink(DatasetName("file", "/out")),)
    assert told.job_name == "my-job"


def test_the_lifecycle_transform_without_names_means_the_topics() -> None:
    config = {**file_sink(), **LIFECYCLE}
    del config["transforms.ol.dataset.names"]
    told = resolved(resolve(connector("sink", config)))
    assert [output.name for output in told.outputs] == ["a", "b"]


def test_every_key_that_was_read_is_declared() -> None:
    allowed = reads()
    for key in [
        *LIFECYCLE,
        *file_sink(),
        "topics.regex",
        "predicates.p.pattern",
        "table.whitelist",
    ]:
        assert key in allowed.names or any(re.fullmatch(one, key) for one in allowed.patterns), key
    for secret in ("database.password", "transforms.ol.value.converter.basic.auth.user.info"):
        assert secret not in allowed.names
        assert not any(re.fullmatch(one, secret) for one in allowed.patterns)


keys = st.sampled_from(sorted(reads().names)) | st.sampled_from(
    [
        "transforms.t.type",
        "transforms.t.regex",
        "transforms.t.replacement",
        "transforms.t.predicate",
    ]
)
classes = st.sampled_from(
    [FILE_SINK, FILE_SOURCE, "io.debezium.connector.postgresql.PostgresConnector", "com.acme.Own"]
)
values = st.text(max_size=12) | st.sampled_from(
    ["t", "a.b,c.*", "(", "${env:X}", "${topic}", "org.apache.kafka.connect.transforms.RegexRouter"]
)


@settings(max_examples=200, deadline=None)
@given(
    classes,
    st.sampled_from(["source", "sink", "unknown"]),
    st.dictionaries(keys, values, max_size=8),
    st.lists(values, max_size=3),
)
def test_no_config_however_mangled_raises(
    kind: str, direction: str, config: dict[str, str], topics: list[str]
) -> None:
    told = resolve(connector(direction, {**config, "connector.class": kind}, *topics))
    assert json.dumps(as_json("c", told))
    if isinstance(told, Resolution):
        assert {edge.input for edge in told.edges} <= set(told.inputs)
        assert {edge.output for edge in told.edges} <= set(told.outputs)


PLUGIN = """
from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink

def resolve(connector):
    if connector.name == "broken":
        raise RuntimeError(connector.config["acme.token"])
    return resolve_sink(connector, "Acme", lambda topic: DatasetName("acme://x", topic.name))

RESOLVER = Family("Acme", ("com.acme.AcmeSinkConnector",), Reads(("acme.host",)), resolve)
"""
USE = f"""
from mainstem.watch.resolvers import reads, resolve
from mainstem.watch.resolvers.model import Connector, Direction

def told(name):
    config = {{"connector.class": "com.acme.AcmeSinkConnector", "topics": "a"}}
    config["acme.token"] = "S3CR3T"
    return resolve(Connector(name, Direction.SINK, config, "{KAFKA}"))

assert told("good").outputs[0].namespace == "acme://x"
assert "acme.host" in reads().names
print(told("broken").reason)
"""


def test_a_package_of_another_brings_a_family_and_its_mistakes_stay_its_own(tmp_path: Path) -> None:
    (tmp_path / "acme_mainstem.py").write_text(PLUGIN)
    info = tmp_path / "acme_mainstem-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: acme-mainstem\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[mainstem.resolvers]\nacme = acme_mainstem:RESOLVER\nbad = acme_mainstem:NOT_THERE\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{USE}"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == "the Acme family failed: RuntimeError\n"


def test_unresolved_is_an_entry_like_any_other() -> None:
    told = as_json("c", Unresolved("generic", "why"))
    assert (told["inputs"], told["unresolved"]) == ([], ["why"])


FILTER = "org.apache.kafka.connect.transforms.Filter"


def filtered(direction: str, config: dict[str, str], **more: str) -> Resolution:
    chain = {"transforms": "none", "transforms.none.type": FILTER, **more}
    document = {"name": "c", "type": direction, "config": {**config, **chain}}
    told = resolve(connector_from(document, "kafka://b:9092"))
    assert isinstance(told, Resolution)
    return told


SINK = {"connector.class": "FileStreamSink", "topics": "a,b", "file": "/out"}
SOURCE = {"connector.class": "FileStreamSource", "topic": "a", "file": "/in"}


def test_a_topic_of_which_every_record_is_dropped_leads_nowhere() -> None:
    sink = filtered("sink", SINK)
    assert [each.name for each in sink.inputs] == ["a", "b"]
    assert (sink.edges, sink.outputs) == ((), ())
    assert sink.notes == (
        "transform none drops every record of a",
        "transform none drops every record of b",
    )
    source = filtered("source", SOURCE)
    assert [each.name for each in source.inputs] == ["/in"]
    assert (source.edges, source.outputs) == ((), ())


def test_a_filter_by_the_topic_s_name_ends_the_way_of_that_topic_alone() -> None:
    by_name = {
        "transforms.none.predicate": "p",
        "predicates": "p",
        "predicates.p.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.p.pattern": "a",
    }
    told = filtered("sink", SINK, **by_name)
    assert [edge.input.name for edge in told.edges] == ["b"]
    assert [each.name for each in told.outputs] == ["/out"]
    other = filtered("sink", SINK, **by_name, **{"transforms.none.negate": "true"})
    assert [edge.input.name for edge in other.edges] == ["a"]
    header = "org.apache.kafka.connect.transforms.predicates.HasHeaderKey"
    some = filtered("sink", SINK, **{**by_name, "predicates.p.type": header})
    assert len(some.edges) == 2
