from __future__ import annotations

import io
import json

import pytest

from mainstem.cli.main import app
from mainstem.cli.name import name
from mainstem.errors import CannotTell
from mainstem.names.by_words import kinds

GLUE = "arn:aws:glue:eu-west-3"


@pytest.mark.parametrize(
    ("words", "namespace", "dataset"),
    [
        (["jdbc:oracle:thin:@//h:1521/SVC", "HR.EMP"], "oracle://h:1521", "SVC.HR.EMP"),
        (["kafka", "b1:9092,b2:9092", "orders"], "kafka://b1:9092", "orders"),
        (["postgres", "DB", "shop.public.t"], "postgres://db:5432", "shop.public.t"),
        (["s3", "lake", "/topics/orders"], "s3://lake", "topics/orders"),
        (["file", "/var/x"], "file", "/var/x"),
        (["snowflake", "acc.snowflakecomputing.com", "D.S.T"], "snowflake://acc", "D.S.T"),
        (["bigquery", "p.d.t"], "bigquery", "p.d.t"),
        (["bigquery", "-", "p.d.t"], "bigquery", "p.d.t"),
        (["athena", "EU-west-3", "c.d.t"], "awsathena://athena.eu-west-3.amazonaws.com", "c.d.t"),
        (["glue", "eu-west-3:000000000000", "d.t"], f"{GLUE}:000000000000", "table/d/t"),
        (["spanner", "p:i", "d.s.t"], "spanner://p:i", "d.s.t"),
        (["bigtable", "p:i", "t"], "bigtable://p:i", "t"),
        (["cosmos", "https://h:443/", "d.c"], "azurecosmos://h/dbs/d", "colls/c"),
        (["dynamodb", "eu-west-3", "t"], "dynamodb://eu-west-3", "t"),
        (["kinesis", "eu-west-3", "clicks"], "kinesis://eu-west-3", "clicks"),
        (["sqs", "eu-west-3", "jobs"], "sqs://eu-west-3", "jobs"),
        (["sqs", "any", "https://sqs.eu-west-1.amazonaws.com/1/q"], "sqs://eu-west-1", "q"),
        (["pubsub-topic", "p", "t"], "pubsub", "topic:p:t"),
        (["pubsub-subscription", "p", "projects/p/subscriptions/s"], "pubsub", "subscription:p:s"),
        (["abfss", "c@acc", "/x/y"], "abfss://c@acc.dfs.core.windows.net", "x/y"),
        (["wasbs", "c@Acc", "x"], "wasbs://c@acc.blob.core.windows.net", "x"),
        (["http", "https://u:p@API/v1/x?token=1"], "https://api:443", "/v1/x"),
        (["location", "s3a://lake/wh/orders"], "s3://lake", "wh/orders"),
        (["eventhubs", "acme", "clicks"], "eventhubs://acme.servicebus.windows.net", "clicks"),
        (["servicebus", "acme", "q"], "servicebus://acme.servicebus.windows.net", "q"),
        (["sns", "eu-west-3", "t"], "sns://eu-west-3", "t"),
        (["firehose", "eu-west-3", "s"], "firehose://eu-west-3", "s"),
        (["lambda", "eu-west-3", "f"], "lambda://eu-west-3", "f"),
    ],
)
def test_one_dataset(
    words: list[str], namespace: str, dataset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name(*words, json=True)
    assert json.loads(capsys.readouterr().out) == {"namespace": namespace, "name": dataset}
    name(*words)
    assert capsys.readouterr().out == f"{namespace} {dataset}\n"


def test_many_lines_are_an_array_whatever_they_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (
        "jdbc:sqlserver://h\\i dbo.t\njdbc:oracle:thin:@ldap://a:1/x ldap://b:2/x S.T\n\nnonsense\n"
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    with pytest.raises(SystemExit) as ended:
        app(["name", "-", "--json"], result_action="return_value")
    assert ended.value.code == 1
    told = json.loads(capsys.readouterr().out)
    assert [entry["namespace"] for entry in told] == ["sqlserver://h/i", "oracle://a:1", None]
    assert told[2]["error"]


def test_words_that_mean_nothing_are_refused_with_those_that_would() -> None:
    with pytest.raises(CannotTell) as refused:
        name("teradatta", "h", "t")
    assert all(kind in refused.value.reason for kind in kinds())


@pytest.mark.parametrize(
    ("words", "form"),
    [
        (["glue", "eu-west-3", "d.t"], "REGION:ACCOUNT"),
        (["athena", "eu-west-3", "d.t"], "CATALOG.DATABASE.TABLE"),
        (["abfss", "acc", "x"], "CONTAINER@ACCOUNT"),
        (["cosmos", "h", "c"], "DATABASE.CONTAINER"),
        (["spanner", "p", "d.t"], "PROJECT:INSTANCE"),
    ],
)
def test_a_place_or_name_of_another_form_is_refused_with_the_right_one(
    words: list[str], form: str
) -> None:
    with pytest.raises(CannotTell, match=form):
        name(*words)


@pytest.mark.parametrize(
    ("url", "table", "note"),
    [
        ("jdbc:postgresql://db/shop", "orders", "a connector's is shop.public.orders"),
        ("jdbc:sqlserver://h;databaseName=d", "t", "a connector's is d.dbo.t"),
        ("jdbc:oracle:thin:@//h/s", "T", "neither the URL nor the table names a schema"),
        ("jdbc:postgresql://db/shop", "public.orders", ""),
        ("jdbc:mysql://db/shop", "orders", ""),
    ],
)
def test_a_name_that_connectors_spell_out_further_is_noted_beside_the_data(
    url: str, table: str, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name(url, table, json=True)
    said = capsys.readouterr()
    assert json.loads(said.out)["name"].endswith(table)
    assert note in said.err
    assert bool(note) == bool(said.err)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["s3", "s3://bucket", "x"], "the bucket's name alone"),
        (["kafka", "b1:9092"], "after kafka, a place and a name"),
        (["kafka", "b1:9092", ""], "a word is empty"),
        (["mssql", "h", "t"], "'mssql' is no kind of store"),
        (["bigquery", "p", "d.t"], "after bigquery, a name alone"),
    ],
)
def test_what_is_wrong_is_named(words: list[str], reason: str) -> None:
    with pytest.raises(CannotTell, match=reason):
        name(*words)
