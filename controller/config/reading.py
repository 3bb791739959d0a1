"""Reading the configuration of a table: one TOML file, all faults of it named at once."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ConfigDict, ValidationError

from controller.config.cross_checks import cross_section_faults
from controller.config.faults import Fault, located, model_fault
from controller.config.section import Section
from controller.config.sections import Config, JournalSection

SECTIONS_WITH_PATHS = (
    "journal",
    "web",
    "access",
    "selftest",
    "socket",
    "uplink",
    "floor",
    "bridge",
    "devices",
)
"""Sections with paths. One that may be left out is None."""
Document = Mapping[str, Any]
Root = TypeVar("Root", bound=Section)


class ConfigError(Exception):
    """The configuration cannot be used; `faults` holds one sentence each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class _JournalAlone(Section):
    """The section of the journal, and anything besides it."""

    model_config = ConfigDict(extra="ignore")

    journal: JournalSection


def read(path: Path) -> Config:
    """The configuration in the file at `path`, with absolute paths. Raises ConfigError."""
    config = read_root(Config, path, cross_section_faults)
    given = {name: section for name in SECTIONS_WITH_PATHS if (section := getattr(config, name))}
    resolved = {name: section.resolved(path.parent) for name, section in given.items()}
    return config.model_copy(update=resolved)


def read_journal_section(path: Path) -> JournalSection:
    """The section `journal` of the file at `path`, with absolute paths, whatever is wrong in other sections.
    An upgrade needs it while the file still lacks what the new version asks for. Raises ConfigError."""
    return read_root(_JournalAlone, path).journal.resolved(path.parent)


def read_document(path: Path) -> Document:
    """The TOML document in the file at `path`. Raises ConfigError."""
    return _document(path, file_text(path))


def read_root(
    root: type[Root], path: Path, checks: Callable[[Document], Iterable[Fault]] = lambda _: ()
) -> Root:
    """The document in the file at `path` as `root`, whose keys are those of the file, with paths as written.
    `checks` finds further faults. Raises ConfigError with all faults and their lines."""
    text = file_text(path)
    document = _document(path, text)
    return _validated(root, document, checks(document), partial(located, path, text))


def parse(document: Document) -> Config:
    """The configuration in a parsed TOML document, with paths as written. Raises ConfigError."""
    return _validated(Config, document, cross_section_faults(document), _sentences)


def file_text(path: Path) -> str:
    """The text of the file at `path`. Raises ConfigError."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    except UnicodeDecodeError as error:
        raise _not_toml(path, error) from error


def _document(path: Path, text: str) -> Document:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, error) from error


def _not_toml(path: Path, error: ValueError) -> ConfigError:
    return ConfigError((f"{path} is not TOML: {error}",))


def _validated(
    root: type[Root],
    document: Document,
    found: Iterable[Fault],
    sentences: Callable[[tuple[Fault, ...]], tuple[str, ...]],
) -> Root:
    """`found`: the faults that were found otherwise. Raises ConfigError with the sentences of all faults."""
    try:
        config = root.model_validate(document)
    except ValidationError as error:
        faults = (model_fault(root, each) for each in error.errors())
        raise ConfigError(sentences((*faults, *found))) from error
    if others := tuple(found):
        raise ConfigError(sentences(others))
    return config


def _sentences(faults: tuple[Fault, ...]) -> tuple[str, ...]:
    return tuple(fault.sentence for fault in faults)
