"""Block trees in, endpoint drafts with evidence out; rules only."""
