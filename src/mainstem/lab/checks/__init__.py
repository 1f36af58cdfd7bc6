"""Whether what was told is what was built."""
