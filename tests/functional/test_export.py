"""What `doc2tools export` writes is taken by the real libraries that it is written for."""

from __future__ import annotations

import asyncio
import http.server
import json
import sys
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, cast

import anthropic
import jsonschema
import openai
import pytest
from anthropic.types import ToolParam
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from openapi_spec_validator import validate
from pydantic import TypeAdapter

from doc2tools.export.langchain import langchain_tools
from doc2tools.export.schemas import strict_schema

Run = Callable[..., tuple[int, str, str]]

REPLIES: dict[str, Any] = {
    "/v1/messages": {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "stop_sequence": None, "content": [], "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "/v1/chat/completions": {
        "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [],
    },
    "/v1/responses": {
        "id": "r", "object": "response", "created_at": 1, "model": "m", "output": [],
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
    },
}  # fmt: skip


class _Provider(http.server.BaseHTTPRequestHandler):
    """Keeps what it is sent, and answers with nothing to say."""

    seen: dict[str, dict[str, Any]]

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        self.seen[self.path] = json.loads(content)
        body = json.dumps(REPLIES[self.path]).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@pytest.fixture
def provider() -> Generator[tuple[str, dict[str, dict[str, Any]]]]:
    seen: dict[str, dict[str, Any]] = {}
    handler = type("Handler", (_Provider,), {"seen": seen})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()
        thread.join()


def _export(doc2tools: Run, project: Path, *words: str) -> list[Any]:
    code, out, said = doc2tools("export", project, *words)
    assert code == 0, said
    return json.loads(out)


def test_anthropics_client_takes_and_sends_them(
    doc2tools: Run, library_project: Path, provider: tuple[str, dict[str, dict[str, Any]]]
) -> None:
    tools = _export(doc2tools, library_project, "--format", "anthropic")
    assert len(tools) > 5
    assert TypeAdapter(list[ToolParam]).validate_python(tools) == tools
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool["input_schema"])
    url, seen = provider
    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    with client:
        client.messages.create(
            model="m", max_tokens=5, tools=tools, messages=[{"role": "user", "content": "hello"}]
        )
    assert seen["/v1/messages"]["tools"] == tools


@pytest.mark.parametrize("strict", [False, True])
def test_openais_client_takes_and_sends_them(
    doc2tools: Run,
    library_project: Path,
    provider: tuple[str, dict[str, dict[str, Any]]],
    strict: bool,
) -> None:
    words = ["--strict"] if strict else []
    chat = _export(doc2tools, library_project, "--format", "openai", *words)
    responses = _export(doc2tools, library_project, "--format", "openai-responses", *words)
    assert TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(chat) == chat
    assert TypeAdapter(list[FunctionToolParam]).validate_python(responses) == responses
    url, seen = provider
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        client.chat.completions.create(
            model="m", tools=chat, messages=[{"role": "user", "content": "hello"}]
        )
        client.responses.create(model="m", tools=responses, input="hello")
    assert seen["/v1/chat/completions"]["tools"] == chat
    assert seen["/v1/responses"]["tools"] == responses
    held = [tool["function"] for tool in chat if tool["function"]["strict"]]
    assert bool(held) == strict
    for function in held:
        parameters = function["parameters"]
        assert parameters["required"] == list(parameters["properties"])
        assert parameters["additionalProperties"] is False


def test_a_strict_schema_lets_what_is_optional_be_null() -> None:
    schema = strict_schema(
        {
            "type": "object",
            "properties": {
                "id": {"type": "integer", "minimum": 1},
                "sort": {"type": "string", "enum": ["asc", "desc"], "default": "asc"},
            },
            "required": ["id"],
            "additionalProperties": False,
        }
    )
    assert schema is not None
    jsonschema.validate({"id": 3, "sort": None}, schema)
    jsonschema.validate({"id": 3, "sort": "asc"}, schema)
    for wrong in ({"id": None, "sort": None}, {"id": 3}, {"id": 3, "sort": "up"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


@pytest.mark.parametrize(
    "field",
    [{}, {"type": "object"}, {"type": "array"}, {"type": "array", "items": {}}],
    ids=["any", "open object", "array of what", "array of any"],
)
def test_what_has_no_strict_schema_is_exported_without_one(field: dict[str, Any]) -> None:
    whole = {"type": "object", "properties": {"x": field}, "additionalProperties": False}
    assert strict_schema(cast("Any", whole)) is None


def test_openapi_is_valid(doc2tools: Run, library_project: Path) -> None:
    code, out, _ = doc2tools("export", library_project, "--format", "openapi")
    assert code == 0
    document = json.loads(out)
    validate(document)
    assert document["openapi"].startswith("3.1")


def test_only_the_tools_named(doc2tools: Run, library_project: Path) -> None:
    every = _export(doc2tools, library_project, "--format", "anthropic")
    one = _export(doc2tools, library_project, "--format", "anthropic", "--tool", every[0]["name"])
    assert one == every[:1]
    code, _, said = doc2tools(
        "export", library_project, "--format", "anthropic", "--tool", "nothing_like_it"
    )
    assert code == 2
    assert "nothing_like_it" in said


def test_langchain_calls_the_real_api(
    library_project: Path, library_api: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRARY_BASE_URL", library_api)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "library"]:
        monkeypatch.delitem(sys.modules, name)
    manifest = json.loads((library_project / "src/library/doc2tools.json").read_text())
    examples = {
        tool["name"]: tool["example"]
        for tool in manifest["tools"]
        if tool["status"] == "validated" and tool["response"]["kind"] == "json"
    }
    tools = {tool.name: tool for tool in langchain_tools(str(library_project))}
    assert examples.keys() <= tools.keys()
    for name, arguments in examples.items():
        answer = tools[name].invoke(arguments)
        assert isinstance(answer, dict | list), f"{name}: {answer!r}"
        json.dumps(answer)
    book = tools["get_catalogue_book"]
    (argument,) = examples[book.name]
    refused = book.invoke({argument: "no-such-book"})
    assert "404" in str(refused), "what the API refuses is text for the model"
    assert "wrong arguments" in str(book.invoke({argument: 3, "colour": "red"}))
    assert (
        asyncio.run(book.ainvoke(examples[book.name]))["rows"]
        == (book.invoke(examples[book.name])["rows"])
    )
