from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.jdbc import jdbc_dataset, jdbc_location
from mainstem.names.jdbc.tables import jdbc_table

SHARED = [
    parent / "shared" / "cases" / "jdbc_urls.json" for parent in Path(__file__).resolve().parents
]
CASES: list[dict[str, Any]] = [
    case for path in SHARED if path.is_file() for case in json.loads(path.read_text())
]


@pytest.mark.skipif(not CASES, reason="the shared cases are not beside this checkout")
def test_the_shared_urls() -> None:
    told = {case["id"]: jdbc_dataset(case["url"], case["table"]) for case in CASES}
    assert told == {case["id"]: DatasetName(**case["expected"]) for case in CASES}


TNS = "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=H1)(PORT=1522))(CONNECT_DATA=(SID=x)))"


@pytest.mark.parametrize(
    ("url", "table", "namespace", "name"),
    [
        (
            "jdbc:postgresql://u:p@H1,h2:5433/my-db",
            "s.t",
            "postgres://h1:5432,h2:5433",
            "my-db.s.t",
        ),
        ("jdbc:postgresql://h/my%20db", "t", "postgres://h:5432", "my db.t"),
        ("jdbc:mysql:replication://h1,h2/d?x=a,b", "t", "mysql://h1:3306,h2:3306", "d.t"),
        ("jdbc:mysql://test_mysql:3306/d", "t", "mysql://test_mysql:3306", "d.t"),
        ("jdbc:mariadb://h/d", "t", "mariadb://h", "d.t"),
        ("jdbc:clickhouse:https://h:8443/d", "t", "clickhouse://h:8443", "d.t"),
        ("jdbc:db2://h:50000/SAMPLE:user=a;password=b;", "S.T", "db2://h:50000", "SAMPLE.S.T"),
        ("jdbc:db2://h/SAMPLE", "S.T", "db2://h:6789", "SAMPLE.S.T"),
        ("jdbc:databricks://h:443/d;transportMode=http;PWD=x", "t", "databricks://h:443", "d.t"),
        ("jdbc:redshift:iam://c.a.r.redshift.amazonaws.com:5439/d", "s.t", None, "d.s.t"),
        (
            "jdbc:snowflake://acc.snowflakecomputing.com/?db=D&user=u",
            "S.T",
            "snowflake://acc",
            "D.S.T",
        ),
        ("jdbc:oracle:thin:scott/ti@ger@//h/SVC", "S.T", "oracle://h:1521", "SVC.S.T"),
        (f"jdbc:oracle:thin:@{TNS}", "S.T", "oracle://h1:1522", "x.S.T"),
        ("jdbc:oracle:thin:@ldaps://d:636/SVC,cn=x", "S.T", "oracle://d:636", "SVC.S.T"),
        ("jdbc:sqlserver://h;databaseName=d;password={a;b}", "s.t", "sqlserver://h", "d.s.t"),
        ("jdbc:sqlserver://h:13039;databaseName=d;", "s.t", "sqlserver://h:13039", "d.s.t"),
        ("jdbc:jtds:sqlserver://h:1/d;instance=I", "s.t", "sqlserver://h:1/I", "d.s.t"),
        ("jdbc:cassandra://h1--h2:9043/ks", "t", "cassandra://h1:9042,h2:9043", "ks.t"),
        ("jdbc:sqlite:/var/shop.db", "t", "sqlite:/var/shop.db", "t"),
        ("jdbc:h2:mem:test;USER=sa;PASSWORD=x", "t", "h2:mem:test", "t"),
        ("jdbc:teradata://h/DBS_PORT=1026,DATABASE=d", "t", "teradata://h:1026", "d.t"),
        ("jdbc:trino://h/catalog", "s.t", "trino://h:443", "catalog.s.t"),
    ],
)
def test_urls_of_every_dialect(url: str, table: str, namespace: str | None, name: str) -> None:
    told = jdbc_dataset(url, table)
    assert told.name == name
    assert namespace in {None, told.namespace}


@pytest.mark.parametrize(
    ("url", "table", "user", "name"),
    [
        ("jdbc:postgresql://h/d", "t", None, "d.public.t"),
        ("jdbc:postgresql://h/d?currentSchema=a,b", "t", None, "d.a.t"),
        ("jdbc:postgresql://h/", "t", "me", "me.public.t"),
        ("jdbc:sqlserver://h;databaseName=d", "t", None, "d.dbo.t"),
        ("jdbc:sqlserver://h;databaseName=d", "x.s.t", None, "x.s.t"),
        ("jdbc:oracle:thin:@h:1521:sid", "T", "hr", "sid.HR.T"),
        ("jdbc:mysql://h/d", "x.t", None, "x.t"),
        ("jdbc:mariadb://h/d", "d.t", None, "d.t"),
        ("jdbc:snowflake://a.snowflakecomputing.com/?db=D", "T", None, "D.PUBLIC.T"),
        (
            "jdbc:awsathena://AwsRegion=eu-west-3;S3OutputLocation=s3://b/",
            "t",
            None,
            "AwsDataCatalog.default.t",
        ),
        ("jdbc:bigquery://https://x:443;ProjectId=p;DefaultDataset=ds;", "t", None, "p.ds.t"),
    ],
)
def test_missing_parts_are_those_the_database_fills_in(
    url: str, table: str, user: str | None, name: str
) -> None:
    assert jdbc_table(jdbc_location(url), table.split("."), user).name == name


@pytest.mark.parametrize(
    ("url", "table"),
    [
        ("jdbc:postgresql://h/", "t"),
        ("jdbc:mysql://h", "t"),
        ("jdbc:oracle:thin:@h:1521:sid", "T"),
        ("jdbc:sqlserver://h", "t"),
        ("jdbc:postgresql://h/d", "a.b.c.d"),
    ],
)
def test_a_part_that_nothing_fills_in_is_not_guessed(url: str, table: str) -> None:
    with pytest.raises(CannotTell):
        jdbc_table(jdbc_location(url), table.split("."))


SECRET = "Pa55w0rdX"
templates = st.sampled_from(
    [
        "jdbc:{system}://u:{secret}@h/d",
        "jdbc:{system}://u:{secret}@h1,u:{secret}@h2/d",
        "jdbc:{system}://h/d?user=u&password={secret}",
        "jdbc:{system}://h;password={secret};x=y",
        "jdbc:{system}://h/d:user=u;password={secret};",
        "jdbc:{system}://h/d;PWD={secret}",
        "jdbc:{system}://h/d;accessToken={secret};httpPath=x",
        "jdbc:{system}:thin:u/{secret}@//h/d",
        "jdbc:{system}:thin:u/{secret}@(DESCRIPTION=(ADDRESS=(HOST=h)))",
        "jdbc:{system}:thin:u/{secret}@(DESCRIPTION=(",
        "jdbc:{system}://address=(host=h)(password={secret}),address=(host=i)",
        "jdbc:{system}://h/PASSWORD={secret}",
        "jdbc:{system}:mem:x;PASSWORD={secret}",
    ]
)
systems = st.sampled_from(
    ["postgresql", "mysql", "oracle", "sqlserver", "db2", "unknown", "snowflake", "h2", "teradata"]
)
noise = st.text(alphabet="a1!/?:@,;&=#%+ ", max_size=5)


@settings(max_examples=300, deadline=None)
@given(templates, systems, noise, noise)
def test_no_name_and_no_reason_holds_a_password(
    template: str, system: str, before: str, behind: str
) -> None:
    url = template.format(system=system, secret=f"{before}{SECRET}{behind}")
    try:
        told = jdbc_dataset(url, "t")
        text = f"{told.namespace} {told.name}"
    except CannotTell as refused:
        text = refused.reason
    assert SECRET.lower() not in text.lower()
