"""Where pictures come from: a backend, or files of events."""
