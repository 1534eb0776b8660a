"""Each kind of patch: what it changes, what it leaves alone, and what none may ever do."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Effect, Endpoint, Example, Parameter
from doc2tools.compiler.repair.address import origin, whole_path
from doc2tools.compiler.repair.guard import objection
from doc2tools.compiler.repair.patches import (
    BasePath,
    BooleanStyle,
    ChangeType,
    ClosePlaceholder,
    FixedHeader,
    FormatSuffix,
    ListStyle,
    Method,
    OpenSegment,
    Patch,
    PathEncoding,
    Relocate,
    RenameParameter,
    RenameSegment,
    ReplaceExample,
    Require,
    TrailingSlash,
)

HOST = "http://127.0.0.1:9"
READ = Effect(kind="read", reason="GET reads")


def parameter(name: str, location: str = "query", **facts: object) -> Parameter:
    return Parameter.model_validate(
        {"name": name, "identifier": name.replace("-", "_"), "location": location, **facts}
    )


def endpoint(path: str, *parameters: Parameter, **facts: object) -> Endpoint:
    settled = {
        "name": "tool",
        "group": "things",
        "method": "GET",
        "base_url": HOST,
        "path": path,
        "parameters": parameters,
        "effect": READ,
        **facts,
    }
    return Endpoint.model_validate(settled)


SHIP = parameter("ship", "path", required=True)


@pytest.mark.parametrize(
    ("patch", "before", "after"),
    [
        (BasePath("", "/api/v2"), "/ships", "/api/v2/ships"),
        (BasePath("/v1", "/v2"), "/v1/ships", "/v2/ships"),
        (BasePath("/api", ""), "/api/ships", "/ships"),
        (BasePath("", "/api"), "/api/ships", "/api/ships"),
        (BasePath("/v1", "/v2"), "/v10/ships", "/v10/ships"),
        (RenameSegment(0, "shps", "ships"), "/shps/{ship}", "/ships/{ship}"),
        (RenameSegment(1, "shps", "ships"), "/shps/{ship}", "/shps/{ship}"),
        (RenameSegment(7, "shps", "ships"), "/shps", "/shps"),
        (ClosePlaceholder("ship", "ship"), "/{ship}/crew", "/ship/crew"),
        (ClosePlaceholder("other", "x"), "/{ship}/crew", "/{ship}/crew"),
        (OpenSegment(1, "alma", "name"), "/ships/alma", "/ships/{name}"),
        (FormatSuffix(".json", added=True), "/ships", "/ships.json"),
        (FormatSuffix(".json", added=True), "/ships.json", "/ships.json"),
        (FormatSuffix(".json", added=False), "/ships.json", "/ships"),
        (TrailingSlash(added=True), "/ships", "/ships/"),
        (TrailingSlash(added=False), "/ships/", "/ships"),
        (TrailingSlash(added=False), "/", "/"),
    ],
)
def test_patches_of_the_path(patch: Patch, before: str, after: str) -> None:
    given = endpoint(before, *([SHIP] if "{ship}" in before else []))
    patched = patch.apply(given)
    assert whole_path(patched) == after
    assert origin(patched) == HOST


def test_a_base_path_within_the_base_url_is_replaced_there() -> None:
    given = endpoint("/ships", base_url=f"{HOST}/v1")
    patched = BasePath("/v1", "/v2").apply(given)
    assert (patched.base_url, patched.path) == (HOST, "/v2/ships")
    kept = RenameSegment(1, "ships", "boats").apply(given)
    assert (kept.base_url, kept.path) == (f"{HOST}/v1", "/boats")


def test_a_placeholder_that_goes_takes_its_parameter_along_and_one_that_comes_brings_it() -> None:
    closed = ClosePlaceholder("ship", "ship").apply(endpoint("/{ship}/crew", SHIP))
    assert closed.parameters == ()
    opened = OpenSegment(1, "alma", "name").apply(endpoint("/ships/alma"))
    (name,) = opened.parameters
    assert (name.location, name.required, name.examples[0].value) == ("path", True, "alma")


@pytest.mark.parametrize("before", ["header", "form", "body", "cookie"])
def test_a_parameter_moves_to_the_query_and_the_body_is_gone(before: str) -> None:
    kind = {"form": "form", "body": "json"}.get(before, "none")
    given = endpoint("/tides", parameter("port", before, required=True), body_kind=kind)
    patched = Relocate("port", given.parameters[0].location, "query").apply(given)
    assert patched.parameters[0].location == "query"
    assert patched.body_kind == "none"


def test_a_parameter_moves_into_the_path_and_out_of_it() -> None:
    given = endpoint("/ships/crew", parameter("ship", required=True))
    inside = Relocate("ship", "query", "path", 1).apply(given)
    assert inside.path == "/ships/{ship}/crew"
    assert inside.parameters[0].location == "path"
    outside = Relocate("ship", "path", "query").apply(inside)
    assert outside.path == "/ships/crew"
    assert outside.parameters[0].location == "query"


def test_a_name_that_would_break_a_path_stays_where_it_is() -> None:
    given = endpoint("/ships", parameter("a/{b}", required=True))
    assert Relocate("a/{b}", "query", "path", 1).apply(given) == given


def test_encoding_of_slashes() -> None:
    given = endpoint("/berths/{berth}", parameter("berth", "path", required=True))
    patched = PathEncoding("berth", slashes=True).apply(given)
    assert patched.parameters[0].format == "path"
    assert PathEncoding("berth", slashes=False).apply(patched) == given


def test_styles() -> None:
    given = endpoint("/tags", parameter("ids", type="array"), parameter("open", type="boolean"))
    assert ListStyle("ids", "comma").apply(given).parameters[0].style == "comma"
    assert ListStyle("open", "comma").apply(given) == given
    truth = BooleanStyle("open", "1/0").apply(given).parameters[1]
    assert (truth.type, truth.enum) == ("integer", (1, 0))
    assert BooleanStyle("ids", "yes/no").apply(given) == given


def test_headers_that_a_repair_may_set() -> None:
    given = endpoint("/chart", fixed_headers={"accept": "application/json"})
    patched = FixedHeader("Accept", "image/png").apply(given)
    assert patched.fixed_headers == {"Accept": "image/png"}
    for name in ("Host", "Authorization", "X-HTTP-Method-Override", "X-Forwarded-Host", "Cookie"):
        assert FixedHeader(name, "x").apply(given) == given


def test_a_method_that_writes_is_never_put_in() -> None:
    given = endpoint("/ships")
    assert Method("GET", "HEAD").apply(given).method == "HEAD"
    for method in ("POST", "PUT", "PATCH", "DELETE", "CONNECT"):
        assert Method("GET", method).apply(given) == given


def test_a_type_change_brings_back_the_examples_that_the_old_type_ruled_out() -> None:
    mark = parameter("mark", type="integer", unfit_examples=(Example(value="red-7"),))
    patched = ChangeType("mark", "integer", "string").apply(endpoint("/depths", mark))
    assert patched.parameters[0].type == "string"
    assert [one.value for one in patched.parameters[0].examples] == ["red-7"]


def test_marks_and_added_parameters() -> None:
    given = endpoint("/tides", parameter("port"))
    assert Require("port").apply(given).parameters[0].required
    added = Require("day", "query", "monday").apply(given).parameters[1]
    assert (added.required, added.examples[0].origin) == (True, "repaired")
    for name in ("a b", "x" * 100, "a=b&c", "{day}", ""):
        assert Require(name).apply(given) == given


def test_another_name_of_a_parameter_keeps_its_argument_and_samples() -> None:
    given = endpoint("/tides", parameter("harbour"), samples=({"harbour": "bergen"},))
    patched = RenameParameter("harbour", "port").apply(given)
    assert (patched.parameters[0].name, patched.parameters[0].identifier) == ("port", "harbour")
    assert patched.samples == ({"port": "bergen"},)
    taken = endpoint("/tides", parameter("harbour"), parameter("port"))
    assert RenameParameter("harbour", "port").apply(taken) == taken


def test_a_wrong_example_gives_way_everywhere() -> None:
    kind = parameter("kind", examples=(Example(value="torch"), Example(value="lamp")))
    given = endpoint("/signals", kind, samples=({"kind": "torch"}, {"kind": "horn"}))
    patched = ReplaceExample("kind", "torch", "lamp").apply(given)
    assert [one.value for one in patched.parameters[0].examples] == ["lamp"]
    assert patched.parameters[0].examples[0].origin == "repaired"
    assert patched.samples == ({"kind": "lamp"}, {"kind": "horn"})


WORD = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
ODD = st.one_of(WORD, st.text(max_size=12), st.sampled_from(["..", "//evil.example", "{x}", "@h"]))
PREFIX = st.one_of(st.just(""), ODD.map(lambda word: f"/{word}"), ODD)
LOCATION = st.sampled_from(["path", "query", "header", "cookie", "body", "form"])
PATCHES: st.SearchStrategy[Patch] = st.one_of(
    st.builds(BasePath, PREFIX, PREFIX),
    st.builds(RenameSegment, st.integers(-2, 4), ODD, ODD),
    st.builds(ClosePlaceholder, st.sampled_from(["ship", "x"]), ODD),
    st.builds(OpenSegment, st.integers(0, 4), ODD, ODD),
    st.builds(Relocate, st.sampled_from(["port", "ship"]), LOCATION, LOCATION, st.integers(-2, 4)),
    st.builds(PathEncoding, st.just("ship"), st.booleans()),
    st.builds(ListStyle, st.just("port"), st.sampled_from(["comma", "pipe"])),
    st.builds(BooleanStyle, st.just("port"), st.sampled_from(["1/0", "yes/no"])),
    st.builds(FormatSuffix, ODD, st.booleans()),
    st.builds(TrailingSlash, st.booleans()),
    st.builds(FixedHeader, ODD, ODD),
    st.builds(Method, st.just("GET"), st.sampled_from(["POST", "DELETE", "HEAD", "PUT", "TRACE"])),
    st.builds(ChangeType, st.just("port"), st.just("string"), st.sampled_from(["integer"])),
    st.builds(Require, ODD, LOCATION, ODD),
    st.builds(RenameParameter, st.just("port"), ODD),
    st.builds(ReplaceExample, st.just("port"), ODD, ODD),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PATCHES, max_size=4), st.sampled_from(["", "/v1", "/api/v1"]))
def test_no_patch_changes_the_host_the_allowed_method_or_the_effect(
    patches: list[Patch], base: str
) -> None:
    original = endpoint(
        "/ships/{ship}/tides", SHIP, parameter("port", type="string"), base_url=f"{HOST}{base}"
    )
    patched = original
    for patch in patches:
        patched = patch.apply(patched)
        assert patch.line
    assert origin(patched) == HOST
    assert patched.method in {"GET", "HEAD"}
    assert patched.effect == original.effect
    assert patched.name == original.name
    if objection(original, patched, (original,), CompileOptions(allow=("GET",))) == "":
        assert patched.method == "GET"
        assert ".." not in whole_path(patched).split("/")


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (RenameSegment(1, "tides", "delete"), "may change state"),
        (RenameSegment(1, "tides", "reset"), "may change state"),
        (RenameSegment(1, "tides", "shutdown"), "may change state"),
        (RenameSegment(1, "tides", "crew"), "another documented tool"),
        (Method("GET", "HEAD"), "not among the allowed methods"),
        (RenameSegment(1, "tides", ".."), "leave its path"),
    ],
)
def test_patches_that_the_guard_refuses(patch: Patch, why: str) -> None:
    original = endpoint("/harbour/tides")
    crew = endpoint("/harbour/crew").model_copy(update={"name": "list_crew"})
    patched = patch.apply(original)
    assert patched != original
    assert why in objection(original, patched, (original, crew), CompileOptions(allow=("GET",)))


def test_a_verb_that_changes_state_elsewhere_is_refused_here() -> None:
    write = Effect(kind="write", reason="it says so", idempotent=False)
    original = endpoint("/harbour/tides")
    bell = endpoint("/bell/run").model_copy(update={"name": "run_bell", "effect": write})
    patched = RenameSegment(1, "tides", "run").apply(original)
    reason = objection(original, patched, (original, bell), CompileOptions(allow=("GET",)))
    assert "may change state" in reason


def test_another_host_is_refused_whatever_made_it() -> None:
    original = endpoint("/tides")
    moved = original.model_copy(update={"base_url": "http://evil.example"})
    reason = objection(original, moved, (original,), CompileOptions(allow=("GET",)))
    assert reason == "it would call another host"
