"""Hosts of warehouses that a cloud runs, and the part of them that names the warehouse."""

from __future__ import annotations

import re

from mainstem.names.hosts import authority

_REDSHIFT = re.compile(
    r"(?P<cluster>[^.:]+)\.[^.:]+\.(?P<region>[a-z0-9-]+)"
    r"\.redshift(?:-serverless)?\.amazonaws\.com(?:\.cn)?:(?P<port>\d+)"
)
_SNOWFLAKE = re.compile(r"\.snowflakecomputing\.(?:com|cn)$")


def snowflake_namespace(host: str) -> str:
    """The namespace of a Snowflake account, given as its URL, its host or bare.

    >>> snowflake_namespace("https://xy12345.eu-west-3.aws.snowflakecomputing.com:443")
    'snowflake://xy12345.eu-west-3.aws'
    """
    return f"snowflake://{_SNOWFLAKE.sub('', re.sub(r':[0-9]+$', '', authority(host)))}"


def redshift_namespace(host: str) -> str:
    """The namespace of a Redshift endpoint; a host of one's own stands as it is.

    >>> redshift_namespace("shop.abc123.eu-west-3.redshift.amazonaws.com")
    'redshift://shop.eu-west-3:5439'
    """
    servers = authority(host, 5439)
    found = _REDSHIFT.fullmatch(servers)
    if found is None:
        return f"redshift://{servers}"
    return f"redshift://{found['cluster']}.{found['region']}:{found['port']}"
