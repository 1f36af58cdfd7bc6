"""The same lineage in DataHub's words: flows, jobs, datasets and their URNs."""

import os

# The SDK reads this when it is imported, which comes after: nothing is told to DataHub's makers.
os.environ["DATAHUB_TELEMETRY_ENABLED"] = "false"
