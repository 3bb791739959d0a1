"""Enough of JSON Schema to check an answer against its OpenAPI description."""

from collections.abc import Mapping
from typing import Any

TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "array": list,
    "object": dict,
    "null": type(None),
}


Json = Any


def faults(document: Json, schema: Json, value: Json, where: str = "answer") -> list[str]:
    """The faults of `value`, one a line."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        choices = [faults(document, choice, value, where) for choice in schema["anyOf"]]
        return [] if [] in choices else choices[0]
    kind = schema["type"]
    if not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool)):
        return [f"{where} is {value!r}, not of type {kind}"]
    if value not in schema.get("enum", [value]):
        return [f"{where} is {value!r}, not one of {schema['enum']}"]
    inside = {"array": _items, "object": _members}.get(kind)
    return inside(document, schema, value, where) if inside else []


def _items(document: Json, schema: Json, value: Json, where: str) -> list[str]:
    each = (faults(document, schema["items"], item, f"{where}[{index}]") for index, item in enumerate(value))
    return [fault for found in each for fault in found]


def _members(document: Json, schema: Json, value: Json, where: str) -> list[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties")
    found = [f"{where} lacks {name}" for name in schema.get("required", ()) if name not in value]
    for name, item in value.items():
        member = known.get(name, others)
        found += faults(document, member, item, f"{where}.{name}") if member else [f"{where} has {name}"]
    return found
