"""A folder with a game, its tests and its packaging, to begin a plug-in with."""

import keyword
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Final

from controller.games import game_names
from controller.games.plugins import ALLOWED_ID, is_id

TEMPLATES: Final = Path(__file__).parent / "templates"
FILES: Final = {
    "pyproject.toml": "pyproject.toml.template",
    "README.md": "README.md.template",
    "{module}.py": "game.py.template",
    "test_{module}.py": "test_game.py.template",
}
"""By name in the folder: the template. Names of modules are the same as the game's, with underscores."""
LONGEST: Final = 40
OWN_MODULES: Final = frozenset({"controller", "drivers"})


class ScaffoldError(Exception):
    """The folder cannot be made; the text says why, and what is allowed."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game by its id. Raises ScaffoldError."""

    name: str

    def __post_init__(self) -> None:
        if not is_id(self.name) or len(self.name) > LONGEST:
            allowed = f"at most {LONGEST} {ALLOWED_ID}"
            raise ScaffoldError(f"{self.name!r} is not allowed as the id of a game; allowed: {allowed}")
        if self.name in (taken := game_names()):
            raise ScaffoldError(f"{self.name!r} is taken; allowed: an id other than {', '.join(taken)}")
        if keyword.iskeyword(self.module) or self.module in sys.stdlib_module_names | OWN_MODULES:
            raise ScaffoldError(f"{self.name!r} names a module of Python or Tableside; allowed: another id")

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def kind(self) -> str:
        """The name of the class."""
        return "".join(part.capitalize() for part in self.name.split("-"))

    @property
    def title(self) -> str:
        return " ".join(part.capitalize() for part in self.name.split("-"))


def write(game: NewGame, folder: Path) -> tuple[Path, ...]:
    """The files, in a new folder. Raises ScaffoldError if the folder exists or cannot be written."""
    words = {
        "name": game.name,
        "module": game.module,
        "kind": game.kind,
        "title": game.title,
        "version": version("tableside"),
    }
    written = {
        folder / name.format(module=game.module): Template(
            (TEMPLATES / template).read_text("utf-8")
        ).substitute(words)
        for name, template in FILES.items()
    }
    try:
        folder.mkdir(parents=True)
        for path, text in written.items():
            path.write_text(text, "utf-8")
    except FileExistsError:
        raise ScaffoldError(f"{folder} exists already; allowed: a folder that does not") from None
    except OSError as error:
        raise ScaffoldError(f"{folder} cannot be written: {error.strerror}") from error
    return tuple(written)
