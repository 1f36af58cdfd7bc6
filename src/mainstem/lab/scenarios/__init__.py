"""The pipelines that the lab runs, what they must look like, and how to break them."""
