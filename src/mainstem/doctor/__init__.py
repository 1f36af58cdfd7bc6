"""Finds names that do not align, seams that are broken and runs that never end."""
