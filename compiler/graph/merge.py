"""Merges equivalent parameters and fields under one standard name, with the evidence.

What stands after the rules says which fields give a parameter's value; parameters that want the
same noun by the same handle are one parameter, as in NaviAgent's graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.graph.surface import ParameterSite, Surface
from doc2tools.compiler.ir.graph import Edge, FieldUse, MergedParameter, ParameterUse
from doc2tools.param_db.naming import is_generic

__all__ = ["merge_parameters"]


def merge_parameters(
    surface: Surface, edges: Sequence[Edge]
) -> tuple[tuple[MergedParameter, ...], dict[tuple[str, str], str]]:
    """Merge the parameters and the fields that feed them.

    Returns:
        The merged parameters by standard name, and for each (tool, parameter) its standard name.
    """
    several = len({tool.endpoint.base_url for tool in surface.tools}) > 1
    groups: dict[tuple[str, str], list[ParameterSite]] = {}
    for site in surface.parameters:
        base = surface.tools[site.tool].endpoint.base_url if several else ""
        groups.setdefault((_meaning(surface, site), base), []).append(site)
    names: dict[tuple[str, str], str] = {}
    taken: dict[str, int] = {}
    uses: dict[str, list[ParameterUse]] = {}
    for (meaning, _), sites in sorted(groups.items(), key=lambda entry: entry[0]):
        taken[meaning] = taken.get(meaning, 0) + 1
        name = meaning if taken[meaning] == 1 else f"{meaning}_{taken[meaning]}"
        for site in sites:
            tool = surface.tools[site.tool].endpoint.name
            names[tool, site.parameter.name] = name
            uses.setdefault(name, []).append(ParameterUse(tool=tool, parameter=site.parameter.name))
    fields: dict[str, dict[tuple[str, str], None]] = {}
    for edge in edges:
        name = names.get((edge.target, edge.parameter), "")
        fields.setdefault(name, {})[edge.source, edge.field] = None
    merged = [
        MergedParameter(
            name=name,
            parameters=tuple(uses[name]),
            fields=tuple(FieldUse(tool=tool, field=path) for tool, path in fields.get(name, {})),
            evidence=_evidence(uses[name], len(fields.get(name, {}))),
        )
        for name in sorted(uses)
        if len(uses[name]) > 1 or fields.get(name)
    ]
    shown = {one.name for one in merged}
    return tuple(merged), {use: name for use, name in names.items() if name in shown}


def _meaning(surface: Surface, site: ParameterSite) -> str:
    """Give the standard name: noun and handle, else the name, bound to its tool if generic."""
    noun = max(site.nouns, key=lambda one: (site.nouns[one], one), default="")
    if noun and site.nouns[noun] >= 0.9:
        handle = site.handle or ("id" if site.parameter.location == "path" else "")
        if site.name == noun or not handle:
            return noun
        return noun if noun.endswith(f"_{handle}") else f"{noun}_{handle}"
    if is_generic(site.name) or not site.name:
        return f"{surface.tools[site.tool].endpoint.name}_{site.name or 'value'}"
    return site.name


def _evidence(uses: list[ParameterUse], fields: int) -> tuple[str, ...]:
    wire = sorted({use.parameter for use in uses})
    names = ", ".join(wire[:6]) + (" …" if len(wire) > 6 else "")
    takers = "1 tool takes it" if len(uses) == 1 else f"{len(uses)} tools take it"
    lines = [f"{takers}, named {names}"]
    if len(wire) > 1:
        lines.append("the names differ, but noun and kind of identifier are the same")
    if fields:
        givers = "1 field gives it" if fields == 1 else f"{fields} fields give it"
        lines.append(f"{givers}, as the rules for edges found")
    return tuple(lines)
