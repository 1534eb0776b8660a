"""A generated package is a complete project: it installs, it is typed, and its tests pass."""

from __future__ import annotations

import http.server
import importlib
import json
import os
import shutil
import subprocess
import sys
import threading
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import requests
from openapi_spec_validator import validate

from doc2tools.compiler.emit.package import render_package, stage_sources
from doc2tools.compiler.emit.write import write_project
from doc2tools.compiler.ir.base import JsonValue, Location
from doc2tools.compiler.ir.draft import Quality
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import AuthOptions, CompileOptions
from doc2tools.compiler.ir.outcome import (
    Argument,
    Attempt,
    Blocked,
    Failed,
    Outcome,
    Tool,
    Unvalidated,
    Validated,
    Verdict,
)
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, Example, PageInfo, Parameter

READ = Effect(kind="read", reason="GET")
WRITE = Effect(kind="destructive", reason="DELETE", idempotent=True)
LINES = (Span(page="tides.md", start=3, end=11),)

ANSWERS: dict[str, tuple[str, str]] = {
    "/v1/ports": (
        "application/json",
        '[{"id": 1, "name": "Bude"}, {"id": 2, "name": "Rye", "x": 1}]',
    ),
    "/v1/ports/1/tides": (
        "application/json",
        '{"port": "Bude", "tides": [{"at": "2024-05-06T04:00:00Z", "height": 6, "class": "high"},'
        ' {"at": "2024-05-06T10:00:00Z", "height": 1.2, "class": "low"}], "next": null}',
    ),
    "/v1/about": ("text/plain", "Tide tables for small ports.\n"),
    "/v1/chart/1": ("image/png", "\x89PNG"),
    "/v1/files/maps/bude.json": ("application/json", '{"scale": 25000}'),
}


class Handler(http.server.BaseHTTPRequestHandler):
    """The tides of two ports."""

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer a path that is known; all others are 404."""
        kind, text = ANSWERS.get(self.path.partition("?")[0], ("text/plain", ""))
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode("latin-1"))


@pytest.fixture(scope="module")
def tides() -> Iterator[str]:
    """Give the base URL of a running tide server."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()


def parameter(name: str, location: Location, **more: object) -> Parameter:
    """Give a parameter whose argument has its name."""
    identifier = name.rstrip("[]")
    facts = {"name": name, "identifier": identifier, "location": location, **more}
    return Parameter.model_validate(facts)


def endpoints(base: str) -> list[tuple[Endpoint, dict[str, Any]]]:
    """Give the API's endpoints, and the arguments with which each is proved."""
    port = parameter("port_id", "path", type="integer", required=True, description="Which port.")
    common: dict[str, Any] = {"method": "GET", "base_url": base, "effect": READ, "spans": LINES}
    return [
        (Endpoint(name="list_ports", group="ports", path="/ports", **common), {}),
        (
            Endpoint(
                name="list_tides",
                group="ports",
                path="/ports/{port_id}/tides",
                summary="List the tides of one port",
                description="Times are UTC.",
                parameters=(
                    port,
                    parameter("since", "query", type="string", format="date-time"),
                    parameter("kind[]", "query", type="array", item_type="string"),
                    parameter(
                        "unit",
                        "query",
                        type="string",
                        enum=("metre", "foot"),
                        default="metre",
                        examples=(Example(value="foot", spans=LINES),),
                    ),
                ),
                **common,
            ),
            {"port_id": 1, "kind[]": ["high", "low"], "unit": "foot"},
        ),
        (Endpoint(name="about", group="service", path="/about", **common), {}),
        (
            Endpoint(
                name="chart", group="service", path="/chart/{port_id}", parameters=(port,), **common
            ),
            {"port_id": 1},
        ),
        (
            Endpoint(
                name="get_file",
                group="service",
                path="/files/{file}",
                parameters=(parameter("file", "path", type="string", format="path"),),
                **common,
            ),
            {"file": "maps/bude.json"},
        ),
    ]


class Recorder(requests.Session):
    """A session that keeps what was exchanged."""

    last: Exchange

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # noqa: ANN401 - as requests has it
        """Send, and keep request and answer."""
        answer = super().send(request, **options)
        binary = answer.headers["Content-Type"].startswith("image/")
        self.last = Exchange(
            request=Request(method=str(request.method), url=str(request.url)),
            response=Response(
                status=answer.status_code,
                headers={"content-type": answer.headers["Content-Type"]},
                body="iVBORw==" if binary else answer.text,
                body_base64=binary,
            ),
        )
        return answer


def load_stage(files: Mapping[str, str], folder: Path, name: str) -> None:
    """Put the staged package where Python finds it."""
    for path, source in files.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()


def prove(base: str, folder: Path) -> list[Tool]:
    """Call each endpoint's staged function for real."""
    listed = endpoints(base)
    files = stage_sources("tides", base, [endpoint for endpoint, _ in listed], CompileOptions())
    load_stage(files, folder, "staged_tides")
    client: Any = importlib.import_module("staged_tides.client")
    session = Recorder()
    client.use(client.Client(session=session))
    tools: list[Tool] = []
    for endpoint, values in listed:
        module = importlib.import_module(f"staged_tides.tools.{endpoint.group}")
        names = {p.name: p.identifier for p in endpoint.parameters}
        getattr(module, endpoint.name)(**{names[name]: value for name, value in values.items()})
        arguments = tuple(Argument(name=n, value=v, origin="documented") for n, v in values.items())
        verdict = Verdict(verdict="information", cause="ok", message="It holds data.")
        attempt = Attempt(arguments=arguments, exchange=session.last, verdict=verdict)
        tools.append(Tool(endpoint=endpoint, outcome=Validated(attempt=attempt)))
    sys.path.remove(str(folder))
    return tools


def others(base: str) -> list[Tool]:
    """Give tools that were not validated, one of each kind."""
    verdict = Verdict(verdict="server_error", cause="server-fault", message="500")
    failed = Attempt(arguments=(), exchange=None, verdict=verdict)
    outcomes: list[Outcome] = [
        Failed(attempt=failed, calls=2),
        Blocked(reason="DELETE is not allowed"),
        Unvalidated(cause="no-parameter-value", reason="no value", missing=("port_id",)),
    ]
    return [
        Tool(
            endpoint=Endpoint(
                name=f"other_{number}",
                group="other",
                method="DELETE",
                base_url=base,
                path=f"/other/{number}",
                effect=WRITE,
            ),
            outcome=outcome,
        )
        for number, outcome in enumerate(outcomes)
    ]


@pytest.fixture(scope="module")
def plan(tides: str, tmp_path_factory: pytest.TempPathFactory) -> PackagePlan:
    """Give the plan of a package whose tools were proved on the running server."""
    tools = [*prove(tides, tmp_path_factory.mktemp("staged")), *others(tides)]
    quality = Quality(grade="semi-organised", reasons=("tables differ",))
    return PackagePlan(
        name="tides",
        base_url=tides,
        spec=ApiSpec(
            title="Tides of <small> ports",
            base_urls=(Cited[str](value=tides),),
            endpoints=tuple(tool.endpoint for tool in tools),
            pages=(PageInfo(page="tides.md", title="Tides", quality=quality, endpoints=8),),
        ),
        tools=tuple(tools),
        options=CompileOptions(allow=("GET",), name="tides"),
        diagnostics=(
            Diagnostic(code="parameter-contradiction", level="info", message="m", span=LINES[0]),
        ),
        digest="0123",
    )


@pytest.fixture(scope="module")
def project(plan: PackagePlan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of the written package."""
    folder = tmp_path_factory.mktemp("generated") / "tides"
    write_project(folder, render_package(plan))
    return folder


def run(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command, and give what it said."""
    environment = {**os.environ, **variables}
    environment.pop("PYTHONPATH", None)
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_what_is_in_it(project: Path) -> None:
    files = sorted(p.relative_to(project).as_posix() for p in project.rglob("*") if p.is_file())
    assert files == [
        ".doc2tools-files.json",
        "README.md",
        "pyproject.toml",
        "src/tides/__init__.py",
        "src/tides/_answers.py",
        "src/tides/_pages.py",
        "src/tides/_shorten.py",
        "src/tides/_threads.py",
        "src/tides/_wire.py",
        "src/tides/aio/__init__.py",
        "src/tides/aio/ports.py",
        "src/tides/aio/service.py",
        "src/tides/client.py",
        "src/tides/doc2tools.json",
        "src/tides/endpoints.json",
        "src/tides/errors.py",
        "src/tides/models.py",
        "src/tides/openapi.json",
        "src/tides/py.typed",
        "src/tides/tools/__init__.py",
        "src/tides/tools/ports.py",
        "src/tides/tools/service.py",
        "tests/conftest.py",
        "tests/recordings.json",
        "tests/test_tools.py",
    ]


LIST_TIDES = '''\
@overload
def list_tides(
    port_id: int,
    *,
    since: datetime | str | None = None,
    kind: Sequence[str] | None = None,
    unit: Literal["metre", "foot"] | None = None,
    fields: None = None,
) -> Tides: ...


@overload
def list_tides(
    port_id: int,
    *,
    since: datetime | str | None = None,
    kind: Sequence[str] | None = None,
    unit: Literal["metre", "foot"] | None = None,
    fields: str,
) -> JsonValue: ...


def list_tides(
    port_id: int,
    *,
    since: datetime | str | None = None,
    kind: Sequence[str] | None = None,
    unit: Literal["metre", "foot"] | None = None,
    fields: str | None = None,
) -> Tides | JsonValue:
    """List the tides of one port.

    Times are UTC.

    Args:
        port_id: Which port.
        since: Query parameter.
        kind: Query parameter. Sent as `kind[]`.
        unit: Query parameter. For example "foot"; by default "metre".
        fields: JMESPath expression; what it takes of the answer is returned instead.

    Returns:
        The answer with `port`, `tides` and `next`.

    Raises:
        ApiError: The server answered with an error, or not at all.

    Example:
        >>> list_tides(1, kind=["high", "low"], unit="foot").port
        'Bude'

    Source: tides.md, lines 3-11.
    """
    return client().get(
        "/ports/{port_id}/tides",
        path={"port_id": port_id},
        query={"since": since, "kind[]": kind, "unit": unit},
        model=Tides,
        fields=fields,
    )
'''

ASYNC_TIDES = '''\
) -> Tides | JsonValue:
    """List the tides of one port.

    As `list_tides` of `tools.ports`, with the event loop free.
    """
    return await run(
        lambda: ports.list_tides(
            port_id, since=since, kind=kind, unit=unit, fields=cast(str, fields)
        )
    )
'''


def test_a_tool_reads_as_an_engineer_would_write_it(project: Path) -> None:
    assert LIST_TIDES in (project / "src/tides/tools/ports.py").read_text()
    assert ASYNC_TIDES in (project / "src/tides/aio/ports.py").read_text()


def test_it_passes_pyright_strict_and_ruff(project: Path) -> None:
    ruff = Path(sys.executable).with_name("ruff")
    rules = ["--select", "E4,E7,E9,F,E,I,UP,B", "--no-cache"]
    checked = run(ruff, "check", *rules, ".", cwd=project)
    assert checked.returncode == 0, checked.stdout
    formatted = run(ruff, "format", "--check", "--no-cache", ".", cwd=project)
    assert formatted.returncode == 0, formatted.stdout
    pyright = Path(sys.executable).with_name("pyright")
    typed = run(pyright, "--pythonpath", sys.executable, "-p", ".", cwd=project)
    assert typed.returncode == 0, typed.stdout


def test_its_tests_pass_from_the_recordings_and_live(project: Path, tides: str) -> None:
    command = (sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider")
    replayed = run(*command, cwd=project, TIDES_BASE_URL="http://127.0.0.1:1")
    assert replayed.returncode == 0, replayed.stdout
    assert "8 passed, 2 skipped" in replayed.stdout
    live = run(*command, "--live", cwd=project, TIDES_BASE_URL=tides)
    assert live.returncode == 0, live.stdout


def test_its_openapi_is_valid(project: Path) -> None:
    described = json.loads((project / "src/tides/openapi.json").read_text())
    validate(described)
    tides = described["paths"]["/ports/{port_id}/tides"]["get"]
    assert tides["operationId"] == "list_tides"
    assert [p["name"] for p in tides["parameters"]] == ["port_id", "since", "kind[]", "unit"]
    schema = tides["responses"]["200"]["content"]["application/json"]["schema"]
    assert schema["properties"]["port"] == {"type": "string"}


def test_the_manifest_tells_what_became_of_every_endpoint(project: Path) -> None:
    manifest = json.loads((project / "src/tides/doc2tools.json").read_text())
    tools = {tool["name"]: tool for tool in manifest["tools"]}
    assert manifest["counts"] == {
        "endpoints": 8,
        "validated": 5,
        "failed": 1,
        "blocked": 1,
        "unvalidated": 1,
        "exported": 5,
        "rejected": 0,
        "calls": 7,
    }
    tide = tools["list_tides"]
    assert tide["module"] == "tools.ports"
    assert tide["example"] == {"port_id": 1, "kind": ["high", "low"], "unit": "foot"}
    assert tide["response"]["fields"][:3] == ["port", "tides", "tides[]"]
    assert tide["response"]["content_type"] == "application/json"
    assert tide["source"] == {"page": "tides.md", "start": 3, "end": 11}
    assert tide["annotations"] == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
    }
    first = tide["parameters"][0]
    assert (first["value"], first["value_origin"], first["in"]) == (1, "documented", "path")
    assert tools["other_0"]["status"] == "failed"
    assert tools["other_1"]["message"] == "DELETE is not allowed"
    assert tools["other_2"]["missing"] == ["port_id"]
    assert tools["other_1"]["annotations"]["destructiveHint"] is True
    assert manifest["pages"][0]["quality"] == "semi-organised"


def test_rendering_twice_gives_the_same_bytes(plan: PackagePlan) -> None:
    assert render_package(plan) == render_package(plan.model_copy(deep=True))


def test_all_tools_are_exported_when_asked(plan: PackagePlan) -> None:
    options = plan.options.model_copy(update={"export": "all"})
    files = render_package(plan.model_copy(update={"options": options}))
    assert "src/tides/tools/other.py" in files


def test_secrets_spelled_out_in_a_login_stay_out(plan: PackagePlan) -> None:
    body: dict[str, JsonValue] = {"user": "pilot", "password": "hunter2hunter2"}
    auth = AuthOptions(type="login", url="http://me:hunter3@127.0.0.1/login", body=body)
    options = plan.options.model_copy(
        update={"auth": auth, "base_url": "http://me:hunter4@127.0.0.1"}
    )
    changes = {"options": options, "base_url": "http://me:hunter4@127.0.0.1"}
    for path, content in render_package(plan.model_copy(update=changes)).items():
        assert b"hunter" not in content, path


def test_the_users_template_wins(plan: PackagePlan, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "README.md.jinja").write_text("# Ours: {{ title }}\n")
    files = render_package(plan, tmp_path)
    assert files["README.md"] == b"# Ours: Tides of &lt;small&gt; ports\n"


USE = """
import tides
from importlib.metadata import entry_points
from importlib.resources import files

(entry,) = entry_points(group="doc2tools.toolkits", name="tides")
assert entry.load() is tides
assert (files("tides") / "doc2tools.json").is_file()
assert (files("tides") / "py.typed").is_file()
answer = tides.list_tides(1, kind=["high"])
print(answer.port, answer.tides[0].height, tides.list_ports()[0].name, tides.about().strip())
print(tides.get_file("maps/bude.json").scale, len(tides.chart(1)))
try:
    tides.list_tides(99)
except tides.ApiError as error:
    print(error.status)
"""


def test_it_installs_with_pip_into_a_clean_environment(
    project: Path, tides: str, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    built = tmp_path / "wheel"
    source = shutil.copytree(project, tmp_path / "source")
    command = ("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", built, source)
    wheel = run(sys.executable, "-m", "pip", *command, cwd=tmp_path)
    assert wheel.returncode == 0, wheel.stderr
    install = ("install", "--no-deps", "--no-index", *built.glob("*.whl"))
    installed = run(python, "-m", "pip", *install, cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr
    libraries = str(Path(requests.__file__).parents[1])
    (tmp_path / "use.py").write_text(f"import sys\nsys.path.append({libraries!r})\n{USE}")
    used = run(python, tmp_path / "use.py", cwd=tmp_path, TIDES_BASE_URL=tides)
    assert used.stdout == "Bude 6.0 Bude Tide tables for small ports.\n25000 4\n404\n", used.stderr
