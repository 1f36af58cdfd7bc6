"""Where raw events can lie: files, Iceberg tables, Kafka topics."""
