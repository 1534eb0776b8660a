"""Which tool's answer feeds which tool's parameter: candidate edges, judged, proved by calls.

In go validated tools and recorded answers; out comes a `DependencyGraph`, and from it the tasks
that `doc2tools sample` draws.
"""
