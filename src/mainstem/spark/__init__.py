"""Lineage of PySpark jobs, told from inside their driver."""
