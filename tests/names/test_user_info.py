"""Lists of hosts with users in them: the same name as without, or none."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.names.hosts import authority
from mainstem.names.jdbc import jdbc_location
from mainstem.scrub import scrub

HOST = st.from_regex(r"[a-z][a-z0-9]{0,5}(\.[a-z]{2,3})?(:[1-9][0-9]{2,3})?", fullmatch=True)
USER = st.from_regex(r"[a-zA-Z0-9]{1,6}:[a-zA-Z0-9!$*.%=_-]{1,8}", fullmatch=True)
SYSTEMS = st.sampled_from(["mysql", "postgresql", "mariadb", "clickhouse"])
HOSTS = st.lists(HOST, min_size=1, max_size=4)


def is_named_alike(with_users: str, without: str) -> bool:
    """Before and after a config is scrubbed."""
    expected = jdbc_location(without)
    return jdbc_location(with_users) == expected == jdbc_location(scrub(with_users))


@settings(max_examples=40)
@given(SYSTEMS, HOSTS, st.data())
def test_users_before_each_host_change_no_name(
    system: str, hosts: list[str], data: st.DataObject
) -> None:
    users = [data.draw(USER) for _ in hosts]
    url = f"jdbc:{system}://{{}}/db"
    plain = url.format(",".join(hosts))
    each = url.format(",".join(f"{u}@{h}" for u, h in zip(users, hosts, strict=True)))
    assert is_named_alike(each, plain)
    assert is_named_alike(url.format(",".join(f"{users[0]}@{h}" for h in hosts)), plain)
    assert is_named_alike(url.format(f"{users[0]}@{','.join(hosts)}"), plain)


@settings(max_examples=40)
@given(HOSTS, st.data())
def test_urls_of_a_list_have_users_of_their_own_or_none(
    hosts: list[str], data: st.DataObject
) -> None:
    users = [data.draw(st.just("") | USER.map("{}@".format)) for _ in hosts]
    urls = ",".join(f"https://{u}{h}" for u, h in zip(users, hosts, strict=True))
    expected = authority(",".join(hosts), 9200)
    assert authority(urls, 9200) == expected == authority(scrub(urls), 9200)


@settings(max_examples=40)
@given(HOSTS, USER, HOST)
def test_a_list_that_may_be_a_password_has_no_name(hosts: list[str], user: str, last: str) -> None:
    listed = f"{','.join(hosts)},{user}@{last}"
    for url in (f"jdbc:mysql://{listed}/db", scrub(f"jdbc:mysql://{listed}/db")):
        with pytest.raises(CannotTell):
            jdbc_location(url)
    for servers in (f"mongodb://{listed}", scrub(f"mongodb://{listed}")):
        with pytest.raises(CannotTell):
            authority(servers)


@settings(max_examples=40)
@given(st.text(st.sampled_from("ab1,@:/"), max_size=8), HOST)
def test_no_password_becomes_a_host(rest: str, host: str) -> None:
    url = f"jdbc:mysql://user:c4n4ry{rest}@{host}/db"
    assert "c4n4ry" not in scrub(url)
    for spelling in (url, scrub(url)):
        with suppress(CannotTell):
            assert "c4n4ry" not in jdbc_location(spelling).namespace
