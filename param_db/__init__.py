"""Parameter values with provenance."""
