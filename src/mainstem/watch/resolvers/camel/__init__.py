"""What Camel's endpoints mean: how a config spells one, and what each component reads or writes."""
