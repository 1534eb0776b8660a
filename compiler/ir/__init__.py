"""The typed intermediate representation that every stage reads and writes.

Pydantic and the standard library only; no IO. `Document` → `PageDraft` → `ApiSpec` → `Tool`.
"""
