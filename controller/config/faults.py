"""The faults of a configuration: what is wrong, and where it is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from controller.config.lines import Location, key_lines
from controller.config.section import CONFLICT, Choices, Section, toml_text
from controller.text.choices import literal_texts, nearest

MOVED: Final = {"reports.zone": "table.time_zone"}
"""Keys that older versions had, and those that took their place."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`sentence` starts with the key at fault. `places`: the keys where a person looks for it, the best one
    first; not all of them need be written."""

    sentence: str
    places: tuple[Location, ...]


def located(path: Path, text: str, faults: tuple[Fault, ...]) -> tuple[str, ...]:
    """The sentences, each with the path of the file and the line in its text. What is missing has the line of
    its section, and none if no line of the file names the section."""
    lines = key_lines(text)
    found = ((_line(lines, fault.places), fault.sentence) for fault in faults)
    return tuple(sentence if line is None else f"{path}, line {line}: {sentence}" for line, sentence in found)


def _line(lines: Mapping[Location, int], places: tuple[Location, ...]) -> int | None:
    best = places[0]
    outer = (best[:length] for length in range(len(best) - 1, 0, -1))
    return next((lines[place] for place in (*places, *outer) if place in lines), None)


def suggestion(name: str | None) -> str:
    """The end of a sentence about an unknown name, with the known one that is nearest to it."""
    return f"; did you mean {name}?" if name else ""


def model_fault(root: type[Section], error: ErrorDetails) -> Fault:
    """An error that pydantic found in a document whose keys are those of `root`."""
    location = tuple(_names(error["loc"]))
    if error["type"] == CONFLICT:
        section = location[:-1]
        return Fault(".".join((*section, error["msg"])), ((*section, error["ctx"]["key"]), location))
    return Fault(_sentence(root, location, error), (location,))


def _names(location: tuple[int | str, ...]) -> Iterator[str]:
    """The key of a list, not the number of its item."""
    return map(str, takewhile(lambda part: isinstance(part, str), location))


def _sentence(root: type[Section], location: Location, error: ErrorDetails) -> str:
    *section, name = location
    key = ".".join(location)
    if error["type"] == "extra_forbidden":
        known = _model(root, section).model_fields
        if key in MOVED:
            return f"{key} = {toml_text(error['input'])}: unknown key; write {MOVED[key]} instead"
        unknown = f"{key} = {toml_text(error['input'])}: unknown key; allowed here: {', '.join(known)}"
        return f"{unknown}{suggestion(nearest(name, known))}"
    if error["type"] == "character":
        return f"{key}: not allowed: {error['msg']}; allowed: text that can be seen"
    model = _model(root, section)
    allowed = _allowed(model, name)
    if error["type"] == "missing":
        return f"{key} is missing; needed: {allowed}"
    meant = nearest(error["input"], _choices(model, name))
    return (
        f"{key} = {toml_text(error['input'])}: not allowed; allowed: {allowed}"
        f"{suggestion(meant and toml_text(meant))}"
    )


def _allowed(model: type[Section], name: str) -> str | None:
    """What a key takes. The name of a jackpot is not a field: it takes a section."""
    field = model.model_fields.get(name)
    if field is None:
        return f"a section with {', '.join(model.model_fields)}"
    listed = (" or ".join(map(toml_text, one.names())) for one in _found_choices(field) if one.listed)
    return next(listed, field.description)


def _choices(model: type[Section], name: str) -> tuple[str, ...]:
    """The texts that a key takes by name: those of its type, or the examples or the choices of its field."""
    field = model.model_fields.get(name)
    if field is None:
        return ()
    choices = (name for each in _found_choices(field) for name in each.names())
    return (*literal_texts(field.annotation), *(field.examples or ()), *choices)


def _found_choices(field: FieldInfo) -> Iterator[Choices]:
    return (each for each in field.metadata if isinstance(each, Choices))


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
