"""What the OpenAPI document of an application says, as pages show it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.monitor.authorization import ANYONE, ROLES_KEY, TOKENS_KEY

Json = Mapping[str, Any]
SCHEMAS = "#/components/schemas/"
NO_TEXT = "Successful Response"
"""What FastAPI says of a response that has no description."""
COMMON = (
    ("401", "Nobody is signed in"),
    ("403", "Not for this role"),
    ("413", "The body is too long"),
    ("429", "Too many requests; Retry-After says when again"),
    ("503", "Not now: the table halts, or too many connections"),
)
"""Responses that are described once for all operations."""


@dataclass(frozen=True, slots=True)
class TypePart:
    """A piece of the name of a type; `schema`: the schema that it leads to, empty for none."""

    text: str
    schema: str = ""


TypeName = tuple[TypePart, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a schema. `place`: `path` or `query`, empty for a field. `allowed`: its
    values and limits."""

    name: str
    type: TypeName
    allowed: str
    required: bool
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. `media`: the media type if it is not JSON."""

    status: str
    type: TypeName
    media: str
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What a method does at a path. `who`: whom it serves, in words. `tokens`: other systems may read it with
    a token."""

    method: str
    path: str
    summary: str
    text: str
    who: str
    tokens: bool
    parameters: tuple[Field, ...]
    body: TypeName
    answers: tuple[Answer, ...]

    @property
    def anchor(self) -> str:
        """As on a page of documentation below a heading with method and path."""
        kept = "".join(each for each in self.path if each.isalnum() or each in "-_")
        return f"{self.method.lower()}-{kept}"


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    operations: tuple[Operation, ...]

    @property
    def anchor(self) -> str:
        return self.title.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Schema:
    name: str
    text: str
    fields: tuple[Field, ...]

    @property
    def anchor(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Reference:
    """`groups` in the order of the document's tags, `schemas` by name."""

    title: str
    summary: str
    version: str
    groups: tuple[Group, ...]
    schemas: tuple[Schema, ...]

    @property
    def example(self) -> Operation | None:
        """An operation that a token reads, without parameters; None if there is none."""
        operations = (operation for group in self.groups for operation in group.operations)
        return next((each for each in operations if each.tokens and not each.parameters), None)


def reference_of(document: Json) -> Reference:
    operations = list(_operations(document))
    groups = (
        Group(tag["name"], tuple(each for name, each in operations if name == tag["name"]))
        for tag in document["tags"]
    )
    schemas = document["components"]["schemas"]
    return Reference(
        document["info"]["title"],
        document["info"]["summary"],
        document["info"]["version"],
        tuple(group for group in groups if group.operations),
        tuple(_schema(name, schemas[name]) for name in sorted(schemas, key=str.lower)),
    )


def curl(operation: Operation, server: str) -> str:
    """The command that reads with a token, which the shell takes from `TOKEN`. `server`: scheme, host and
    port."""
    return f'curl -H "Authorization: Bearer $TOKEN" {server}{operation.path}'


def type_name(schema: Json) -> TypeName:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SCHEMAS)
        return (TypePart(name, name),)
    if choices := schema.get("anyOf", schema.get("oneOf")):
        parts = list(type_name(choices[0]))
        for choice in choices[1:]:
            parts += [TypePart(" or "), *type_name(choice)]
        return tuple(parts)
    match schema.get("type"):
        case "array":
            return TypePart("list of "), *type_name(schema.get("items", {}))
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return TypePart("object of "), *type_name(schema["additionalProperties"])
        case str(named):
            return (TypePart(named),)
    return (TypePart("anything"),)


def allowed_values(schema: Json) -> str:
    """The values and limits of a type, and what holds without it."""
    said = list(_limits(schema))
    if (value := schema.get("default")) not in (None, "", [], {}):
        said.append(f"without it {_literal(value)}")
    return "; ".join(said)


def _operations(document: Json) -> Iterator[tuple[str, Operation]]:
    """Each operation with the name of its group."""
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            yield (
                said["tags"][0],
                Operation(
                    method.upper(),
                    path,
                    said["summary"],
                    said.get("description", ""),
                    _who(said),
                    TOKENS_KEY in said,
                    tuple(_parameter(each) for each in said.get("parameters", ())),
                    _content(said.get("requestBody", {}))[0],
                    tuple(_answers(said["responses"])),
                ),
            )


def _who(operation: Json) -> str:
    roles = operation[ROLES_KEY]
    if ANYONE in roles:
        return "anyone"
    readers = ["a read token"] if TOKENS_KEY in operation else []
    return ", ".join([*roles, *readers])


def _parameter(said: Json) -> Field:
    schema = said["schema"]
    text = said.get("description", "")
    return Field(
        said["name"],
        type_name(schema),
        allowed_values(schema),
        said.get("required", False),
        text,
        said["in"],
    )


def _answers(responses: Json) -> Iterator[Answer]:
    """The responses of one operation, without those that are common to all."""
    for status, said in sorted(responses.items()):
        if (status, said["description"]) in COMMON:
            continue
        named, media = _content(said)
        text = {"204": "Done"}.get(status, "") if said["description"] == NO_TEXT else said["description"]
        yield Answer(status, named, media, text)


def _content(said: Json) -> tuple[TypeName, str]:
    """The type of a body, and its media type if that is not JSON."""
    for media, content in said.get("content", {}).items():
        if media == "application/json":
            return type_name(content.get("schema", {})), ""
        return (), media
    return (), ""


def _schema(name: str, said: Json) -> Schema:
    needed = said.get("required", ())
    fields = (
        Field(
            field,
            type_name(schema),
            allowed_values(schema),
            field in needed,
            schema.get("description", ""),
        )
        for field, schema in said.get("properties", {}).items()
    )
    return Schema(name, said.get("description", ""), tuple(fields))


def _limits(schema: Json) -> Iterator[str]:
    """Also those of the choices and of the items of a list."""
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _limits(choice)
    yield from _limits(schema.get("items", {})) if schema.get("items") else ()
    if "enum" in schema:
        yield ", ".join(map(_literal, schema["enum"]))
    if "const" in schema:
        yield _literal(schema["const"])
    yield from _range(schema.get("minimum"), schema.get("maximum"), "")
    yield from _range(schema.get("minLength"), schema.get("maxLength"), " characters")
    yield from _range(schema.get("minItems"), schema.get("maxItems"), " items")
    if "pattern" in schema:
        yield f"as `{schema['pattern']}`"


def _range(least: float | None, most: float | None, what: str) -> Iterator[str]:
    if least is not None and most is not None:
        yield f"{least:.16g} to {most:.16g}{what}" if least != most else f"{least:g}{what}"
    elif least is not None:
        yield f"at least {least:.16g}{what}"
    elif most is not None:
        yield f"at most {most:.16g}{what}"


def _literal(value: object) -> str:
    """A value between back-quotes; text without quotation marks."""
    if isinstance(value, str):
        return f"`{value}`"
    return f"`{value:.16g}`" if isinstance(value, float) else f"`{json.dumps(value)}`"
