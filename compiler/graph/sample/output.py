"""The files of a set of samples: tasks, conversations, retriever pairs, schemas and a data card.

The same samples give the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, median

from pydantic import BaseModel

from doc2tools.compiler.graph.sample.draw import Drawn, Wanted
from doc2tools.compiler.graph.sample.model import (
    ChatMessage,
    ChatSample,
    Pair,
    Sample,
    Span,
    Split,
)
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.plan import PackagePlan

__all__ = ["chat_of", "data_card", "dataset_files", "pairs_of"]

SPLITS: tuple[Split, ...] = ("train", "dev", "test")
_INSTRUCTION = (
    "You reach the user's goal by calling tools, one call a message, as JSON with `name` and "
    "`arguments`. When you have what is needed, answer in words."
)
_DOCUMENT = 600


def dataset_files(drawn: Drawn, plan: PackagePlan, wanted: Wanted) -> dict[str, bytes]:
    """Write the data set: path below its folder to content."""
    documents = _documents(plan)
    card = data_card(drawn, plan, wanted)
    found = {
        "tasks.jsonl": _lines(drawn.samples),
        "sft.jsonl": _lines(chat_of(sample, documents) for sample in drawn.samples),
        "schema/task.json": _schema(Sample),
        "schema/sft.json": _schema(ChatSample),
        "schema/pair.json": _schema(Pair),
        "card.json": _json(card),
        "README.md": _readme(plan.name, card).encode(),
    }
    pairs = [pair for sample in drawn.samples for pair in pairs_of(sample, documents)]
    for split in SPLITS:
        found[f"retriever/{split}.jsonl"] = _lines(one for one in pairs if one.split == split)
    return found


def chat_of(sample: Sample, documents: Mapping[str, str]) -> ChatSample:
    """Give a task as a conversation; the values of arguments are masked from the loss.

    Which values a call takes stands in the messages before it: what is to be learnt is which tool
    is called with what from where (GOAT, arXiv 2510.12218, section 3.4).
    """
    names = dict.fromkeys(step.api_name for step in sample.api_path)
    tools = "\n".join(documents[name] for name in names if name in documents)
    messages = [
        ChatMessage(role="system", content=f"{_INSTRUCTION}\n\nTools:\n{tools}"),
        ChatMessage(role="user", content=sample.query),
    ]
    for step in sample.api_path:
        content, masked = _call(step.api_name, step.input)
        messages.append(ChatMessage(role="assistant", content=content, masked=masked, train=True))
        output = json.dumps(step.output, ensure_ascii=False)
        messages.append(ChatMessage(role="tool", content=output))
    messages.append(ChatMessage(role="assistant", content=sample.final_response, train=True))
    return ChatSample(id=sample.id, split=sample.split, messages=tuple(messages))


def _call(name: str, arguments: Mapping[str, JsonValue]) -> tuple[str, tuple[Span, ...]]:
    """Write a call as JSON, and give where the arguments' values stand in it."""
    text = f'{{"name": {json.dumps(name)}, "arguments": {{'
    spans: list[Span] = []
    for number, (key, value) in enumerate(arguments.items()):
        text += f"{', ' if number else ''}{json.dumps(key, ensure_ascii=False)}: "
        written = json.dumps(value, ensure_ascii=False)
        spans.append(Span(start=len(text), end=len(text) + len(written)))
        text += written
    return f"{text}}}}}", tuple(spans)


def pairs_of(sample: Sample, documents: Mapping[str, str]) -> list[Pair]:
    """Give the query, and each sub-instruction, beside the document of the tool that it needs."""
    found: dict[tuple[str, str], Pair] = {}
    for step in sample.api_path:
        document = documents.get(step.api_name)
        if document is None:
            continue
        for query in (sample.query, step.sub_instruction):
            pair = Pair(
                query=query,
                document_id=step.api_name,
                document=document,
                sample=sample.id,
                split=sample.split,
            )
            found.setdefault((query, step.api_name), pair)
    return list(found.values())


def _documents(plan: PackagePlan) -> dict[str, str]:
    """Give each tool's document: name, what it does, parameters."""
    return {tool.endpoint.name: _document(tool) for tool in plan.tools}


def _document(tool: Tool) -> str:
    endpoint = tool.endpoint
    about = endpoint.summary or endpoint.title or f"{endpoint.method} {endpoint.path}"
    text = " ".join(f"{endpoint.name}: {about}".split())[:_DOCUMENT]
    needed = [one.identifier for one in endpoint.parameters if one.required]
    others = [one.identifier for one in endpoint.parameters if not one.required][:12]
    parts = [f"Required: {', '.join(needed)}." if needed else "", _optional(others)]
    return " ".join(part for part in (text, *parts) if part)


def _optional(names: Sequence[str]) -> str:
    return f"Optional: {', '.join(names)}." if names else ""


def data_card(drawn: Drawn, plan: PackagePlan, wanted: Wanted) -> dict[str, JsonValue]:
    """Say what the data set holds, how much of the graph it covers, and what was rejected."""
    samples = drawn.samples
    proved = [edge for edge in plan.graph.edges if edge.stage == "proved"] if plan.graph else []
    used = {
        (
            sample.api_path[link.source].api_name,
            sample.api_path[link.target].api_name,
            link.parameter,
            link.field,
        )
        for sample in samples
        for link in sample.links
    }
    joined = {tool for edge in proved for tool in (edge.source, edge.target)}
    called = {step.api_name for sample in samples for step in sample.api_path}
    return {
        "toolkit": plan.name,
        "digest": plan.digest,
        "asked": {
            "samples": wanted.number,
            "min_nodes": wanted.least,
            "max_nodes": wanted.most,
            "seed": wanted.seed,
        },
        "samples": len(samples),
        "attempts": drawn.attempts,
        "rejected": dict(drawn.rejected),
        "duplicates": len(samples) - len({sample.id for sample in samples}),
        "splits": {split: sum(one.split == split for one in samples) for split in SPLITS},
        "subgraphs": len({sample.subgraph for sample in samples}),
        "subgraphs_in_several_splits": _shared(samples),
        "steps": _spread([len(sample.api_path) for sample in samples]),
        "steps_counted": _counted(len(sample.api_path) for sample in samples),
        "query_words": _spread([len(sample.query.split()) for sample in samples]),
        "answer_words": _spread([len(sample.final_response.split()) for sample in samples]),
        "tools": {"used": len(called), "with_proved_edges": len(joined)},
        "edges": {"used": len(used), "proved": len(proved)},
    }


def _shared(samples: Sequence[Sample]) -> int:
    splits: dict[str, set[str]] = {}
    for sample in samples:
        splits.setdefault(sample.subgraph, set()).add(sample.split)
    return sum(len(found) > 1 for found in splits.values())


def _spread(numbers: Sequence[int]) -> dict[str, JsonValue]:
    if not numbers:
        return {"min": 0, "median": 0, "mean": 0, "max": 0}
    return {
        "min": min(numbers),
        "median": float(median(numbers)),
        "mean": round(mean(numbers), 2),
        "max": max(numbers),
    }


def _counted(numbers: Iterable[int]) -> dict[str, JsonValue]:
    return {str(number): count for number, count in sorted(Counter(numbers).items())}


def _readme(name: str, card: Mapping[str, JsonValue]) -> str:
    rejected = card["rejected"]
    reasons = rejected.items() if isinstance(rejected, dict) else ()
    lines = [
        f"# Tasks for {name}",
        "",
        f"{card['samples']} tasks, drawn by doc2tools from the toolkit's proved dependency graph;",
        "every call was made, and its answer is recorded here.",
        "",
        "| file | what it holds |",
        "|---|---|",
        "| `tasks.jsonl` | `query`, `api_path` and `final_response`, by `schema/task.json` |",
        "| `sft.jsonl` | the same as conversations; `masked` gives characters of argument values |",
        "| `retriever/*.jsonl` | queries beside the documents of the tools they need |",
        "| `card.json` | the figures below, and more |",
        "",
        "Queries and answers are written by templates. Answers are of the server that was called:",
        "what it holds decides what they say. A split shares no set of tools with another.",
        "",
        "| figure | |",
        "|---|---|",
    ]
    for key in ("splits", "subgraphs", "steps", "query_words", "tools", "edges", "attempts"):
        lines.append(f"| {key.replace('_', ' ')} | {_cell(card[key])} |")
    lines += ["", "| rejected because | attempts |", "|---|---|"]
    lines += [f"| {reason} | {count} |" for reason, count in reasons]
    return "\n".join(lines) + "\n"


def _cell(value: JsonValue) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {item}" for key, item in value.items())
    return str(value)


def _lines(items: Iterable[BaseModel]) -> bytes:
    return "".join(f"{item.model_dump_json()}\n" for item in items).encode()


def _schema(model: type[BaseModel]) -> bytes:
    schema = model.model_json_schema(mode="serialization")
    return _json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def _json(value: Mapping[str, JsonValue]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
