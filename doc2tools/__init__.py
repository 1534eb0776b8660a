"""doc2tools: a compiler from API documentation to a typed package of proved tools."""

__version__ = "0.1.0"
