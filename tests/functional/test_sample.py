"""`doc2tools sample`: tasks whose calls were made, grounded in answers, the same each time."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import ValidationError, validate

from doc2tools.compiler.graph.sample.model import ChatSample, Pair, Sample
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.passes.answer_paths import values_at
from doc2tools.compiler.pipeline import compile_docs
from tests.functional.harbour_server import Harbours, harbours

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def server() -> Generator[Harbours]:
    with harbours() as running:
        yield running


@pytest.fixture(scope="module")
def port(server: Harbours, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("port")
    options = CompileOptions(base_url=server.base_url, allow=("GET",), name="port", llm="off")
    compile_docs([str(server.write_docs(folder / "docs"))], options, folder / "out")
    return folder / "out"


def drawn(cli: Cli, out: Path, to: Path, *more: str) -> tuple[list[Sample], dict[str, Any]]:
    code, stdout, stderr = cli("sample", "port", "--out", out, "--to", to, "--json", *more)
    assert code in {0, 1}, stderr
    lines = (to / "tasks.jsonl").read_text().splitlines()
    return [Sample.model_validate_json(line) for line in lines], json.loads(stdout)


def test_samples_are_executed_and_grounded(port: Path, tmp_path: Path, doc2tools: Cli) -> None:
    samples, card = drawn(doc2tools, port, tmp_path / "data", "--n", "12", "--seed", "4")
    assert card["samples"] == len(samples) == 12
    for sample in samples:
        assert sample.links
        for link in sample.links:
            step, source = sample.api_path[link.target], sample.api_path[link.source]
            assert link.source < link.target
            assert step.input[link.parameter] in values_at(source.output, link.field)
        used = {link.source for link in sample.links}
        for number, step in enumerate(sample.api_path):
            assert step.output
            assert number in used or number in {link.target for link in sample.links}


def test_every_line_fits_its_schema(port: Path, tmp_path: Path, doc2tools: Cli) -> None:
    drawn(doc2tools, port, tmp_path / "data", "--n", "6")
    kinds = {"task": "tasks.jsonl", "sft": "sft.jsonl", "pair": "retriever/train.jsonl"}
    for kind, file in kinds.items():
        schema = json.loads((tmp_path / "data/schema" / f"{kind}.json").read_text())
        lines = [json.loads(line) for line in (tmp_path / "data" / file).read_text().splitlines()]
        assert lines
        for line in lines:
            validate(line, schema)
            for wrong in ({**line, "more": 1}, {**line, "split": "other"}):
                with pytest.raises(ValidationError):
                    validate(wrong, schema)


def test_what_a_call_found_is_not_in_the_query(port: Path, tmp_path: Path, doc2tools: Cli) -> None:
    samples, _ = drawn(doc2tools, port, tmp_path / "data", "--n", "12")
    for sample in samples:
        for link in sample.links:
            assert str(sample.api_path[link.target].input[link.parameter]) not in sample.query


def test_no_sample_repeats_another(port: Path, tmp_path: Path, doc2tools: Cli) -> None:
    samples, card = drawn(doc2tools, port, tmp_path / "data", "--n", "500")
    calls = {
        json.dumps([[step.api_name, step.input] for step in sample.api_path]) for sample in samples
    }
    assert len(calls) == len(samples) == len({sample.query for sample in samples}) < 500
    assert card["rejected"]["it repeats another"] > 0


def test_the_same_seed_gives_the_same_bytes(
    port: Path, tmp_path: Path, doc2tools: Cli, server: Harbours
) -> None:
    drawn(doc2tools, port, tmp_path / "one", "--n", "10", "--seed", "7")
    before = server.asked.total()
    _, card = drawn(doc2tools, port, tmp_path / "two", "--n", "10", "--seed", "7")
    assert server.asked.total() == before
    assert card["calls"] == 0
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 10
    for file in files:
        assert (
            file.read_bytes()
            == (tmp_path / "two" / file.relative_to(tmp_path / "one")).read_bytes()
        )
    other, _ = drawn(doc2tools, port, tmp_path / "three", "--n", "10", "--seed", "8")
    assert [one.id for one in other] != [
        json.loads(line)["id"] for line in (tmp_path / "one/tasks.jsonl").read_text().splitlines()
    ]


def test_splits_share_no_subgraph(port: Path, tmp_path: Path, doc2tools: Cli) -> None:
    samples, card = drawn(doc2tools, port, tmp_path / "data", "--n", "20")
    splits: dict[str, set[str]] = {}
    for sample in samples:
        splits.setdefault(sample.subgraph, set()).add(sample.split)
    assert all(len(found) == 1 for found in splits.values())
    assert card["subgraphs_in_several_splits"] == 0
    assert {"train", "test"} <= {sample.split for sample in samples}
    for split in ("train", "dev", "test"):
        lines = (tmp_path / "data/retriever" / f"{split}.jsonl").read_text().splitlines()
        pairs = [Pair.model_validate_json(line) for line in lines]
        known = {sample.id: sample for sample in samples}
        for pair in pairs:
            assert known[pair.sample].split == split
            assert pair.document_id in {step.api_name for step in known[pair.sample].api_path}


def test_argument_values_are_masked(port: Path, tmp_path: Path, doc2tools: Cli) -> None:
    samples, _ = drawn(doc2tools, port, tmp_path / "data", "--n", "5")
    chats = [
        ChatSample.model_validate_json(line)
        for line in (tmp_path / "data/sft.jsonl").read_text().splitlines()
    ]
    for sample, chat in zip(samples, chats, strict=True):
        calls = [one for one in chat.messages if one.role == "assistant"][:-1]
        for step, message in zip(sample.api_path, calls, strict=True):
            assert json.loads(message.content) == {"name": step.api_name, "arguments": step.input}
            hidden = [json.loads(message.content[s.start : s.end]) for s in message.masked]
            assert hidden == list(step.input.values())
            assert message.train
        assert chat.messages[-1].content == sample.final_response


def test_a_toolkit_without_proved_edges_says_so(
    server: Harbours, tmp_path: Path, doc2tools: Cli
) -> None:
    docs = server.write_docs(tmp_path / "docs")
    words = ("--allow", "GET", "--base-url", server.base_url, "--name", "port", "--llm", "off")
    doc2tools("compile", docs, *words, "--graph", "off", "--out", tmp_path / "out", "--quiet")
    code, _, stderr = doc2tools("sample", "port", "--out", tmp_path / "out")
    assert code == 2
    assert "no proved edge" in stderr
    samples, _ = drawn(doc2tools, tmp_path / "out", tmp_path / "d", "--min-nodes", "1", "--n", "3")
    assert {len(sample.api_path) for sample in samples} == {1}


def test_a_toolkit_whose_state_is_gone_says_what_to_do(
    port: Path, tmp_path: Path, doc2tools: Cli
) -> None:
    shutil.copytree(port, tmp_path / "out", ignore=shutil.ignore_patterns(".doc2tools"))
    code, _, stderr = doc2tools("sample", "port", "--out", tmp_path / "out")
    assert code == 2
    assert "compile again" in stderr


def test_more_least_than_most_is_refused(port: Path, doc2tools: Cli) -> None:
    code, _, stderr = doc2tools(
        "sample", "port", "--out", port, "--min-nodes", "4", "--max-nodes", "2"
    )
    assert code == 2
    assert "--min-nodes" in stderr
