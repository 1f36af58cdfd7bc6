"""The Spark jobs of the lab, as a user writes them: plain scripts, each an application."""
