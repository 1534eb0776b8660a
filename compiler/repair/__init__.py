"""Repair of tools that do not work yet; what a repair may change, and what it may not."""
