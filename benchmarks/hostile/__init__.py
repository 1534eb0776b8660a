"""Hostile inputs: generators of documents and answers, and what must hold for each of them."""
