"""What the exit codes mean, the same for every verb."""

EXIT_FAILED = 1
"""Findings, or a delivery that failed."""

EXIT_USAGE = 2
"""A flag or the recipe is wrong."""

EXIT_CONNECT = 3
"""A Connect cluster could not be reached or read."""

EXIT_BACKEND = 4
"""The backend could not be reached; the events wait in the journal."""

EXIT_INTERRUPTED = 130
"""Ctrl-C."""
