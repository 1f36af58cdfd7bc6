from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.names.identity import Aliases, canonical

namespaces = st.sampled_from(
    [
        "kafka://a:1",
        "kafka://b:1",
        "kafka://CLUSTER",
        "postgres://h",
        "postgres://h:5432",
        "s3a://x",
    ]
)
datasets = st.builds(DatasetName, namespaces, st.sampled_from(["n", "m", "o"]))
alias_sets = st.builds(
    Aliases,
    st.lists(st.tuples(namespaces, namespaces), max_size=5),
    st.lists(st.tuples(datasets, datasets), max_size=5),
)
FEW = settings(max_examples=100, deadline=None)


@FEW
@given(datasets, alias_sets)
def test_canonical_is_idempotent(dataset: DatasetName, aliases: Aliases) -> None:
    once = canonical(dataset.namespace, dataset.name, aliases)
    assert canonical(once.namespace, once.name, aliases) == once


@FEW
@given(
    datasets,
    st.lists(st.tuples(namespaces, namespaces), max_size=6),
    st.lists(st.tuples(datasets, datasets), max_size=6),
    st.randoms(use_true_random=False),
)
def test_the_order_of_aliases_does_not_matter(
    dataset: DatasetName,
    of_namespaces: list[tuple[str, str]],
    of_datasets: list[tuple[DatasetName, DatasetName]],
    random: object,
) -> None:
    forward = Aliases(of_namespaces, of_datasets)
    random.shuffle(of_namespaces)  # type: ignore[attr-defined]
    random.shuffle(of_datasets)  # type: ignore[attr-defined]
    shuffled = Aliases() | Aliases(of_namespaces) | Aliases((), of_datasets)
    assert canonical(dataset.namespace, dataset.name, forward) == canonical(
        dataset.namespace, dataset.name, shuffled
    )


@FEW
@given(datasets, alias_sets)
def test_names_of_one_alias_are_one_dataset(dataset: DatasetName, aliases: Aliases) -> None:
    for chosen, other in aliases.namespaces:
        assert canonical(chosen, dataset.name, aliases) == canonical(other, dataset.name, aliases)
    for chosen, other in aliases.datasets:
        assert canonical(chosen.namespace, chosen.name, aliases) == canonical(
            other.namespace, other.name, aliases
        )


@FEW
@given(datasets, alias_sets, alias_sets)
def test_an_alias_taken_back_leaves_no_trace(
    dataset: DatasetName, kept: Aliases, undone: Aliases
) -> None:
    after_undo = (kept | undone) - (undone - kept)
    assert after_undo == kept
    assert canonical(dataset.namespace, dataset.name, after_undo) == canonical(
        dataset.namespace, dataset.name, kept
    )


def test_two_names_of_a_kafka_cluster_meet_in_its_id() -> None:
    aliases = Aliases([("kafka://b2:9092", "kafka://ID"), ("kafka://b1:9092", "kafka://ID")])
    assert canonical("kafka://b2:9092", "t", aliases) == DatasetName("kafka://b1:9092", "t")


def test_the_name_the_recipe_prefers_wins_over_the_least() -> None:
    aliases = Aliases([("kafka://z:9092", "kafka://a:9092")])
    assert canonical("kafka://a:9092", "t", aliases).namespace == "kafka://z:9092"


def test_a_symlink_meets_its_dataset_after_namespaces_are_made_one() -> None:
    path = DatasetName("s3://warehouse", "default/orders")
    in_catalog = DatasetName("hive://metastore:9083", "default.orders")
    aliases = Aliases((), [(path, in_catalog)])
    assert canonical("hive://METASTORE:9083", "default.orders", aliases) == path
    assert canonical("s3a://warehouse", "default/orders", aliases) == path


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("mssql://db:1433", "sqlserver://db:1433"),
        ("sqlserver://db", "sqlserver://db:1433"),
        ("sqlserver://db/Instance", "sqlserver://db/Instance"),
        ("postgres://h:null", "postgres://h:5432"),
        ("mysql://h1,h2:3307", "mysql://h1:3306,h2:3307"),
        ("s3n://bucket", "s3://bucket"),
        ("wasbs://c@a.dfs.core.windows.net", "wasbs://c@a.blob.core.windows.net"),
        ("kafka://b1:9092,b2:9092", "kafka://b1:9092"),
        ("kafka://MkU3OEVBNTcwNTJENDM2Qk", "kafka://MkU3OEVBNTcwNTJENDM2Qk"),
        ("kafka://null:-1", "kafka://null:-1"),
        ("kafka://unknown:unknown", "kafka://unknown:unknown"),
        ("redshift://c.x.eu-west-3.redshift.amazonaws.com", "redshift://c.eu-west-3:5439"),
        ("file", "file"),
        ("hdfs://nameservice", "hdfs://nameservice"),
        ("bigquery", "bigquery"),
    ],
)
def test_spellings_that_always_hold(said: str, meant: str) -> None:
    assert canonical(said, "n").namespace == meant


def test_the_port_that_the_java_client_adds_to_db2_is_no_second_server() -> None:
    by_driver = canonical("db2://h:6789", "d.s.t", Aliases())
    assert by_driver == canonical("db2://h", "d.s.t", Aliases())
    assert by_driver == canonical("db2://H:50000", "d.s.t", Aliases())
    assert by_driver != canonical("db2://h:67891", "d.s.t", Aliases())
