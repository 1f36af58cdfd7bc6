"""Our own endpoints; docs/api.md says what each means."""
