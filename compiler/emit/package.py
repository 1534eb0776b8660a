"""The generated package: from a settled plan to the files of `generated/<name>/`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from doc2tools.compiler.emit.check import (
    check_index,
    check_models,
    check_same,
    check_tools,
    check_twins,
)
from doc2tools.compiler.emit.client import client_values
from doc2tools.compiler.emit.code import Docstring, Identifier, Literal, identifier
from doc2tools.compiler.emit.endpoints_json import spec_json
from doc2tools.compiler.emit.environment import Templates, templates, templates_digest
from doc2tools.compiler.emit.functions import (
    BYTES_RETURNS,
    TEXT_RETURNS,
    Function,
    Iteration,
    Returns,
    exported_names,
    name_functions,
)
from doc2tools.compiler.emit.index import (
    aio_init_values,
    distribution_name,
    init_values,
    readme_values,
    tools_init_values,
)
from doc2tools.compiler.emit.layout import format_sources
from doc2tools.compiler.emit.manifest import dump, manifest, without_secrets
from doc2tools.compiler.emit.models import Models, ModelView
from doc2tools.compiler.emit.openapi import openapi
from doc2tools.compiler.emit.own_code import CODE, TEXT, Marks, require_marks
from doc2tools.compiler.emit.paging import paging_of
from doc2tools.compiler.emit.proofs import Proved, example_of, public_url, read_proof, values_of
from doc2tools.compiler.emit.recordings import recordings
from doc2tools.compiler.emit.scope import Scope
from doc2tools.compiler.emit.text import api_name, one_line
from doc2tools.compiler.emit.views import async_view, view
from doc2tools.compiler.ir.options import AuthOptions, CompileOptions
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Endpoint

FIXED = ("_answers.py", "_pages.py", "_shorten.py", "_threads.py", "_wire.py", "errors.py")
"""Modules that are the same in every package, but for its name."""

_FIELDS = ("fields", "answer_fields", "jmespath_fields")


def render_package(plan: PackagePlan, folder: Path | None = None) -> dict[str, bytes]:
    """Write the package.

    The same plan gives the same bytes.

    Args:
        plan: What goes into it.
        folder: The user's own templates, in `package/`; those win over the built-in ones. Without
            it, the options say where they are.

    Returns:
        Path below the project's folder to content.

    Raises:
        UsageError: A template of the user's cannot be read or filled.
    """
    if folder is None and plan.options.templates:
        folder = Path(plan.options.templates)
    shown = templates() if folder is None else templates(folder, templates_digest(folder))
    package = identifier(plan.name, (), "toolkit").source
    auth = without_secrets(plan.options.auth, f"{package.upper()}_PASSWORD")
    options = plan.options.model_copy(update={"auth": auth})
    plan = plan.model_copy(update={"name": package, "options": options})
    models = Models()
    proved = [_prove(item, models) for item in _functions(plan)]
    proved = _iterate(proved, models)
    proved = [_illustrate(item, models) for item in proved]
    views = models.views()
    whole = plan.options.export == "all"
    held = [item for item in proved if whole or item.tool.outcome.status == "validated"]
    functions = [item.function for item in held]
    source = f"src/{package}"
    texts = {
        f"{source}/client.py": shown.render("client.py", _client(plan, functions)),
        f"{source}/models.py": _models(shown, plan, views),
        f"{source}/__init__.py": shown.render(
            "init.py", {**init_values(plan, functions), **CODE.values()}
        ),
        f"{source}/tools/__init__.py": shown.render("tools_init.py", tools_init_values(functions)),
        f"{source}/aio/__init__.py": shown.render("tools_init.py", aio_init_values(functions)),
        "tests/conftest.py": shown.render("conftest.py", {}),
        "tests/test_tools.py": shown.render("test_tools.py", {"package": Literal.of(package)}),
    }
    for module in FIXED:
        texts[f"{source}/{module}"] = shown.render(module, fixed_values(package))
    for group, members in by_group(functions).items():
        texts[f"{source}/tools/{group}.py"] = _group(shown, group, members, plan.base_url)
        texts[f"{source}/aio/{group}.py"] = _aio_group(shown, group, members)
    texts = format_sources(texts)
    _check(plan, functions, views, texts, shown.overridden)
    readme = readme_values(plan, held)
    files = {
        "README.md": shown.render("README.md", {**readme, **TEXT.values()}).encode(),
        "pyproject.toml": shown.render("pyproject.toml", {**readme, **CODE.values()}).encode(),
        f"{source}/doc2tools.json": manifest(plan, proved, [f.name.source for f in functions]),
        f"{source}/endpoints.json": dump(spec_json(plan.spec)),
        f"{source}/openapi.json": openapi(plan, proved),
        f"{source}/py.typed": b"",
        "tests/recordings.json": recordings(held, public_url(plan.base_url)),
        **{path: text.encode() for path, text in texts.items()},
    }
    if not shown.overridden & _MARKED:
        require_marks(files, _marks(source, by_group(functions)))
    return files


_ONE_TOOL: Mapping[str, object] = {
    "docstring": Docstring.of("Tools."),
    "version": Literal.of("0"),
    "modules": ({"name": Identifier("tool"), "tools": (Identifier("tool"),)},),
    "exported": (),
    "places": (),
    "lazy": True,
}
_MARKED = frozenset(("README.md", "pyproject.toml", "init.py", "models.py", "tools_group.py"))
"""Templates that leave a place for the user's own words."""


def _marks(source: str, groups: Mapping[str, object]) -> dict[str, Marks]:
    """Give the files that leave such a place, with its marking lines."""
    marks = {"README.md": TEXT, "pyproject.toml": CODE}
    marks |= dict.fromkeys((f"{source}/__init__.py", f"{source}/models.py"), CODE)
    return marks | {f"{source}/tools/{group}.py": CODE for group in groups}


def stage_sources(
    name: str, base_url: str, endpoints: Sequence[Endpoint], options: CompileOptions
) -> dict[str, str]:
    """Write the package that the sandbox loads before anything is validated.

    The functions and the client are those of the final package, but no answer has a model, and the
    client sends no credentials, as the gateway adds them.

    Args:
        name: The package's import name.
        base_url: Where calls go.
        endpoints: All endpoints, those that will not be called too.
        options: The options of the compile.

    Returns:
        Path below the package's folder to source; imports are relative.
    """
    shown = templates()
    functions = name_functions(endpoints)
    methods = {endpoint.method.upper() for endpoint in endpoints}
    package = identifier(name, (), "toolkit").source
    client = client_values(
        package,
        "0",
        title=package,
        base_url=base_url,
        methods=methods,
        auth=AuthOptions(),
        tls=options.tls,
    )
    files = {
        "__init__.py": '"""Functions under test."""\n',
        "client.py": shown.render("client.py", client),
        "tools/__init__.py": '"""Functions under test."""\n',
    }
    for module in FIXED:
        files[module] = shown.render(module, fixed_values(package))
    for group, members in by_group(functions).items():
        text = _group(shown, group, members, base_url, brief=True)
        check_tools(text, members, base_url, (), brief=True)
        files[f"tools/{group}.py"] = text
    return files


def fixed_values(package: str) -> dict[str, object]:
    """Give the values of the modules that are the same in every package, but for its name."""
    return {"distribution": Literal.of(distribution_name(package))}


def by_group(functions: Sequence[Function]) -> dict[str, list[Function]]:
    """Sort functions into their modules, both in alphabetical order."""
    groups: dict[str, list[Function]] = {}
    for function in sorted(functions, key=lambda f: (f.module.source, f.name.source)):
        groups.setdefault(function.module.source, []).append(function)
    return groups


def _functions(plan: PackagePlan) -> list[Proved]:
    """Name all tools, and sort them by module and name."""
    named = name_functions(tool.endpoint for tool in plan.tools)
    proved = [
        Proved(tool, replace(function, values=values_of(tool.outcome)), read_proof(tool))
        for tool, function in zip(plan.tools, named, strict=True)
    ]
    return sorted(proved, key=lambda p: (p.function.module.source, p.function.name.source))


def _prove(item: Proved, models: Models) -> Proved:
    """Add what the tool returns, from the answer that validated it."""
    returns = Returns()
    answer = item.answer
    if answer is not None and item.tool.outcome.status == "validated":
        if answer.kind == "json":
            returns = models.add(item.function.name.source, answer.value)
        elif answer.kind in ("text", "bytes"):
            returns = TEXT_RETURNS if answer.kind == "text" else BYTES_RETURNS
    function = replace(item.function, returns=returns)
    if returns not in (TEXT_RETURNS, BYTES_RETURNS) and function.endpoint.method.upper() != "HEAD":
        function = replace(function, fields=_free(_FIELDS, function))
    return replace(item, function=function)


def _free(names: Sequence[str], function: Function) -> Identifier:
    """Give the first of `names` that no argument of the API has."""
    taken = {name.source for name in function.names}
    free = next((name for name in names if name not in taken), names[0])
    return identifier(free, taken)


def _iterate(proved: Sequence[Proved], models: Models) -> list[Proved]:
    """Add an iterator to each tool whose answers are known to be paged."""
    taken = {item.function.name.source for item in proved}
    found: list[Proved] = []
    for item in proved:
        function = item.function
        paging = paging_of(item.tool, item.answer)
        if paging is not None:
            name = identifier(f"iter_{function.name}", taken)
            taken.add(name.source)
            bound = _free(("max_pages", "page_limit"), function)
            kind = models.item_type(function.returns.type, paging.items)
            function = replace(function, iteration=Iteration(name, bound, paging, kind))
        found.append(replace(item, function=function))
    return found


def _illustrate(item: Proved, models: Models) -> Proved:
    """Add the example, once all models have their names."""
    if item.tool.outcome.status != "validated":
        return item
    example = example_of(item.function, item.answer, models)
    return replace(item, function=replace(item.function, example=example))


def _check(
    plan: PackagePlan,
    functions: Sequence[Function],
    views: Sequence[ModelView],
    texts: Mapping[str, str],
    overridden: Collection[str],
) -> None:
    """Check every module against the plan, but those of the user's templates: theirs is trusted."""
    source = f"src/{plan.name}"
    shown = templates()
    groups = by_group(functions)
    names = {view.name.source for view in views}
    for group, members in groups.items():
        if "tools_group.py" not in overridden:
            check_tools(texts[f"{source}/tools/{group}.py"], members, plan.base_url, names)
        if "aio_group.py" not in overridden:
            check_twins(texts[f"{source}/aio/{group}.py"], members, names)
    neutral = plan.model_copy(update={"version": "0", "base_url": ""})
    package = {"package": Literal.of("")}
    fixed: dict[str, tuple[str, Mapping[str, object]]] = {
        "client.py": (f"{source}/client.py", _client(neutral, functions)),
        "conftest.py": ("tests/conftest.py", {}),
        "test_tools.py": ("tests/test_tools.py", package),
        **{module: (f"{source}/{module}", fixed_values("")) for module in FIXED},
    }
    address = public_url(plan.base_url).rstrip("/")
    constants: dict[str, object] = {"DEFAULT_BASE_URL": address, "PACKAGE": plan.name}
    for template, (path, values) in fixed.items():
        if template not in overridden:
            own = constants if template in ("client.py", "test_tools.py") else {}
            check_same(texts[path], shown.render(template, values), own)
    if "models.py" not in overridden:
        check_models(texts[f"{source}/models.py"], _models(shown, plan, ()), views)
    held = [name.source for function in functions for name in exported_names(function)]
    indexes = {"": "init.py", "tools/": "tools_init.py", "aio/": "tools_init.py"}
    for index, template in indexes.items():
        if template not in overridden:
            empty = shown.render(template, {**_ONE_TOOL, **CODE.values()})
            check_index(texts[f"{source}/{index}__init__.py"], empty, held, groups)


def _client(plan: PackagePlan, functions: Sequence[Function]) -> dict[str, object]:
    return client_values(
        plan.name,
        plan.version,
        title=plan.spec.title,
        base_url=public_url(plan.base_url),
        methods={function.endpoint.method.upper() for function in functions},
        auth=plan.options.auth,
        tls=plan.options.tls,
    )


def _models(shown: Templates, plan: PackagePlan, views: Sequence[ModelView]) -> str:
    subject = api_name(plan.spec.title, plan.name)
    return shown.render(
        "models.py",
        {
            "docstring": Docstring.of(f"Answers of the {subject} API, as they were seen."),
            **CODE.values(),
            "models": views,
            "aliases": any(_has_alias(view) for view in views),
            "json_values": any(
                re.search(r"\bJsonValue\b", field.type.source)
                for view in views
                for field in view.fields
            ),
        },
    )


def _has_alias(model: ModelView) -> bool:
    return any(
        field.default is not None and field.default.source.startswith("Field")
        for field in model.fields
    )


def _group(
    shown: Templates,
    group: str,
    functions: Sequence[Function],
    base_url: str,
    *,
    brief: bool = False,
) -> str:
    scope = Scope(_taken(functions))
    tools = [view(function, scope, base_url, brief=brief) for function in functions]
    title = one_line(group.replace("_", " "))
    return shown.render(
        "tools_group.py",
        {
            **({"own_begin": None} if brief else CODE.values()),
            "docstring": Docstring.of(f"Tools of the group {title}."),
            "imports": scope.imports(),
            "exported": _exported(functions),
            "tools": tools,
        },
    )


def _aio_group(shown: Templates, group: str, functions: Sequence[Function]) -> str:
    scope = Scope(_taken(functions))
    tools = [async_view(function, scope) for function in functions]
    title = one_line(group.replace("_", " "))
    return shown.render(
        "aio_group.py",
        {
            "docstring": Docstring.of(f"Tools of the group {title}, asynchronous."),
            "imports": scope.imports(),
            "exported": _exported(functions),
            "tools": tools,
        },
    )


def _taken(functions: Sequence[Function]) -> set[str]:
    """Give the names that a module's functions and their arguments use."""
    taken: set[str] = set()
    for function in functions:
        taken.update(name.source for name in (*exported_names(function), *function.names))
        if function.fields is not None:
            taken.add(function.fields.source)
        if function.iteration is not None:
            taken.add(function.iteration.bound.source)
    return taken


def _exported(functions: Sequence[Function]) -> list[Literal]:
    return [Literal.of(name.source) for function in functions for name in exported_names(function)]
