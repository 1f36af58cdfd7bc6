"""One tick, from look to send, as a tuple of named steps; and the threads that repeat it."""
