"""The queries, by name: SQL that writes, or a function that makes one write."""

from __future__ import annotations

from spark_plans.agent import AGENT
from spark_plans.batch import BATCH
from spark_plans.changes import CHANGES
from spark_plans.outside import OUTSIDE
from spark_plans.streams import FOREACH_BATCH, STREAMS

WRITES = BATCH | CHANGES | OUTSIDE
"""Each makes exactly one write."""

__all__ = ["AGENT", "FOREACH_BATCH", "STREAMS", "WRITES"]
