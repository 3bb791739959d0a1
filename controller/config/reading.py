"""Reading the configuration of a table: one TOML file, all faults of it named at once."""

import tomllib
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from controller.config.cross_checks import cross_section_faults
from controller.config.section import CONFLICT, Section, toml_text
from controller.config.sections import Config

SECTIONS_WITH_PATHS = ("journal", "web", "access", "selftest", "socket", "uplink", "floor", "devices")
"""Sections with paths. One that may be left out is None."""
Document = Mapping[str, Any]
Root = TypeVar("Root", bound=Section)


class ConfigError(Exception):
    """The configuration cannot be used; `faults` holds one sentence each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read(path: Path) -> Config:
    """The configuration in the file at `path`, with absolute paths. Raises ConfigError."""
    config = parse(read_document(path))
    given = {name: section for name in SECTIONS_WITH_PATHS if (section := getattr(config, name))}
    resolved = {name: section.resolved(path.parent) for name, section in given.items()}
    return config.model_copy(update=resolved)


def read_document(path: Path) -> Document:
    """The TOML document in the file at `path`. Raises ConfigError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError((f"{path} is not TOML: {error}",)) from error


def parse(document: Document) -> Config:
    """The configuration in a parsed TOML document, with paths as written. Raises ConfigError."""
    return validated(Config, document, tuple(cross_section_faults(document)))


def validated(root: type[Root], document: Document, faults: tuple[str, ...] = ()) -> Root:
    """The document as `root`, whose keys are those of the file. `faults`: what was found otherwise. Raises
    ConfigError with all faults."""
    try:
        config = root.model_validate(document)
    except ValidationError as error:
        sentences = (_sentence(root, fault) for fault in error.errors())
        raise ConfigError((*sentences, *faults)) from error
    if faults:
        raise ConfigError(faults)
    return config


def _sentence(root: type[Section], error: ErrorDetails) -> str:
    location = tuple(takewhile(_is_name, error["loc"]))  # the key of a list, not the number of its item
    *section, name = map(str, location)
    key = ".".join((*section, name))
    if error["type"] == CONFLICT:
        return ".".join((*section, error["msg"]))
    if error["type"] == "extra_forbidden":
        known = ", ".join(_model(root, section).model_fields)
        return f"{key} = {toml_text(error['input'])}: unknown key; allowed here: {known}"
    if error["type"] == "character":
        return f"{key}: not allowed: {error['msg']}; allowed: text that can be seen"
    allowed = _allowed(_model(root, section), name)
    if error["type"] == "missing":
        return f"{key} is missing; needed: {allowed}"
    return f"{key} = {toml_text(error['input'])}: not allowed; allowed: {allowed}"


def _allowed(model: type[Section], name: str) -> str | None:
    """What a key takes. The name of a jackpot is not a field: it takes a section."""
    field = model.model_fields.get(name)
    return f"a section with {', '.join(model.model_fields)}" if field is None else field.description


def _is_name(part: int | str) -> bool:
    return isinstance(part, str)


def _model(root: type[Section], section: list[str]) -> type[Section]:
    """The model of the section of `root` with these names."""
    model = root
    names = iter(section)
    for name in names:
        annotation = model.model_fields[name].annotation
        model = next(kind for kind in (annotation, *get_args(annotation)) if _is_section(kind))
        if get_origin(annotation) is dict:
            next(names, None)
    return model


def _is_section(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)
