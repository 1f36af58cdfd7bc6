"""Real services on loopback ports: downloaded once, started, waited for, ended without a trace."""
