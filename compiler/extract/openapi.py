"""OpenAPI 3.x and Swagger 2.0 descriptions to a `PageDraft`; every fact cites its line."""

from __future__ import annotations

import json
from urllib.parse import urljoin

from doc2tools.compiler.extract.openapi_answer import answer_fields
from doc2tools.compiler.extract.openapi_auth import operation_auth, schemes_of
from doc2tools.compiler.extract.openapi_request import Request, read_request
from doc2tools.compiler.extract.openapi_schema import (
    MAX_OPERATION_FIELDS,
    References,
    Schema,
    cited,
    field_paths,
)
from doc2tools.compiler.extract.openapi_tree import Map, TreeError, plain, read_tree
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import (
    AnswerField,
    AuthDraft,
    EndpointDraft,
    PageDraft,
    Quality,
    RequestSample,
    ResponseExample,
)
from doc2tools.compiler.ir.source import Cited, Diagnostic, DiagnosticCode, Span
from doc2tools.compiler.load.encodings import decode
from doc2tools.compiler.load.source import Source

MAX_OPERATIONS = 20_000
MAX_EXAMPLE = 20_000
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def draft_openapi(source: Source) -> PageDraft:
    """Read an OpenAPI or Swagger description; what is wrong with it is in the diagnostics."""
    decoded = decode(source.data, html=False)
    try:
        root = read_tree(decoded.text)
    except TreeError as error:
        message = f"the description cannot be read: {error}"
        return _failed(source, error.line, message, "correct the file's syntax")
    if not isinstance(root, Map):
        return _failed(source, 1, "the description is no object", "")
    version = root.text("openapi") or root.text("swagger")
    if not version.startswith(("2", "3")):
        line = root.line_of("openapi" if "openapi" in root else "swagger")
        message = f"version {version or 'unknown'} of OpenAPI is not known; read as 3.1"
        note = _warning(source, "openapi-version", line, message)
        return _Reader(root, source).read((note,))
    return _Reader(root, source).read(())


def _failed(source: Source, line: int, message: str, hint: str) -> PageDraft:
    span = Span(page=source.name, start=line, end=line)
    found = Diagnostic(code="openapi-invalid", level="error", span=span, message=message, hint=hint)
    return PageDraft(page=source.name, url=source.url, diagnostics=(found,))


def _warning(source: Source, code: DiagnosticCode, line: int, message: str) -> Diagnostic:
    span = Span(page=source.name, start=line, end=line)
    return Diagnostic(code=code, level="warning", span=span, message=message)


class _Reader:
    """Reads one description."""

    def __init__(self, root: Map, source: Source) -> None:
        self.root = root
        self.source = source
        self.references = References(root, source.name)
        self.old = "swagger" in root
        self.schemes = schemes_of(root, self.references)
        self.prefix = ""

    def read(self, notes: tuple[Diagnostic, ...]) -> PageDraft:
        bases = self._bases(self.root)
        absolute = tuple(base for base in bases if "://" in base.value)
        if bases and not absolute:
            # Only a path is stated: it belongs to every endpoint, whatever the host will be.
            self.prefix = bases[0].value.rstrip("/")
        endpoints = self._endpoints()
        diagnostics = [*notes, *sorted(self.references.diagnostics, key=_line)]
        if not endpoints:
            line = self.root.line_of("paths")
            message = "the description has no operations"
            diagnostics.append(_warning(self.source, "openapi-no-operations", line, message))
        info = self.root.map("info")
        return PageDraft(
            page=self.source.name,
            title=info.text("title").strip()[:500],
            url=self.source.url,
            endpoints=tuple(endpoints),
            base_urls=absolute,
            auth=self._page_auth(),
            quality=Quality(grade="organised", reasons=("an OpenAPI description",)),
            diagnostics=tuple(diagnostics),
        )

    def _page_auth(self) -> tuple[AuthDraft, ...]:
        """Give the schemes that the whole API asks for; if it names none, all that it defines."""
        named = operation_auth(self.root, self.schemes)
        if named is not None and named.type != "none":
            rest = (scheme for scheme in self.schemes.values() if scheme != named)
            return (named, *rest)
        return tuple(self.schemes.values())

    def _bases(self, holder: Map) -> tuple[Cited[str], ...]:
        if self.old and holder is self.root:
            return self._old_bases()
        found: list[Cited[str]] = []
        for server in holder.sequence("servers")[:50]:
            if not isinstance(server, Map):
                continue
            address = _fill(server.text("url").strip()[:2_000], server.map("variables"))
            if self.source.url and "://" not in address:
                address = _join(self.source.url, address)
            address = address.rstrip("/")
            if address:
                found.append(cited(address, self.references.span(server.line_of("url"))))
        return tuple(found)

    def _old_bases(self) -> tuple[Cited[str], ...]:
        host = self.root.text("host").strip()[:500]
        path = "/" + self.root.text("basePath").strip().strip("/")
        path = path.rstrip("/")
        span = self.references.span(self.root.line_of("host" if host else "basePath"))
        if not host:
            if self.source.url:
                return (cited(_join(self.source.url, path or "/").rstrip("/"), span),)
            return (cited(path, span),) if path else ()
        listed = [item for item in self.root.sequence("schemes") if isinstance(item, str)]
        schemes = [item for item in listed if item in ("http", "https")] or ["https"]
        schemes.sort(key=lambda item: item != "https")
        return tuple(cited(f"{scheme}://{host}{path}", span) for scheme in schemes)

    def _endpoints(self) -> list[EndpointDraft]:
        found: list[EndpointDraft] = []
        paths = self.root.map("paths")
        for path, value in paths.items():
            if path.startswith("x-") or not isinstance(value, Map):
                continue
            item = self.references.resolve(value) if "$ref" in value else value
            for method in _METHODS:
                operation = item.get(method)
                if isinstance(operation, Map) and len(found) < MAX_OPERATIONS:
                    place = paths.line_of(path)
                    found.append(self._endpoint(path, place, method, item, operation))
        return found

    def _endpoint(
        self, path: str, path_line: int, method: str, item: Map, operation: Map
    ) -> EndpointDraft:
        span = self.references.span
        self.references.fields_left = MAX_OPERATION_FIELDS
        request = read_request(self.references, self.root, item, operation, old=self.old)
        responses, fields, answer, types = self._responses(operation)
        description = operation.text("description").strip()
        summary = operation.text("summary").strip() or item.text("summary").strip()
        if not summary and description:
            summary = description.split("\n", 1)[0].split(". ", 1)[0]
        bases = self._bases(operation) or self._bases(item)
        absolute = next((base for base in bases if "://" in base.value), None)
        prefix = bases[0].value if bases and absolute is None else self.prefix
        if absolute is not None:
            prefix = ""
        full = f"{prefix.rstrip('/')}/{path.lstrip('/')}"
        tags = tuple(tag for tag in operation.sequence("tags") if isinstance(tag, str))
        return EndpointDraft(
            method=cited(method.upper(), span(item.line_of(method))),
            path=cited(full[:2_000], span(path_line)),
            base_url=absolute,
            title=operation.text("operationId").strip()[:200],
            summary=summary[:500],
            description=description[:5_000],
            section=tags[:1],
            parameters=request.parameters,
            body_kind=request.body_kind,
            samples=self._samples(method, full, request),
            responses=responses,
            response_fields=fields,
            answer_fields=answer,
            content_types=types,
            auth=operation_auth(operation, self.schemes),
            deprecated=operation.get("deprecated") is True,
            reasons=("stated as an operation of an OpenAPI description",),
        )

    def _samples(self, method: str, path: str, request: Request) -> tuple[RequestSample, ...]:
        if request.example is None:
            return ()
        value, line = request.example
        values: dict[str, JsonValue] = value if isinstance(value, dict) else {}
        body = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return (
            RequestSample(
                method=method.upper(),
                url=path,
                values=values,
                body=body[:MAX_EXAMPLE],
                spans=(self.references.span(line),),
            ),
        )

    def _responses(
        self, operation: Map
    ) -> tuple[
        tuple[ResponseExample, ...], tuple[str, ...], tuple[AnswerField, ...], tuple[str, ...]
    ]:
        """Give the sample answers, a good answer's fields (paths, described), and the types."""
        found: list[ResponseExample] = []
        fields: tuple[str, ...] = ()
        described: tuple[AnswerField, ...] = ()
        types: list[str] = []
        table = operation.map("responses")
        for status, value in table.items():
            answer = self.references.resolve(value)
            good = status.startswith("2") or status == "default"
            for kind, media in self._contents(answer, operation):
                if good:
                    types.append(kind)
                    schema = media.get("schema")
                    if schema is not None and not fields:
                        fields = field_paths(Schema(self.references, schema))
                    if schema is not None and not described:
                        described = answer_fields(self.references, schema)
                found.extend(self._response_examples(status, kind, media))
        return tuple(found[:20]), fields, described, tuple(dict.fromkeys(types))

    def _contents(self, answer: Map, operation: Map) -> list[tuple[str, Map]]:
        if not self.old:
            content = answer.map("content")
            return [(kind, media) for kind, media in content.items() if isinstance(media, Map)]
        produced = operation.sequence("produces") or self.root.sequence("produces")
        kinds = [kind for kind in produced if isinstance(kind, str)] or ["application/json"]
        holders: list[tuple[str, Map]] = []
        examples = answer.map("examples")
        for kind in kinds:
            holder = Map(answer.line)
            if "schema" in answer:
                holder.put("schema", answer["schema"], answer.line_of("schema"))
            if kind in examples:
                holder.put("example", examples[kind], examples.line_of(kind))
            if len(holder):
                holders.append((kind, holder))
        return holders

    def _response_examples(self, status: str, kind: str, media: Map) -> list[ResponseExample]:
        shown: list[tuple[object, int]] = []
        if "example" in media:
            shown.append((media["example"], media.line_of("example")))
        table = media.map("examples")
        for name in list(table)[:3]:
            example = self.references.resolve(table[name])
            if "value" in example:
                shown.append((example["value"], example.line_of("value")))
        if not shown and "schema" in media:
            examples = Schema(self.references, media["schema"]).examples()
            shown.extend((value, line) for value, line in examples[:1])
        found: list[ResponseExample] = []
        for value, line in shown:
            copied = plain(value)
            text = value if isinstance(value, str) else json.dumps(copied, ensure_ascii=False)
            found.append(
                ResponseExample(
                    status=int(status) if status.isdecimal() and len(status) == 3 else None,
                    content_type=kind,
                    text=text[:MAX_EXAMPLE],
                    spans=(self.references.span(line),),
                )
            )
        return found


def _line(diagnostic: Diagnostic) -> int:
    return diagnostic.span.start if diagnostic.span else 0


def _fill(address: str, variables: Map) -> str:
    """Put the defaults of server variables into an address."""
    for name in variables:
        variable = variables.map(name)
        choices = [item for item in variable.sequence("enum") if isinstance(item, str)]
        value = variable.text("default") or next(iter(choices), "")
        if value:
            address = address.replace(f"{{{name}}}", value)
    return address[:2_000]


def _join(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return address
