"""What happened, as Prometheus reads it (text format 0.0.4). No label holds a caller's words."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counts of one server."""

    def __init__(self) -> None:
        """Start at zero, in a registry of its own."""
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "doc2tools_calls",
            "Calls of tools, by what they came to.",
            ("toolkit", "tool", "outcome"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "doc2tools_call_seconds",
            "Time that calls took.",
            ("toolkit",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.under_way = Gauge(
            "doc2tools_calls_under_way", "Calls under way.", registry=self.registry
        )
        self.tools = Gauge("doc2tools_tools", "Tools that are served.", registry=self.registry)
        self.refused = Counter(
            "doc2tools_refused_requests",
            "HTTP requests that were refused before they reached MCP.",
            ("reason",),
            registry=self.registry,
        )
        self.reloads = Counter(
            "doc2tools_reloads",
            "Reloads of changed packages.",
            ("outcome",),
            registry=self.registry,
        )

    def text(self) -> bytes:
        """Give all counts."""
        return generate_latest(self.registry)
