"""What a patch may never do, checked on the patched endpoint before it is called.

A patched endpoint stays on its host, within the allowed methods, and a reading one; and it never
becomes another documented tool.
"""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Effect, Endpoint
from doc2tools.compiler.passes.effect_paths import verb_segments
from doc2tools.compiler.passes.effects import SAFE_METHODS, Call, judge
from doc2tools.compiler.passes.paths import PLACEHOLDER, shape
from doc2tools.compiler.repair.address import origin, whole_path
from doc2tools.compiler.validate.plan import refusal

__all__ = ["effect_of", "objection"]


def objection(
    original: Endpoint, patched: Endpoint, documented: Sequence[Endpoint], options: CompileOptions
) -> str:
    """Say why a patched endpoint must not be called; "" where nothing speaks against it.

    Args:
        original: The endpoint as documented.
        patched: What the patches made of it.
        documented: All documented endpoints, this one among them.
        options: What may be called.
    """
    if origin(patched) != origin(original):
        return "it would call another host"
    if ".." in whole_path(patched).split("/"):
        return "it would leave its path"
    others = [one for one in documented if one.name != original.name]
    effect = effect_of(patched, others)
    if effect.kind != "read" or original.effect.kind != "read":
        return f"it may change state: {effect.reason}"
    refused = refusal(patched.model_copy(update={"effect": effect}), options)
    if refused is not None:
        return refused.reason
    for other in others:
        if _same_call(patched, other) and not _same_call(original, other):
            return f"it would be another documented tool, {other.name}"
    return ""


def effect_of(patched: Endpoint, others: Sequence[Endpoint]) -> Effect:
    """Judge anew what a call of a patched endpoint does."""
    place = shape(whole_path(patched))
    beside = [call_of(other) for other in others if shape(whole_path(other)) == place]
    effect = judge(call_of(patched), beside)
    if effect.kind == "read":
        changing = {
            verb
            for other in others
            if other.effect.kind != "read" and other.method.upper() in SAFE_METHODS
            for verb in verb_segments(whole_path(other))
        }
        shared = sorted(changing.intersection(verb_segments(whole_path(patched))))
        if shared:
            reason = f"{shared[0]!r} in the path changes state elsewhere in this API"
            return Effect(kind="write", reason=reason, idempotent=False)
    return effect


def call_of(endpoint: Endpoint) -> Call:
    """Give what is known of a call of `endpoint` for judging its effect."""
    return Call(
        method=endpoint.method.upper(),
        path=whole_path(endpoint),
        selectors=tuple(endpoint.fixed_query.items()),
        title=endpoint.title,
        summary=endpoint.summary,
        description=endpoint.description,
        parameters=tuple(parameter.name for parameter in endpoint.parameters),
    )


def _same_call(one: Endpoint, other: Endpoint) -> bool:
    if one.method.upper() != other.method.upper() or origin(one) != origin(other):
        return False
    if one.fixed_query and other.fixed_query and one.fixed_query != other.fixed_query:
        return False
    return _bare(one) == _bare(other)


def _bare(endpoint: Endpoint) -> str:
    path = PLACEHOLDER.sub("{}", whole_path(endpoint)).rstrip("/")
    return path.removesuffix(".json")
