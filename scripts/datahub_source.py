"""DataHub's own kafka-connect source on a cluster; run by the Python that has it installed.

Usage: datahub_source.py CONFIG.json PROPOSALS.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    """Read the source's config, write what it says."""
    from datahub.ingestion.run.pipeline import Pipeline  # noqa: PLC0415

    config, proposals = map(Path, sys.argv[1:])
    source = {"type": "kafka-connect", "config": json.loads(config.read_text())}
    sink = {"type": "file", "config": {"filename": str(proposals)}}
    pipeline = Pipeline.create({"source": source, "sink": sink})
    pipeline.run()
    pipeline.raise_from_status()


if __name__ == "__main__":
    main()
