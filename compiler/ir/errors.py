"""Faults of our surroundings, translated once at the edge.

Doc2ToolsError
├── UsageError      wrong options, missing or unusable input (exit code 2)
├── ProviderError   a model provider failed
├── SandboxError    the sandbox or the gateway could not work
├── StoreError      the state or output folder could not be read or written
└── PublishError    an index refused a package
"""

from __future__ import annotations


class Doc2ToolsError(Exception):
    """Base of the tree above. `hint` says what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep the message for people and the hint beside it."""
        super().__init__(message)
        self.hint = hint


class UsageError(Doc2ToolsError):
    """Wrong options or unusable input."""


class ProviderError(Doc2ToolsError):
    """A model provider failed."""


class SandboxError(Doc2ToolsError):
    """The sandbox or the gateway could not work."""


class StoreError(Doc2ToolsError):
    """The state or output folder could not be read or written."""


class PublishError(Doc2ToolsError):
    """A package index refused a package."""
