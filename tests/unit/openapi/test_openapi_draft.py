from __future__ import annotations

import json
from textwrap import dedent
from typing import Any

import pytest

from doc2tools.compiler.extract.openapi import draft_openapi
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft
from doc2tools.compiler.load.source import Source

HARBOUR = dedent("""\
    openapi: 3.0.3
    info: {title: Harbour API, version: "1"}
    servers:
      - url: https://{region}.harbour.test/{stage}
        variables:
          region: {default: eu, enum: [eu, us]}
          stage: {default: v2}
    security:
      - key: []
    paths:
      /harbours/{harbour_id}/boats:
        parameters:
          - $ref: "#/components/parameters/HarbourId"
        get:
          operationId: listBoats
          summary: List the boats of a harbour
          tags: [boats]
          deprecated: true
          parameters:
            - name: limit
              in: query
              description: At most so many
              schema: {type: integer, default: 20, minimum: 1, maximum: 100}
            - name: kind
              in: query
              schema:
                type: array
                items: {type: string, enum: [sail, motor]}
            - {name: Accept, in: header, schema: {type: string}}
            - {name: X-Dock, in: header, required: true, schema: {type: string}, example: north}
          responses:
            "200":
              description: The boats
              content:
                application/json:
                  schema: {$ref: "#/components/schemas/Boats"}
                  example: {data: [{id: 7, name: Anna}]}
            "404":
              content:
                application/json:
                  examples: {gone: {value: {error: absent}}}
        post:
          operationId: addBoat
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema: {$ref: "#/components/schemas/NewBoat"}
                example: {name: Anna, length: 8.5}
          responses: {}
    components:
      parameters:
        HarbourId: {name: harbour_id, in: path, schema: {type: string}, example: kiel}
      securitySchemes:
        key: {type: apiKey, in: header, name: X-Key, description: Ask the harbour master}
        token: {type: http, scheme: bearer}
      schemas:
        Boat:
          type: object
          required: [id]
          properties:
            id: {type: integer, readOnly: true}
            name: {type: string}
            mate: {$ref: "#/components/schemas/Boat"}
        Boats:
          type: object
          properties:
            data: {type: array, items: {$ref: "#/components/schemas/Boat"}}
            total: {type: integer}
        NewBoat:
          allOf:
            - $ref: "#/components/schemas/Boat"
            - type: object
              required: [name]
              properties:
                length: {type: number, format: double}
                owner:
                  type: object
                  properties: {mail: {type: string, format: email}}
    """)


def draft(text: str | bytes | dict[str, Any], url: str = "") -> PageDraft:
    data = json.dumps(text).encode() if isinstance(text, dict) else text
    data = data.encode() if isinstance(data, str) else data
    return draft_openapi(Source(name="api.yaml", data=data, media="openapi", url=url))


def by_name(endpoint: EndpointDraft) -> dict[str, ParameterDraft]:
    return {parameter.name.value: parameter for parameter in endpoint.parameters}


@pytest.fixture(scope="module")
def harbour() -> PageDraft:
    return draft(HARBOUR)


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(HARBOUR.split("\n"), 1) if text in line)


class TestHarbour:
    def test_the_page_states_title_base_and_auth(self, harbour: PageDraft) -> None:
        assert harbour.title == "Harbour API"
        assert [base.value for base in harbour.base_urls] == ["https://eu.harbour.test/v2"]
        assert [(auth.type, auth.name) for auth in harbour.auth] == [
            ("header", "X-Key"),
            ("bearer", "Authorization"),
        ]
        assert harbour.quality.grade == "organised"
        assert harbour.diagnostics == ()

    def test_method_and_path_cite_their_keys(self, harbour: PageDraft) -> None:
        listing = harbour.endpoints[0]
        assert (listing.method.value, listing.path.value) == (
            "GET",
            "/harbours/{harbour_id}/boats",
        )
        assert str(listing.path.spans[0]) == f"api.yaml:{line_of('/harbours/')}"
        assert str(listing.method.spans[0]) == f"api.yaml:{line_of('    get:')}"
        assert (listing.title, listing.deprecated, listing.section) == (
            "listBoats",
            True,
            ("boats",),
        )

    def test_parameters_of_path_and_operation_come_together(self, harbour: PageDraft) -> None:
        found = by_name(harbour.endpoints[0])
        assert list(found) == ["harbour_id", "limit", "kind", "X-Dock"]
        identifier, limit, kind = found["harbour_id"], found["limit"], found["kind"]
        assert identifier.location is not None
        assert identifier.location.value == "path"
        assert identifier.required is not None
        assert identifier.required.value is True
        assert [example.value for example in identifier.examples] == ["kiel"]
        assert identifier.name.spans[0].start == line_of("HarbourId: {name")
        assert limit.default is not None
        assert (limit.default.value, limit.minimum, limit.maximum) == (20, 1, 100)
        assert limit.description == "At most so many"
        assert kind.item_type == "string"
        assert kind.enum is not None
        assert kind.enum.value == ("sail", "motor")

    def test_body_fields_are_parameters_and_nested_ones_fields(self, harbour: PageDraft) -> None:
        adding = harbour.endpoints[1]
        found = by_name(adding)
        assert adding.body_kind == "json"
        assert list(found) == ["harbour_id", "name", "mate", "length", "owner"]
        assert found["name"].required is not None
        assert found["name"].required.value is True
        assert found["length"].format == "double"
        assert [field.name.value for field in found["owner"].fields] == ["mail"]
        assert found["name"].location is not None
        assert found["name"].location.value == "body"

    def test_a_body_example_is_a_sample(self, harbour: PageDraft) -> None:
        (sample,) = harbour.endpoints[1].samples
        assert sample.values == {"name": "Anna", "length": 8.5}
        assert json.loads(sample.body) == sample.values

    def test_answers_and_their_fields(self, harbour: PageDraft) -> None:
        listing = harbour.endpoints[0]
        assert listing.response_fields[:5] == (
            "data",
            "total",
            "data[]",
            "data[].id",
            "data[].name",
        )
        assert [(answer.status, json.loads(answer.text)) for answer in listing.responses] == [
            (200, {"data": [{"id": 7, "name": "Anna"}]}),
            (404, {"error": "absent"}),
        ]
        assert listing.content_types == ("application/json",)

    def test_no_security_is_told_from_nothing_said(self, harbour: PageDraft) -> None:
        assert harbour.endpoints[0].auth is None
        assert harbour.endpoints[1].auth is not None
        assert harbour.endpoints[1].auth.type == "none"

    def test_json_gives_the_same_facts(self, harbour: PageDraft) -> None:
        spec: dict[str, Any] = {
            "openapi": "3.1.0",
            "paths": {"/a": {"get": {"parameters": [{"name": "q", "in": "query"}]}}},
        }
        data = json.dumps(spec, indent=1)
        (endpoint,) = draft(data).endpoints
        place = endpoint.parameters[0].name.spans[0].start
        assert '"name"' in data.split("\n")[place - 1]


SWAGGER = """\
swagger: "2.0"
info: {title: Old}
host: old.test
basePath: /api/
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  login: {type: basic}
paths:
  /boats:
    post:
      parameters:
        - in: body
          name: boat
          schema:
            properties: {name: {type: string, example: Anna}}
            required: [name]
      responses:
        200:
          schema: {type: array, items: {properties: {id: {type: integer}}}}
          examples: {application/json: [{id: 1}]}
  /photos:
    post:
      consumes: [multipart/form-data]
      parameters:
        - {in: formData, name: photo, type: file, required: true}
        - {in: formData, name: note, type: string, default: none}
      responses: {}
"""


class TestSwagger:
    def test_hosts_schemes_and_auth(self) -> None:
        page = draft(SWAGGER)
        assert [base.value for base in page.base_urls] == [
            "https://old.test/api",
            "http://old.test/api",
        ]
        assert [auth.type for auth in page.auth] == ["basic"]

    def test_a_body_parameter_gives_its_fields(self) -> None:
        boats = draft(SWAGGER).endpoints[0]
        assert boats.body_kind == "json"
        (name,) = boats.parameters
        assert (name.name.value, name.required and name.required.value) == ("name", True)
        assert boats.response_fields == ("[].id",)
        assert [(answer.status, answer.text) for answer in boats.responses] == [
            (200, '[{"id": 1}]')
        ]

    def test_form_fields(self) -> None:
        photos = draft(SWAGGER).endpoints[1]
        assert photos.body_kind == "multipart"
        found = by_name(photos)
        assert found["photo"].type is not None
        assert found["photo"].type.value == "file"
        assert found["note"].location is not None
        assert found["note"].location.value == "form"


class TestBases:
    def test_a_path_without_host_goes_to_every_endpoint(self) -> None:
        page = draft(
            {"openapi": "3.0.0", "servers": [{"url": "/api/v3"}], "paths": {"/a": {"get": {}}}}
        )
        assert page.base_urls == ()
        assert page.endpoints[0].path.value == "/api/v3/a"

    def test_a_path_without_host_is_joined_to_where_the_file_came_from(self) -> None:
        spec: dict[str, Any] = {
            "openapi": "3.0.0",
            "servers": [{"url": "/v3"}],
            "paths": {"/a": {"get": {}}},
        }
        page = draft(spec, url="https://a.test/openapi.json")
        assert [base.value for base in page.base_urls] == ["https://a.test/v3"]
        assert page.endpoints[0].path.value == "/a"

    def test_an_operation_s_own_server_wins(self) -> None:
        operation = {"servers": [{"url": "https://files.test"}]}
        page = draft({"openapi": "3.0.0", "paths": {"/a": {"get": operation}}})
        assert page.endpoints[0].base_url is not None
        assert page.endpoints[0].base_url.value == "https://files.test"


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "codes"),
        [
            ("{", ["openapi-invalid"]),
            ("openapi: [", ["openapi-invalid"]),
            ("- 1", ["openapi-invalid"]),
            ("", ["openapi-invalid"]),
            ("openapi: 3.0.0", ["openapi-no-operations"]),
            ("openapi: 9.0\npaths: {}", ["openapi-version", "openapi-no-operations"]),
            ("openapi: 3.0.0\npaths: nothing", ["openapi-no-operations"]),
        ],
    )
    def test_each_fault_is_said(self, text: str, codes: list[str]) -> None:
        assert [diagnostic.code for diagnostic in draft(text).diagnostics] == codes

    def test_the_line_of_a_syntax_error_is_said(self) -> None:
        (found,) = draft('{"openapi": "3.0.0",\n "paths": {\n  "/a" oops }}').diagnostics
        assert found.span is not None
        assert found.span.start == 3

    def test_remote_and_broken_references_are_said_once(self) -> None:
        reference = {"schema": {"$ref": "other.yaml#/x"}, "name": "a", "in": "query"}
        broken = {"$ref": "#/nowhere"}
        operation = {"parameters": [reference, broken, broken]}
        page = draft({"openapi": "3.0.0", "paths": {"/a": {"get": operation, "post": operation}}})
        assert [d.code for d in page.diagnostics] == ["openapi-broken-ref", "openapi-remote-ref"]
        assert len(page.endpoints) == 2

    def test_references_in_a_circle_end(self) -> None:
        schemas = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}
        body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
        spec = {
            "openapi": "3.0.0",
            "paths": {"/a": {"post": {"requestBody": body}}},
            "components": {"schemas": schemas},
        }
        assert [d.code for d in draft(spec).diagnostics] == ["openapi-broken-ref"]

    def test_schemas_that_multiply_are_bounded(self) -> None:
        reference = {"$ref": "#/components/schemas/A"}
        other = {"$ref": "#/components/schemas/B"}
        properties = {f"p{n}": reference if n % 2 else other for n in range(200)}
        body = {"content": {"application/json": {"schema": reference}}}
        answers = {"200": {"content": {"application/json": {"schema": reference}}}}
        spec = {
            "openapi": "3.0.0",
            "paths": {"/a": {"post": {"requestBody": body, "responses": answers}}},
            "components": {
                "schemas": {"A": {"properties": properties}, "B": {"properties": properties}}
            },
        }
        (endpoint,) = draft(spec).endpoints

        def count(parameters: tuple[ParameterDraft, ...]) -> int:
            return len(parameters) + sum(count(inner.fields) for inner in parameters)

        assert 200 <= count(endpoint.parameters) <= 2_000
        assert len(endpoint.response_fields) <= 200
