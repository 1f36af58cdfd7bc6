"""Real Spark queries: captured once as golden plans, and run again by the tests with a Spark."""
