"""The same lineage in DataHub's words: flows, jobs, datasets and their URNs."""
