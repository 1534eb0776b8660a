"""The package's own functions, as they will be shipped, called once more on the recorded answers.

What was proved was the staged code; models and formatting come after it. A tool whose final form
fails on the very answer that proved it is a fault of ours and is not shipped as validated.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from doc2tools.compiler.ir.outcome import Failed, Tool, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan, ToolCall
from doc2tools.sandbox.sandbox import Sandbox


def verify(plan: PackagePlan, files: Mapping[str, bytes], sandbox: Sandbox) -> tuple[Tool, ...]:
    """Call every validated tool of the rendered package with its proved arguments.

    Args:
        plan: What the package was rendered from.
        files: The rendered package.
        sandbox: Its gateway holds the recorded answers, so nothing goes over the network.

    Returns:
        The plan's tools; one that raised is `Failed`, cause `code-fault`.
    """
    prefix = f"src/{plan.name}/"
    sources = {
        path.removeprefix(prefix): data.decode()
        for path, data in files.items()
        if path.startswith(prefix) and path.endswith(".py")
    }
    root = sandbox.load(sources)

    def check(tool: Tool) -> Tool:
        outcome = tool.outcome
        if not isinstance(outcome, Validated):
            return tool
        identifiers = {one.name: one.identifier for one in tool.endpoint.parameters}
        call = ToolCall(
            tool=tool.endpoint.name,
            root=root,
            module=f"tools.{tool.endpoint.group}",
            function=tool.endpoint.name,
            arguments={identifiers[one.name]: one.value for one in outcome.attempt.arguments},
            timeout=plan.options.limits.timeout,
        )
        run = sandbox.run(call)
        if run.error is None and not run.timed_out:
            return tool
        said = f"{run.error.kind}: {run.error.message}" if run.error else "it did not end in time"
        verdict = Verdict(
            verdict="code_error",
            cause="code-fault",
            message=f"the packaged function failed on the answer that proved it: {said}",
        )
        attempt = outcome.attempt.model_copy(update={"verdict": verdict})
        failed = Failed(attempt=attempt, calls=outcome.calls)
        return tool.model_copy(update={"outcome": failed})

    with ThreadPoolExecutor(plan.options.limits.concurrency) as pool:
        return tuple(pool.map(check, plan.tools))
