"""Jinja templates of everything that doc2tools writes."""
