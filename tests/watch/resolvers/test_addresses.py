"""Addresses carry credentials; whatever family reads one, none of them comes out again."""

from __future__ import annotations

import json
import re

import pytest

from mainstem.watch.resolvers import FAMILIES, resolve
from mainstem.watch.resolvers.told import as_json
from watch.resolvers.connectors import connector

SECRET = "S3CR3T"
ADDRESS_KEY = re.compile(
    r".*(?:url|uri|host|hosts|hostname|endpoint|servers?|nodes|points|contactPoints|domain"
    r"|connection\.string|instance|conf\.string|address|ddlEndpoint|quorum)(?:\.name)?"
)
ADDRESSES = (
    f"https://reader:{SECRET}@host:8443/path?token={SECRET}",
    f"jdbc:sap://host:39041/?user=reader&password={SECRET}",
    f"https::addr=host:9000;username=reader;password={SECRET};",
    f"reader:{SECRET}@host",
    f"mongodb://reader:{SECRET}@host/?authSource=admin",
)
PAIRS = [(family.name, name) for family in FAMILIES for name in family.classes]
READS = {family.name: family.reads.names for family in FAMILIES}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("direction", ["source", "sink"])
def test_no_family_tells_a_credential_of_an_address(direction: str, address: str) -> None:
    for family, class_name in PAIRS:
        config = {
            key: address if ADDRESS_KEY.fullmatch(key) else _other_value(key)
            for key in READS[family]
        }
        told = resolve(connector(direction, {**config, "connector.class": class_name}, "a"))
        assert SECRET not in json.dumps(as_json("c", told)), (family, class_name)


def _other_value(key: str) -> str:
    if key.endswith("port"):
        return "9"
    return "a:b" if "map" in key.lower() else "a"
