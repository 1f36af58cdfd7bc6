"""A company that does not exist: its jobs and datasets, and the events that they tell."""
