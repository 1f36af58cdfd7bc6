from __future__ import annotations

import pytest

from mainstem.watch.resolvers import resolve
from watch.resolvers.connectors import KAFKA, connector, edges, resolved

POSTGRES = "io.debezium.connector.postgresql.PostgresConnector"
SQLSERVER = "io.debezium.connector.sqlserver.SqlServerConnector"
ORACLE = "io.debezium.connector.oracle.OracleConnector"
DB2 = "io.debezium.connector.db2.Db2Connector"
MYSQL = "io.debezium.connector.mysql.MySqlConnector"


def source(kind: str, *topics: str, **options: str) -> set[tuple[str, str]]:
    config = {"connector.class": kind, "database.hostname": "db", "topic.prefix": "p"}
    config |= {key.replace("__", "."): value for key, value in options.items()}
    return {(one, other) for one, other, _ in edges(resolve(connector("source", config, *topics)))}


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        (POSTGRES, {"database__dbname": "d"}, ("d.s.t", "p.s.t")),
        (POSTGRES, {"database__dbname": "d", "topic__delimiter": "_"}, ("d.s.t", "p_s_t")),
        (MYSQL, {}, ("s.t", "p.s.t")),
        (SQLSERVER, {"database__names": "d"}, ("d.s.t", "p.d.s.t")),
        (SQLSERVER, {"database__dbname": "d"}, ("d.s.t", "p.s.t")),
        (ORACLE, {"database__dbname": "CDB"}, ("CDB.s.t", "p.s.t")),
        (ORACLE, {"database__dbname": "CDB", "database__pdb__name": "PDB"}, ("PDB.s.t", "p.s.t")),
        (
            POSTGRES,
            {
                "database__dbname": "d",
                "topic__naming__strategy": "io.debezium.schema.DefaultTopicNamingStrategy",
            },
            ("d.s.t", "p.t"),
        ),
        (
            POSTGRES,
            {
                "database__dbname": "d",
                "topic__naming__strategy": "io.debezium.schema.SchemaRegexTopicNamingStrategy",
                "topic__regex": r"p\.(.*)\.(.*)",
                "topic__replacement": "$2-$1",
            },
            ("d.s.t", "t-s"),
        ),
    ],
)
def test_topic_names(kind: str, options: dict[str, str], expected: tuple[str, str]) -> None:
    assert source(kind, table__include__list="s.t", **options) == {expected}
    if "Default" not in options.get("topic__naming__strategy", ""):
        assert source(kind, expected[1], **options) == {expected}


def test_keys_of_version_1() -> None:
    config = {
        "connector.class": POSTGRES,
        "database.hostname": "db",
        "database.dbname": "d",
        "database.server.name": "old",
        "table.whitelist": r"s\.a,s[.]b",
        "schema.blacklist": "other",
    }
    told = edges(resolve(connector("source", config)))
    assert told == {("d.s.a", "old.s.a", "config"), ("d.s.b", "old.s.b", "config")}


def test_lists_are_anchored_and_ignore_case() -> None:
    topics = ("p.s.Order", "p.s.orders")
    told = source(POSTGRES, *topics, database__dbname="d", table__include__list="s.ORDER?")
    assert told == {("d.s.Order", "p.s.Order")}


@pytest.mark.parametrize("kind", [ORACLE, DB2])
def test_a_list_in_lower_case_is_a_guess_where_the_database_folds_to_upper_case(kind: str) -> None:
    def notes(listed: str, *topics: str, of: str = kind) -> tuple[str, ...]:
        config = {"connector.class": of, "database.hostname": "db", "topic.prefix": "p"}
        config |= {"database.dbname": "D", "table.include.list": listed}
        return resolved(resolve(connector("source", config, *topics))).notes

    (note,) = notes("hr.emp")
    assert "upper case unless they are quoted" in note
    assert notes("hr.emp, hr.dept", "p.HR.EMP") == (note,)
    assert notes("hr.emp", "p.HR.EMP") == notes("hr.emp", "p.hr.emp") == notes("HR.EMP") == ()
    assert notes("hr.emp", of=POSTGRES) == ()


@pytest.mark.parametrize("excludes_inv", [{"exclude": "inv"}, {"include": "crm"}])
def test_a_table_listed_in_an_excluded_database_is_told_as_such(
    excludes_inv: dict[str, str],
) -> None:
    lists = {f"database.{kind}.list": names for kind, names in excludes_inv.items()}
    config = {"connector.class": MYSQL, "database.hostname": "db", "topic.prefix": "p", **lists}
    left_out = "table inv.customers is listed, but the lists exclude its database"

    one_captured = {**config, "table.include.list": "inv.customers,crm.x"}
    told = resolve(connector("source", one_captured))
    assert edges(told) == {("crm.x", "p.crm.x", "config")}
    assert (resolved(told).unresolved, resolved(told).notes) == ((), (left_out,))

    none_captured = {**config, "table.include.list": "inv.customers"}
    nothing = resolved(resolve(connector("source", none_captured)))
    assert (nothing.inputs, nothing.outputs, nothing.notes) == ((), (), (left_out,))
    assert nothing.unresolved == ("tables: the lists exclude every table that they spell out",)


def test_characters_that_kafka_does_not_take_become_underscores() -> None:
    listed = {"database__dbname": "d", "table__include__list": "C##U[.]T"}
    assert source(ORACLE, "p.C__U.T", **listed) == {("d.C##U.T", "p.C__U.T")}


def test_control_topics_go_by_exact_name() -> None:
    config = {
        "connector.class": MYSQL,
        "database.hostname": "db",
        "topic.prefix": "p",
        "schema.history.internal.kafka.topic": "history",
        "provide.transaction.metadata": "true",
    }
    seen = ("p", "p.transaction", "__debezium-heartbeat.p", "p.shop.transaction", "p.shop.history")
    told = resolved(resolve(connector("source", config, *seen)))
    assert {(one.dataset.name, one.kind) for one in told.control} == {
        ("p", "schema-change"),
        ("p.transaction", "transaction"),
        ("__debezium-heartbeat.p", "heartbeat"),
        ("history", "schema-history"),
    }
    assert {one.name for one in told.outputs} == {"p.shop.transaction", "p.shop.history"}
    assert {one.dataset.namespace for one in told.control} == {KAFKA}


def test_several_databases_are_told_apart_by_the_topics() -> None:
    lists = {"database__names": "one,two", "table__include__list": "dbo.t"}
    assert source(SQLSERVER, **lists) == {
        ("one.dbo.t", "p.one.dbo.t"),
        ("two.dbo.t", "p.two.dbo.t"),
    }
    assert source(SQLSERVER, "p.two.dbo.t", "p.three.dbo.t", **lists) == {
        ("two.dbo.t", "p.two.dbo.t")
    }


def test_an_unknown_naming_strategy_predicts_nothing() -> None:
    options = {
        "database__dbname": "d",
        "table__include__list": "s.t",
        "topic__naming__strategy": "com.acme.Own",
    }
    assert source(POSTGRES, **options) == set()
    assert source(POSTGRES, "elsewhere", **options) == {("d.s.t", "elsewhere")}


@pytest.mark.parametrize("port", ["abc", "5432,5433"])
def test_a_port_that_is_none_is_told_by_its_key(port: str) -> None:
    config = {
        "connector.class": POSTGRES,
        "database.hostname": "db",
        "database.port": port,
        "database.dbname": "d",
        "topic.prefix": "p",
        "table.include.list": "s.t",
    }
    told = resolved(resolve(connector("source", config)))
    assert told.unresolved == ("inputs: database.port is not the number of a port",)
