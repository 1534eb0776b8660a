"""Publishing, proved on real package indexes on loopback."""
