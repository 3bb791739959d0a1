"""Reading the configuration of a table: one TOML file, all faults of it named at once."""

import tomllib
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from controller.config.cross_checks import cross_section_faults
from controller.config.section import CONFLICT, Section, toml_text
from controller.config.sections import Config

SECTIONS_WITH_PATHS = ("journal", "web", "access", "selftest", "socket", "uplink", "devices")
"""Sections with paths. One that may be left out is None."""


class ConfigError(Exception):
    """The configuration cannot be used; `faults` holds one sentence each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read(path: Path) -> Config:
    """The configuration in the file at `path`, with absolute paths. Raises ConfigError."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError((f"{path} is not TOML: {error}",)) from error
    config = parse(document)
    given = {name: section for name in SECTIONS_WITH_PATHS if (section := getattr(config, name))}
    resolved = {name: section.resolved(path.parent) for name, section in given.items()}
    return config.model_copy(update=resolved)


def parse(document: Mapping[str, Any]) -> Config:
    """The configuration in a parsed TOML document, with paths as written. Raises ConfigError."""
    faults = tuple(cross_section_faults(document))
    try:
        config = Config.model_validate(document)
    except ValidationError as error:
        raise ConfigError((*map(_sentence, error.errors()), *faults)) from error
    if faults:
        raise ConfigError(faults)
    return config


def _sentence(error: ErrorDetails) -> str:
    location = tuple(takewhile(_is_name, error["loc"]))  # the key of a list, not the number of its item
    *section, name = map(str, location)
    key = ".".join((*section, name))
    if error["type"] == CONFLICT:
        return ".".join((*section, error["msg"]))
    if error["type"] == "extra_forbidden":
        known = ", ".join(_model(section).model_fields)
        return f"{key} = {toml_text(error['input'])}: unknown key; allowed here: {known}"
    if error["type"] == "character":
        return f"{key}: not allowed: {error['msg']}; allowed: text that can be seen"
    allowed = _allowed(_model(section), name)
    if error["type"] == "missing":
        return f"{key} is missing; needed: {allowed}"
    return f"{key} = {toml_text(error['input'])}: not allowed; allowed: {allowed}"


def _allowed(model: type[Section], name: str) -> str | None:
    """What a key takes. The name of a jackpot is not a field: it takes a section."""
    field = model.model_fields.get(name)
    return f"a section with {', '.join(model.model_fields)}" if field is None else field.description


def _is_name(part: int | str) -> bool:
    return isinstance(part, str)


def _model(section: list[str]) -> type[Section]:
    """The model of the section with these names."""
    model: type[Section] = Config
    names = iter(section)
    for name in names:
        annotation = model.model_fields[name].annotation
        model = next(kind for kind in (annotation, *get_args(annotation)) if _is_section(kind))
        if get_origin(annotation) is dict:
            next(names, None)
    return model


def _is_section(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)
