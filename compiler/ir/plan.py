"""What emission is given: the settled API, the tools with their outcomes, and the options."""

from __future__ import annotations

from doc2tools.compiler.ir.base import Frozen, JsonValue
from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.ir.ledger import Ledger
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.source import Diagnostic
from doc2tools.compiler.ir.spec import ApiSpec


class ToolCall(Frozen):
    """One call of a generated function in the sandbox.

    Attributes:
        tool: The tool's name.
        root: The loaded package, as `Sandbox.load` named it.
        module: Dotted module below the package, such as `tools.items`.
        function: The function's name in that module.
        arguments: Python argument name to value.
        timeout: Seconds of wall time for the whole call.
    """

    tool: str
    root: str
    module: str
    function: str
    arguments: dict[str, JsonValue]
    timeout: float = 20.0


class PackagePlan(Frozen):
    """Everything that goes into a generated package. No secret, no time of day.

    Attributes:
        name: Import name and, with dashes, the distribution's name.
        version: The package's version.
        digest: Fingerprint of documentation, options and compiler version.
        graph: Which tool's answer feeds which tool's parameter; None where none was wanted.
        ledger: What was asked of a model; None without one.
    """

    name: str
    version: str = "0.1.0"
    base_url: str = ""
    spec: ApiSpec
    tools: tuple[Tool, ...]
    options: CompileOptions
    diagnostics: tuple[Diagnostic, ...] = ()
    digest: str = ""
    graph: DependencyGraph | None = None
    ledger: Ledger | None = None
