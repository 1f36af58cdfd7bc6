"""Where events go: one file per kind of destination."""
