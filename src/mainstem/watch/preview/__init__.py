"""What a connector will do before it runs: a plan as data, and what speaks against it."""
