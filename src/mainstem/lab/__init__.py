"""A real pipeline on this machine that uses the product from outside, as a user does."""
