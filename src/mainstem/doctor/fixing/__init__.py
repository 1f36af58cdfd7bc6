"""Fixes: what would be written, the text of it, and how it is taken back."""
