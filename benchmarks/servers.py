"""Measure the compiler on real servers whose documented GETs are known.

    python -m benchmarks.servers FOLDER [NAME …] [--without-examples] [--call] [--verbose]

FOLDER holds a folder for each running server: `docs/`, and `gold.json` with `base_url`, `auth`
(`type`, `user`, `password`), `tls_verify` and `endpoints[{method, path, answers, contains,
changes_state}]`. Each is compiled with only base URL and auth configured. Printed for each: the
documented GETs found, those validated of the ones that can answer, validated ones that gold says
cannot answer, tools validated that gold does not know, requests other than GET that were sent, and
the calls made. `--call` installs each package into a clean environment and calls every validated
tool with the manifest's example.

`--without-examples` takes every documented parameter value out of the settled API before anything
is planned: the samples of every endpoint, and the examples of every parameter and of the fields
below it. Names, types, formats, bounds, enumerations, defaults, descriptions and sample answers
stay, so that values have to be inferred.

`--llm-base-url URL` compiles each server once more with the model that listens there, and prints
the same figures for that, the tokens spent, and the tools that were validated by rules alone and
are not with the model; there must be none. `--llm-budget TOKENS` bounds what one compile may spend.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PASSWORD = "DOC2TOOLS_MEASURE_PASSWORD"  # noqa: S105 - the name of a variable
WITHOUT_EXAMPLES = "from benchmarks.without_examples import run; run()"
COMPILE = "from doc2tools.cli.main import run; run()"
CALL = """
import importlib, json, sys
name, manifest = sys.argv[1], json.load(open(sys.argv[2]))
good, bad = 0, []
for tool in manifest["tools"]:
    if tool["status"] != "validated":
        continue
    module = importlib.import_module(f"{name}.{tool['module']}")
    try:
        answer = getattr(module, tool["name"])(**tool["example"])
        good += 1
    except Exception as fault:
        bad.append(f"{tool['name']}: {type(fault).__name__}: {str(fault)[:150]}")
print(json.dumps({"good": good, "bad": bad}))
"""


@dataclass
class Figures:
    """What was measured on one server."""

    name: str
    documented: int = 0
    found: int = 0
    can_answer: int = 0
    validated: int = 0
    false: list[str] = field(default_factory=list[str])
    unknown: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    other_methods: list[str] = field(default_factory=list[str])
    calls: int = 0
    seconds: float = 0.0
    called: str = ""
    tools: set[str] = field(default_factory=set[str])
    model: dict[str, Any] = field(default_factory=dict[str, Any])


def template(path: str) -> str:
    """Give a path with every placeholder's name taken out."""
    bare = re.sub(r"\{[^{}]*\}", "{}", path.partition("?")[0])
    return re.sub(r"/+", "/", bare).rstrip("/") or "/"


def configure(gold: dict[str, Any], folder: Path) -> tuple[Path, dict[str, str]]:
    """Write the configuration: base URL and auth only."""
    lines = [f"base_url = {json.dumps(gold['base_url'])}"]
    environment: dict[str, str] = {}
    if gold["auth"]["type"] == "basic":
        user = json.dumps(gold["auth"]["user"])
        lines += ["[auth]", 'type = "basic"', f"username = {user}", f'password_env = "{PASSWORD}"']
        environment[PASSWORD] = gold["auth"]["password"]
    if not gold.get("tls_verify", True):
        lines += ["[tls]", "verify = false"]
    file = folder / "doc2tools.toml"
    file.write_text("\n".join(lines) + "\n")
    return file, environment


def measure(
    server: Path, work: Path, *, call: bool, examples: bool = True, model: Sequence[str] = ()
) -> Figures:
    """Compile one server's documentation and compare with what is known."""
    gold: dict[str, Any] = json.loads((server / "gold.json").read_text())
    work.mkdir(parents=True, exist_ok=True)
    config, environment = configure(gold, work)
    command = [
        sys.executable, "-c", COMPILE if examples else WITHOUT_EXAMPLES,
        "compile", str(server / "docs"), "--allow", "GET", "--config", str(config),
        "--name", f"api_{server.name}", "--out", str(work / "generated"), "--json", "--quiet",
        *(model or ("--llm", "off")),
    ]  # fmt: skip
    path = {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | environment | path
    )
    if done.returncode not in {0, 1}:
        sys.exit(f"{server.name}: {done.stderr}")
    summary: dict[str, Any] = json.loads(done.stdout)
    figures = Figures(server.name, calls=summary["calls"], seconds=summary["seconds"])
    compare(figures, summary, gold)
    figures.tools = {t["name"] for t in summary["tools"] if t["status"] == "validated"}
    figures.model = summary.get("model") or {}
    figures.other_methods = sent_otherwise(work / "generated")
    if call:
        figures.called = call_tools(
            Path(summary["folder"]), summary["name"], gold, work / "clean", environment
        )
    return figures


def compare(figures: Figures, summary: dict[str, Any], gold: dict[str, Any]) -> None:
    """Fill in what was found and validated."""
    base: str = summary["base_url"]
    tools: dict[str, str] = {}
    for tool in summary["tools"]:
        if tool["method"] == "GET":
            tools.setdefault(template(tool["url"].removeprefix(base)), tool["status"])
            if tool["status"] == "validated":
                tools[template(tool["url"].removeprefix(base))] = "validated"
    known: set[str] = set()
    for endpoint in gold["endpoints"]:
        path = template(endpoint["path"])
        known.add(path)
        status = tools.get(path)
        figures.documented += 1
        figures.found += status is not None
        figures.can_answer += endpoint["answers"]
        if endpoint["answers"]:
            figures.validated += status == "validated"
            if status != "validated":
                figures.missed.append(f"{endpoint['path']} ({status or 'not found'})")
        elif status == "validated" and not _shared(path, gold):
            figures.false.append(endpoint["path"])
    figures.unknown = sorted(
        f"{path} ({status})" for path, status in tools.items() if path not in known
    )


def _shared(path: str, gold: dict[str, Any]) -> bool:
    """Tell whether another documented GET of the same shape can answer."""
    return any(
        endpoint["answers"] and template(endpoint["path"]) == path for endpoint in gold["endpoints"]
    )


def sent_otherwise(generated: Path) -> list[str]:
    """Give the recorded requests whose method is not GET."""
    found: list[str] = []
    for file in sorted(generated.rglob("calls/**/*.json")):
        record = json.loads(file.read_text())
        request = record.get("request", record.get("exchange", {}).get("request", {}))
        if request and request["method"] != "GET":
            found.append(f"{request['method']} {request['url']}")
    return found


def call_tools(
    folder: Path, name: str, gold: dict[str, Any], clean: Path, environment: dict[str, str]
) -> str:
    """Install the package into a clean environment and call every validated tool."""
    venv.create(clean, with_pip=True, clear=True)
    python = str(clean / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", str(folder)], check=True)
    prefix = name.upper()
    variables = {f"{prefix}_BASE_URL": gold["base_url"]}
    if environment:
        variables |= {
            f"{prefix}_USERNAME": gold["auth"]["user"],
            f"{prefix}_PASSWORD": gold["auth"]["password"],
        }
    manifest = folder / "src" / name / "doc2tools.json"
    done = subprocess.run(
        [python, "-c", CALL, name, str(manifest)],
        capture_output=True, text=True, check=False, cwd=clean, env={**os.environ, **variables},
    )  # fmt: skip
    if done.returncode:
        return done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return f"{result['good']} of {result['good'] + len(result['bad'])} answer" + "".join(
        f"\n    {line}" for line in result["bad"]
    )


def main() -> None:
    """Measure the servers named and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--without-examples", action="store_true")
    parser.add_argument("--call", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--llm-base-url", default="", help="measure once more with this model")
    parser.add_argument("--llm-model", default="")
    parser.add_argument("--llm-budget", default="0")
    parser.add_argument("--work", type=Path, help="keep the output here")
    arguments = parser.parse_args()
    servers = sorted(path.parent for path in arguments.folder.glob("*/gold.json"))
    chosen = [one for one in servers if not arguments.names or one.name in arguments.names]
    work = arguments.work or Path(tempfile.mkdtemp())
    total, whole = Figures("all"), Figures("all, model")
    model = ["--llm-base-url", arguments.llm_base_url, "--llm-budget", arguments.llm_budget]
    model += ["--llm-model", arguments.llm_model] if arguments.llm_model else []
    for server in chosen:
        figures = measure(
            server,
            work / server.name,
            call=arguments.call,
            examples=not arguments.without_examples,
        )
        show(figures, verbose=arguments.verbose)
        add(total, figures)
        if arguments.llm_base_url:
            with_model = measure(
                server, work / f"{server.name}-model", call=arguments.call, model=model
            )
            show(with_model, verbose=arguments.verbose)
            show_model(figures, with_model)
            add(whole, with_model)
    show(total, verbose=False)
    if arguments.llm_base_url:
        show(whole, verbose=False)


def add(total: Figures, figures: Figures) -> None:
    """Add one server's figures to the sum."""
    for key in ("documented", "found", "can_answer", "validated", "calls"):
        setattr(total, key, getattr(total, key) + getattr(figures, key))
    total.seconds += figures.seconds
    total.false += figures.false
    total.other_methods += figures.other_methods


def show_model(rules: Figures, model: Figures) -> None:
    """Print what the model added, what was lost, and what it took."""
    lost = sorted(rules.tools - model.tools)
    added = sorted(model.tools - rules.tools)
    took = model.model
    print(
        f"    model {took.get('name', '')}: {took.get('questions', 0)} replies, "
        f"{took.get('tokens_in', 0)} tokens in, {took.get('tokens_out', 0)} out, "
        f"{len(took.get('left_open', []))} questions left open; "
        f"added {len(added)} ({', '.join(added)}), lost {len(lost)} ({', '.join(lost)})",
        flush=True,
    )


def show(figures: Figures, *, verbose: bool) -> None:
    """Print one server's figures."""
    share = 100 * figures.validated / figures.can_answer if figures.can_answer else 0
    print(
        f"{figures.name:<11} found {figures.found}/{figures.documented}  validated "
        f"{figures.validated}/{figures.can_answer} ({share:.0f}%)  false {len(figures.false)}  "
        f"other {len(figures.unknown)}  not GET {len(figures.other_methods)}  "
        f"calls {figures.calls}  {figures.seconds:.1f} s"
    )
    if figures.called:
        print(f"  installed: {figures.called}")
    for label in ("false", "other_methods") + (("missed", "unknown") if verbose else ()):
        for line in getattr(figures, label):
            print(f"    {label}: {line}")


if __name__ == "__main__":
    main()
