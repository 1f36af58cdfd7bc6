"""Streaming ingestion told by hand, by somebody who calls its table as the query does.

Run as ``python ingestion_misnamed.py KAFKA REGISTRY TOPIC CHECKPOINT [until-now]``; the topic's
namespace is made of KAFKA as it stands.
"""

from __future__ import annotations

import sys

from mainstem.lab.jobs.ingestion_manual import main

TABLE = ("lake", "shop.orders")
"""The catalog and the name in it, where all others tell where the table lies."""

if __name__ == "__main__":
    main(*sys.argv[1:], table=TABLE)
