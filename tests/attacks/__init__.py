"""Attacks as files, and what runs them; see docs/security.md."""
