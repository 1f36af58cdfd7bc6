from __future__ import annotations

import io
import json

import pytest

from mainstem.cli.main import app
from mainstem.cli.name import name
from mainstem.errors import CannotTell
from mainstem.names.by_words import kinds


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
