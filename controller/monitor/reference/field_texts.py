"""The descriptions of fields, which stand below them in the source as strings."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args, get_type_hints

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel

_NONE = re.compile(r"\bNone\b")


def add_field_texts(app: FastAPI, schemas: Mapping[str, Any]) -> None:
    """Describe the fields of the schemas, unless they have a description. JSON has null where Python has
    None."""
    for model in set(_models(app)):
        fields = schemas.get(model.__name__, {}).get("properties", {})
        for name, text in field_texts(model).items():
            if name in fields:
                fields[name].setdefault("description", text)
    for schema in schemas.values():
        for said in (schema, *schema.get("properties", {}).values()):
            if "description" in said:
                said["description"] = _NONE.sub("null", said["description"])


def field_texts(model: type) -> dict[str, str]:
    """The descriptions by field, those of inherited fields too."""
    return {
        name: text
        for each in reversed(model.__mro__)
        for name, text in _texts_of_module(each.__module__).get(each.__name__, {}).items()
    }


def _models(app: FastAPI) -> Iterator[type]:
    """The types of all bodies and answers, and the types within them."""
    seen = set[type]()
    for route in app.routes:
        if isinstance(route, APIRoute):
            fields = (*route.dependant.body_params, *filter(None, [route.response_field]))
            for field in (*fields, *route.response_fields.values()):
                yield from _within(field.field_info.annotation, seen)


def _within(annotation: Any, seen: set[type]) -> Iterator[type]:
    for part in get_args(annotation):
        yield from _within(part, seen)
    if not isinstance(annotation, type) or annotation in seen or get_args(annotation):
        return
    seen.add(annotation)
    if is_dataclass(annotation) or issubclass(annotation, BaseModel):
        yield annotation
        for part in get_type_hints(annotation).values():
            yield from _within(part, seen)


@cache
def _texts_of_module(module: str) -> dict[str, dict[str, str]]:
    """The descriptions by class and field; none if the source is not there."""
    path = getattr(sys.modules.get(module), "__file__", None)
    if not path or not module.startswith("controller."):
        return {}
    tree = ast.parse(Path(path).read_text("utf-8"))
    return {node.name: dict(_texts_of_class(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _texts_of_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, cleandoc(text)
