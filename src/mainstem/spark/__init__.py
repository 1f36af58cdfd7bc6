"""Lineage of PySpark jobs, told from inside the driver."""

from mainstem.spark.track import track
from mainstem.spark.tracker import Tracker

__all__ = ["Tracker", "track"]
