"""The Connect REST client: GET only, one look is one request."""
