"""Mainstem: lineage for Kafka Connect and Spark, told as OpenLineage events."""

__version__ = "0.1.0.dev0"
