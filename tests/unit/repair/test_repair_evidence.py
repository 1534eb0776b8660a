"""What failed attempts say, which patches are proposed for them, and which answers are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

import pytest

from doc2tools.compiler.ir.exchange import Exchange, Request, Response, TransportFailure
from doc2tools.compiler.ir.outcome import Argument, Attempt, Cause, Tool, Validated, Verdict
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.compiler.repair import propose_base, propose_call, propose_segment
from doc2tools.compiler.repair.confirm import confirm
from doc2tools.compiler.repair.evidence import Evidence, read_evidence
from doc2tools.compiler.repair.identity import (
    answer_objection,
    served_objection,
    twin_objection,
    wildcard_objection,
    word_objection,
)
from doc2tools.compiler.repair.lessons import Lessons
from doc2tools.compiler.repair.patches import (
    BasePath,
    BooleanStyle,
    ChangeType,
    ClosePlaceholder,
    FixedHeader,
    FormatSuffix,
    ListStyle,
    PathEncoding,
    Relocate,
    RenameParameter,
    RenameSegment,
    ReplaceExample,
    Require,
    TrailingSlash,
)
from doc2tools.compiler.repair.siblings import Siblings
from doc2tools.compiler.repair.spelling import alike, spellings, supported, vocabulary
from doc2tools.compiler.repair.survey import Survey
from doc2tools.compiler.repair.suspect import Suspect
from doc2tools.compiler.repair.trial import Bench
from doc2tools.compiler.validate.messages import Complaint
from doc2tools.param_db.values import ValueStore

HOST = "http://127.0.0.1:9"


def parameter(name: str, location: str = "query", **facts: object) -> Parameter:
    return Parameter.model_validate(
        {"name": name, "identifier": name.replace("-", "_"), "location": location, **facts}
    )


def endpoint(path: str, *parameters: Parameter, **facts: object) -> Endpoint:
    settled = {
        "name": path.strip("/").replace("/", "_") or "root",
        "group": "things",
        "method": "GET",
        "base_url": HOST,
        "path": path,
        "parameters": parameters,
        "effect": Effect(kind="read", reason="GET reads"),
        **facts,
    }
    return Endpoint.model_validate(settled)


def exchange(
    path: str, status: int = 200, body: object = "", media: str = "application/json"
) -> Exchange:
    text = body if isinstance(body, str) else json.dumps(body)
    response = Response(status=status, headers={"content-type": media}, body=text)
    return Exchange(request=Request(method="GET", url=f"{HOST}{path}"), response=response)


def attempt(cause: Cause, held: Exchange, **values: object) -> Attempt:
    arguments = tuple(
        Argument(name=name, value=str(value), origin="documented") for name, value in values.items()
    )
    verdict = Verdict(verdict="request_error", cause=cause, message="it failed")
    return Attempt(arguments=arguments, exchange=held, verdict=verdict)


NOWHERE = exchange("/no-such-path", 404, {"error": "nothing at /no-such-path", "at": 17})


@pytest.mark.parametrize(
    ("cause", "held", "trouble"),
    [
        ("missing-path", exchange("/ships", 404, "404 page not found", "text/plain"), "route"),
        # In the words that nonsense gets, whatever the cause was taken for.
        (
            "wrong-parameter-value",
            exchange("/ships/7", 404, {"error": "nothing at /ships/7", "at": 93}),
            "route",
        ),
        ("wrong-parameter-value", exchange("/ships/7", 404, {"error": "no ship 7"}), "object"),
        ("abnormal-response", exchange("/chart", 406, {"accept": ["image/png"]}), "form"),
        ("missing-parameter", exchange("/tides", 400, {"error": "port is required"}), "missing"),
        ("wrong-parameter-value", exchange("/tides", 422, {"error": "bad port"}), "value"),
        ("abnormal-response", exchange("/app", 200, "<html>app</html>", "text/html"), "page"),
        ("server-fault", exchange("/tides", 500, {"error": "boom"}), "fault"),
        ("method-not-allowed", exchange("/tides", 405, {"error": "no"}), "method"),
    ],
)
def test_the_trouble_is_told_from_the_answer(cause: Cause, held: Exchange, trouble: str) -> None:
    found = read_evidence(endpoint("/ships"), attempt(cause, held), NOWHERE)
    assert found is not None
    assert found.trouble == trouble


@pytest.mark.parametrize(
    "cause",
    ["unreachable", "unauthorised", "rate-limited", "timeout", "tls", "blocked", "code-fault"],
)
def test_what_no_patch_can_mend_is_left_alone(cause: Cause) -> None:
    assert read_evidence(endpoint("/ships"), attempt(cause, NOWHERE), NOWHERE) is None


def test_a_header_that_cannot_be_one_is_evidence() -> None:
    failure = TransportFailure(cause="refused-by-policy", message="a header's name")
    refused = Exchange(request=Request(method="GET", url=HOST), failure=failure)
    odd = endpoint("/series", parameter("match[]", "header", required=True))
    found = read_evidence(odd, attempt("blocked", refused), None)
    assert found is not None
    assert found.trouble == "value"
    assert read_evidence(endpoint("/series"), attempt("blocked", refused), None) is None


def suspect(held: Endpoint, evidence: Evidence, *working: Endpoint, **facts: object) -> Suspect:
    siblings = Siblings(working, (held, *working))
    settled: dict[str, object] = {"missing": (), "shown": (), **facts}
    return Suspect(held, evidence, siblings, ValueStore(), ("GET",), **settled)  # type: ignore[arg-type] - facts by name


def first(propose: Callable[[Suspect], object], one: Suspect, number: int = 3) -> list[object]:
    found = propose_call.ordered(propose(one))  # type: ignore[arg-type] - proposers give iterators
    return [proposal.patch for proposal in found[:number]]


def test_the_siblings_base_path_is_proposed_first() -> None:
    lone = suspect(
        endpoint("/berths"), Evidence("route"), endpoint("/api/v2/ships"), endpoint("/api/v2/tides")
    )
    assert first(propose_base.base_paths, lone, 1) == [BasePath("", "/api/v2")]
    other = suspect(endpoint("/api/v1/berths"), Evidence("route"), endpoint("/api/v2/ships"))
    assert BasePath("/api/v1", "/api/v2") in first(propose_base.base_paths, other)


def test_no_base_path_is_proposed_where_the_address_is_there() -> None:
    one = suspect(endpoint("/berths"), Evidence("value"), endpoint("/api/v2/ships"))
    assert first(propose_base.base_paths, one) == []


def test_common_base_paths_are_proposed_where_nothing_works() -> None:
    one = suspect(endpoint("/berths"), Evidence("route"))
    assert BasePath("", "/api/v1") in first(propose_base.base_paths, one)


@pytest.mark.parametrize(
    ("path", "title", "wanted"),
    [
        ("/crnaes", "Cranes of a quay", "cranes"),
        ("/crane", "All cranes", "cranes"),
        ("/cranes-list", "", "cranes"),
        ("/harbour-masters", "", "harbour_masters"),
        ("/entries", "Get label names", "labels"),
        ("/sysinfo", "System information", "system_info"),
    ],
)
def test_segments_are_proposed_from_spelling_and_words(path: str, title: str, wanted: str) -> None:
    held = endpoint(path, title=title)
    one = suspect(held, Evidence("route"), endpoint("/tug_boats"))
    patches = first(propose_segment.segments, one, 10)
    assert RenameSegment(0, path[1:], wanted) in patches


def test_a_word_misspelt_throughout_is_told_from_what_other_tools_say() -> None:
    held = endpoint("/crnaes", title="List crnaes", summary="All crnaes.")
    other = endpoint("/quays", summary="Quays with their cranes.")
    words = vocabulary((held, other))
    one = suspect(held, Evidence("route"), other, words=words)
    assert RenameSegment(0, "crnaes", "cranes") in first(propose_segment.segments, one, 3)
    assert alike("crnaes", words | {"coupons"}).keys() >= {"crane", "cranes"}
    assert "coupons" not in alike("crnaes", words | {"coupons"})


def test_what_the_server_says_was_meant_goes_first() -> None:
    one = suspect(endpoint("/vessels"), Evidence("route", meant=("/ships",)), endpoint("/tides"))
    assert first(propose_segment.segments, one, 1) == [RenameSegment(0, "vessels", "ships")]


def test_paths_that_the_server_shows_are_proposed() -> None:
    held = endpoint("/vessels", summary="Lists the ships in port.")
    index = exchange("/", 200, {"links": [f"{HOST}/ships", f"{HOST}/tides"]})
    survey = Survey(None)
    survey.note(index)
    one = suspect(held, Evidence("route"), shown=survey.paths())
    assert first(propose_segment.segments, one, 1) == [RenameSegment(0, "vessels", "ships")]


def test_other_hosts_in_an_answer_are_not_this_servers_paths() -> None:
    survey = Survey(None)
    survey.note(exchange("/", 200, {"next": "http://elsewhere.example/ships", "own": "/tides"}))
    assert ["ships"] not in survey.paths()
    assert ["tides"] in survey.paths()


def test_a_complaint_is_followed() -> None:
    tides = endpoint("/tides", parameter("port"), parameter("harbor"))
    missing = Evidence("missing", complaint=Complaint("port", True, True, (), "port is required"))
    assert first(propose_call.complaints, suspect(tides, missing), 1) == [Require("port")]
    unknown = Complaint("harbour", False, True, (), "missing 'harbour'")
    found = first(propose_call.complaints, suspect(tides, Evidence("missing", complaint=unknown)))
    assert RenameParameter("harbor", "harbour") in found
    wrong = Complaint("port", True, False, ("bergen", "oslo"), "must be one of bergen, oslo")
    sent = (Argument(name="port", value="rome", origin="documented"),)
    evidence = Evidence("value", complaint=wrong, arguments=sent)
    assert first(propose_call.complaints, suspect(tides, evidence), 1) == [
        ReplaceExample("port", "rome", "bergen")
    ]


def test_a_credential_that_is_asked_for_is_never_made_up() -> None:
    asked = Complaint("api_key", False, True, (), "missing 'api_key'")
    one = suspect(endpoint("/tides"), Evidence("missing", complaint=asked))
    assert first(propose_call.complaints, one) == []


@pytest.mark.parametrize("location", ["header", "form", "body", "cookie"])
def test_a_required_parameter_of_a_reading_call_is_tried_in_the_query(location: str) -> None:
    one = suspect(endpoint("/tides", parameter("port", location, required=True)), Evidence("value"))
    assert first(propose_call.locations, one, 1) == [Relocate("port", location, "query")]  # type: ignore[arg-type] - one of the literals


def test_a_parameter_goes_where_its_siblings_have_it() -> None:
    lost = endpoint("/match/v1/{points}", parameter("profile", required=True))
    route = endpoint("/route/v1/{profile}/{points}", parameter("profile", "path", required=True))
    one = suspect(lost, Evidence("value"), route)
    assert first(propose_call.locations, one, 1) == [Relocate("profile", "query", "path", 2)]


def test_types_styles_encodings_and_headers() -> None:
    flag = parameter("open", "path", type="boolean", required=True)
    guess = (Argument(name="open", value=True, origin="guessed"),)
    one = suspect(endpoint("/docks/{open}", flag), Evidence("object", arguments=guess))
    assert ChangeType("open", "boolean", "integer") in first(propose_call.types, one)
    lists = endpoint("/tags", parameter("ids", type="array"), parameter("live", type="boolean"))
    sent = (
        Argument(name="ids", value=[1, 2], origin="documented"),
        Argument(name="live", value=True, origin="documented"),
    )
    found = first(propose_call.styles, suspect(lists, Evidence("value", arguments=sent)), 9)
    assert ListStyle("ids", "comma") in found
    assert BooleanStyle("live", "1/0") in found
    slash = (Argument(name="berth", value="north/1", origin="observed"),)
    berth = endpoint("/berths/{berth}", parameter("berth", "path", required=True))
    found = first(propose_call.encodings, suspect(berth, Evidence("object", arguments=slash)))
    assert found == [PathEncoding("berth", slashes=True)]
    refused = Evidence("form", status=406, media=("image/png",))
    found = first(propose_call.headers, suspect(endpoint("/chart"), refused), 1)
    assert found == [FixedHeader("Accept", "image/png")]


def test_a_lesson_is_put_to_others_only_after_it_held_twice() -> None:
    lessons, berths = Lessons(), endpoint("/berths")
    patch = BasePath("", "/api/v2")
    lessons.learn(patch, "ships")
    lessons.learn(patch, "ships")
    assert list(lessons.for_endpoint(berths)) == []
    lessons.learn(patch, "tides")
    assert [one.patch for one in lessons.for_endpoint(berths)] == [patch]
    assert list(lessons.for_endpoint(endpoint("/api/v2/berths"))) == []
    lessons.learn(Require("port"), "ships")
    lessons.learn(Require("port"), "tides")
    assert [one.patch for one in lessons.for_endpoint(berths)] == [patch]


SHOWN = {"content_type": "application/json", "text": '{"data": {"cranes": [{"id": 1}]}}'}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"data": {"cranes": [{"id": 9}]}}, ""),
        ({"data": {}}, ""),
        ({"data": ["K1"]}, "a list where an object is documented"),
        ({"ships": [1]}, "none of its documented fields"),
        ([1, 2], "a list where an object is documented"),
    ],
)
def test_an_answer_must_be_as_documented(body: object, why: str) -> None:
    held = endpoint("/cranes", responses=(SHOWN,))
    found = answer_objection(held, exchange("/cranes", 200, body))
    assert (why in found) if why else found == ""


def test_an_error_is_no_proof_of_a_patch() -> None:
    assert "404" in answer_objection(endpoint("/cranes"), exchange("/cranes", 404, {"a": 1}))


def test_a_guessed_base_path_may_not_give_another_tools_answer() -> None:
    held, other = endpoint("/cranes"), endpoint("/ships")
    body = {"ships": ["Alma", "Brise", "Cap Horn", "Dagny"]}
    good = attempt("ok", exchange("/ships", 200, body))
    tool = Tool(endpoint=other, outcome=Validated(attempt=good))
    answer = exchange("/api/cranes", 200, body)
    assert "another tool" in twin_objection(held, (BasePath("", "/api"),), answer, (tool,))
    assert twin_objection(held, (TrailingSlash(added=True),), answer, (tool,)) == ""


def test_a_word_from_a_heading_above_is_not_enough() -> None:
    held = endpoint("/orchards", title="List orchards", section=("Querying metadata", "Orchards"))
    patches = (RenameSegment(0, "orchards", "metadata"),)
    answer = exchange("/metadata", 200, {"status": "success", "data": {"up": [{"type": "gauge"}]}})
    assert "nothing that is said" in word_objection(held, patches, answer, ())
    assert "nothing that is said" in word_objection(held, patches, None, ())
    assert word_objection(held, patches, answer, ("/metadata",)) == ""
    shown = {"content_type": "application/json", "text": '{"data": {"up": [{"type": "x"}]}}'}
    documented = held.model_copy(update={"responses": endpoint("/", responses=(shown,)).responses})
    assert word_objection(documented, patches, answer, ()) == ""
    other = exchange("/metadata", 200, {"status": "success", "data": {"down": [{"kind": "x"}]}})
    assert word_objection(documented, patches, other, ()) != ""
    titled = held.model_copy(update={"title": "List metadata"})
    assert word_objection(titled, patches, answer, ()) == ""


def test_a_segment_must_make_a_difference() -> None:
    patches = (RenameSegment(0, "crnaes", "cranes"),)
    held = exchange("/cranes", 200, {"page": "welcome"})

    def anything(request: Request) -> Exchange:
        return exchange(request.url.removeprefix(HOST), 200, {"page": "welcome"})

    def strict(request: Request) -> Exchange:
        return exchange(request.url.removeprefix(HOST), 404, {"error": "no"})

    assert "any word" in wildcard_objection(patches, held, anything)[0]
    assert wildcard_objection(patches, held, strict) == ("", 1)
    assert wildcard_objection((TrailingSlash(added=True),), held, anything) == ("", 0)


def test_an_address_that_answers_with_the_same_fields_is_served() -> None:
    state = {"crane": "K1", "load": 4, "mode": "idle", "count": 3}
    patches = (RenameSegment(0, "spare", "spares"),)
    before, after = exchange("/spare", 503, state), exchange("/spares", 200, state)
    assert "same fields" in served_objection(patches, before, after)
    assert served_objection((TrailingSlash(added=True),), before, after) == ""
    assert served_objection(patches, None, after) == ""
    assert served_objection(patches, exchange("/spare", 404, {"message": "no"}), after) == ""
    failed = {"error": "gone", "path": "/spare", "timestamp": 1, "trace": "x"}
    assert (
        served_objection(patches, exchange("/spare", 404, failed), exchange("/s", 200, failed))
        == ""
    )


def test_nonsense_in_the_place_of_a_segment_has_its_form() -> None:
    held = exchange("/hoists/motor_name", 200, {})

    def words_only(request: Request) -> Exchange:
        known = request.url.rpartition("/")[2].replace("_", "").isalpha()
        return exchange(request.url.removeprefix(HOST), 200 if known else 404, {})

    closed = (ClosePlaceholder("motor_name", "motor_name"),)
    assert "any word" in wildcard_objection(closed, held, words_only)[0]
    shorter = (FormatSuffix(".png", added=False),)
    assert "any word" in wildcard_objection(shorter, held, words_only)[0]
    assert wildcard_objection((FormatSuffix(".json", added=True),), held, words_only) == ("", 0)


def test_words_of_the_documentation_support_a_segment() -> None:
    held = endpoint("/entries", title="Get label names")
    assert supported(held, "entries", "labels")
    assert not supported(held, "entries", "coupons")
    assert "label_names" in spellings(held, ("_",))


def test_hostile_texts_cost_little() -> None:
    long = "did you mean " * 3000 + "/" + "a/" * 30_000
    held = endpoint("/ships", title=long[:5000], description=long)
    found = read_evidence(held, attempt("missing-path", exchange("/ships", 404, long)), NOWHERE)
    assert found is not None
    survey = Survey(None)
    survey.note(exchange("/", 200, long, "text/html"))
    patches = first(propose_segment.segments, suspect(held, found, shown=survey.paths()), 500)
    assert len(patches) <= 40


class Untouchable:
    """A bench on which no call may be made."""

    spent = False

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was used")


def test_a_tool_that_changes_state_is_not_called_again_to_confirm_it() -> None:
    write = Effect(kind="write", reason="the user allowed it", idempotent=False)
    held = endpoint("/bell/ring", parameter("loud"), effect=write)
    good = attempt("ok", exchange("/bell/ring?loud=yes", 200, {"rung": True}), loud="yes")
    tool = Tool(endpoint=held, outcome=Validated(attempt=good))
    bench = cast("Bench", Untouchable())
    assert confirm(tool, bench) is tool
    reading = tool.model_copy(update={"endpoint": endpoint("/bell", parameter("loud"))})
    with pytest.raises(AssertionError, match="was used"):
        confirm(reading, bench)


def test_a_secret_in_the_path_is_not_filled_with_its_own_name() -> None:
    held = endpoint("/login/{password}", parameter("password", "path", required=True))
    one = suspect(held, Evidence("unfilled"), missing=("password",))
    assert first(propose_segment.placeholders, one) == []
