"""Models: what they are asked, in which frame, and what counts as an answer."""
