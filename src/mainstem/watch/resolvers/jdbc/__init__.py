"""What the connectors that speak JDBC have in common, whoever makes them."""
