"""What is sampled, as data: GOAT's task and the files beside it, as models that have a schema.

The keys `query`, `api_path` (`api_name`, `input`, `output`, `sub_instruction`) and `final_response`
are GOAT's; the others say where a task comes from.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from doc2tools.compiler.ir.base import Frozen, JsonValue

__all__ = ["ChatMessage", "ChatSample", "Link", "Pair", "Sample", "Span", "Split", "Step"]

Split = Literal["train", "dev", "test"]


class Step(Frozen):
    """One call of a task.

    Attributes:
        api_name: The tool's name.
        input: Its arguments, by the generated function's names.
        output: What the server answered; long lists are shortened.
        sub_instruction: What this step does, in a sentence.
    """

    api_name: str = Field(min_length=1)
    input: dict[str, JsonValue]
    output: JsonValue
    sub_instruction: str = Field(min_length=1)


class Link(Frozen):
    """An edge that the task uses.

    Attributes:
        source: Index of the step that gives the value.
        target: Index of the step that takes it.
        parameter: The argument that takes it.
        field: Where in the source's output it stands, such as `results[].id`.
    """

    source: int = Field(ge=0)
    target: int = Field(ge=1)
    parameter: str
    field: str


class Sample(Frozen):
    """One task: what the user wants, the calls that reach it, and the answer.

    Attributes:
        id: Unique: the toolkit's name and a digest of the calls.
        subgraph: Digest of the set of tools; samples of one subgraph are in one split.
    """

    id: str = Field(min_length=1)
    toolkit: str
    query: str = Field(min_length=1)
    api_path: tuple[Step, ...] = Field(min_length=1)
    final_response: str = Field(min_length=1)
    links: tuple[Link, ...] = ()
    subgraph: str
    split: Split = "train"


class Span(Frozen):
    """Characters of a message, the end not included."""

    start: int = Field(ge=0)
    end: int = Field(ge=1)


class ChatMessage(Frozen):
    """One message of a training conversation.

    Attributes:
        masked: Characters of `content` that are left out of the loss: argument values.
        train: The message is learnt; others are context only.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    masked: tuple[Span, ...] = ()
    train: bool = False


class ChatSample(Frozen):
    """A task as a conversation."""

    id: str
    split: Split
    messages: tuple[ChatMessage, ...]


class Pair(Frozen):
    """A query beside the document of a tool that it needs, for training a retriever."""

    query: str
    document_id: str
    document: str
    sample: str
    split: Split
