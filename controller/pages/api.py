"""The API of a table, from its OpenAPI document."""

from collections.abc import Iterable

from controller.monitor.openapi import openapi_document
from controller.monitor.reference.reference import (
    COMMON,
    Field,
    Operation,
    Reference,
    Schema,
    TypeName,
    curl,
    reference_of,
)
from controller.pages.markdown import block, paragraphs, table
from controller.pages.roles import application

SERVER = "https://table7.pit.example:8080"


def operations() -> str:
    shown = _reference()
    parts = [table(("status", "meaning of any operation"), COMMON)]
    if shown.example:
        parts.append(block("sh", curl(shown.example, SERVER)))
    for group in shown.groups:
        parts.append(f"### {group.title}")
        parts += [part for each in group.operations for part in _operation(each)]
    return paragraphs(parts)


def schemas() -> str:
    return paragraphs(part for each in _reference().schemas for part in _schema(each))


def _reference() -> Reference:
    return reference_of(openapi_document(application(), tls=True))


def _operation(operation: Operation) -> Iterable[str]:
    yield f"#### `{operation.method} {operation.path}`"
    yield f"{operation.summary}. {_line(operation.text)}"
    yield f"For: {operation.who}."
    if operation.parameters:
        rows = ((*_cells(each)[:1], each.place, *_cells(each)[1:]) for each in operation.parameters)
        yield table(("parameter", "in", "type", "allowed", "meaning"), rows)
    if operation.body:
        yield f"Body: {_type(operation.body)}."
    answers = ((each.status, _type(each.type) + each.media, _line(each.text)) for each in operation.answers)
    yield table(("status", "answer", "meaning"), answers)


def _schema(schema: Schema) -> Iterable[str]:
    yield f"### {schema.name}"
    if schema.text:
        yield _line(schema.text)
    yield table(("field", "type", "allowed", "meaning"), map(_cells, schema.fields))


def _cells(field: Field) -> tuple[str, str, str, str]:
    """Name, type, allowed values, meaning."""
    name = f"`{field.name}`" + (", required" if field.required else "")
    return name, _type(field.type), _line(field.allowed), _line(field.text)


def _type(named: TypeName) -> str:
    return "".join(f"[{part.text}](#{part.schema.lower()})" if part.schema else part.text for part in named)


def _line(text: str) -> str:
    """In one line, as in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
