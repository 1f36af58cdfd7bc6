"""What Debezium's connectors have in common, whatever the database."""
