"""The reference of the API says everything that the OpenAPI document has, for people."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.people import ROLES
from controller.monitor.navigation import REFERENCE
from controller.monitor.openapi import group_of, openapi_document
from controller.monitor.reference.reference import (
    allowed_values,
    curl,
    reference_of,
    type_name,
)
from controller.pages.roles import application
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.web_staff import ADDRESS, NOBODY, Staff, staffed

DOCUMENT = openapi_document(application(), tls=False)


async def of_the_floor(folder: Path) -> dict[str, Any]:
    async with floor(folder) as browser:
        app = browser._transport.app  # type: ignore[attr-defined]
        return openapi_document(app, tls=False)


def bare(document: dict[str, Any]) -> list[str]:
    """Operations and parameters without a description."""
    found = []
    for path, operations in document["paths"].items():
        for method, said in operations.items():
            if not (said.get("summary") and said.get("description")):
                found.append(f"{method} {path}")
            found += [
                f"{method} {path}: {each['name']}"
                for each in said.get("parameters", ())
                if not each.get("description")
            ]
    return found


def test_every_operation_and_every_parameter_of_a_table_is_described() -> None:
    assert bare(DOCUMENT) == []


async def test_every_operation_and_every_parameter_of_a_floor_is_described(tmp_path: Path) -> None:
    assert bare(await of_the_floor(tmp_path)) == []


def test_a_path_outside_the_groups_is_found() -> None:
    with pytest.raises(ValueError, match="/api/v1/weather has no word of GROUPS"):
        group_of("/api/v1/weather")


@pytest.mark.parametrize(
    ("schema", "named", "allowed"),
    [
        (
            {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
            "integer",
            "1 to 500; without it `50`",
        ),
        (
            {"anyOf": [{"type": "number", "maximum": 1e12}, {"type": "null"}]},
            "number or null",
            "at most 1000000000000",
        ),
        ({"type": "string", "enum": ["a", "b"]}, "string", "`a`, `b`"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Chip"}}, "list of Chip", ""),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of string", ""),
        ({"type": "boolean", "default": True}, "boolean", "without it `true`"),
        (
            {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^x$"},
            "string",
            "1 to 64 characters; as `^x$`",
        ),
        ({}, "anything", ""),
    ],
)
def test_types_are_in_words(schema: dict[str, Any], named: str, allowed: str) -> None:
    assert "".join(part.text for part in type_name(schema)) == named
    assert allowed_values(schema) == allowed


def test_every_type_that_is_named_has_its_schema() -> None:
    reference = reference_of(DOCUMENT)
    known = {schema.name for schema in reference.schemas}
    operations = [each for group in reference.groups for each in group.operations]
    types = [
        *(each.body for each in operations),
        *(answer.type for each in operations for answer in each.answers),
        *(field.type for schema in reference.schemas for field in schema.fields),
    ]
    assert {part.schema for named in types for part in named if part.schema} <= known
    assert len(operations) == sum(len(methods) for methods in DOCUMENT["paths"].values())
    anchors = [each.anchor for each in operations]
    assert len(set(anchors)) == len(anchors)


async def read(staff: Staff, role: str, **headers: str) -> httpx.Response:
    async with staff.browser(role) as browser:
        return await browser.get(REFERENCE, headers=headers)


@pytest.mark.parametrize("role", [NOBODY, *ROLES])
async def test_anyone_reads_it_and_the_frame_is_that_of_the_person(tmp_path: Path, role: str) -> None:
    with staffed(tmp_path) as staff:
        page = (await read(staff, role)).text
    assert page.count('href="/api/v1" aria-current="page"') == (role in ("technician", "auditor"))
    for path in DOCUMENT["paths"]:
        assert f"<code>{path}</code>" in page
    for name in DOCUMENT["components"]["schemas"]:
        assert page.count(f'<section class="panel" id="{name.lower()}"') == 1
    assert "<script>" not in page
    assert "style=" not in page


async def test_only_the_frame_is_in_the_language_of_the_person(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        page = (await read(staff, "auditor", **{"Accept-Language": "es"})).text
    assert '<html lang="es"' in page
    assert '<div class="reference" lang="en" dir="ltr">' in page
    assert "Auditoría" in page
    assert "The table as it is now" in page


async def test_the_example_works_as_it_stands(tmp_path: Path) -> None:
    """It is the address at which the page was read, and a token reads it."""
    example = reference_of(DOCUMENT).example
    assert example
    with staffed(tmp_path) as staff:
        page = (await read(staff, NOBODY)).text
        command = curl(example, ADDRESS)
        assert command.replace('"', "&#34;") in page
        async with staff.browser(NOBODY) as browser:
            token = staff.access.tokens.make("rating", 30, "root")
            answer = await browser.get(command.split()[-1], headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200


async def test_the_floor_has_a_reference_of_its_own(tmp_path: Path) -> None:
    async with floor(tmp_path, "auditor") as browser:
        page = (await browser.get(REFERENCE)).text
    assert "<h1>Tableside floor API</h1>" in page
    assert "<code>/api/v1/floor/tables/{table}</code>" in page
    assert 'href="/api/v1" aria-current="page"' in page
