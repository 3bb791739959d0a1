"""What all sections of a table's configuration share.

Each key's description says what is allowed, and messages quote it. A rule about two keys of one section is a
validator of the later key, which sees the earlier ones: so one fault does not hide another.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from controller.text.characters import character_fault

FILE = "the path of a file, beside the configuration if relative"
CURRENCY = 'the code of a currency in ISO 4217, as "USD", "EUR" or "JPY"'
FilePath = Annotated[str, Field(min_length=1, description=FILE)]
CONFLICT = "conflict"
"""Type of the error whose message starts with the name of a key, and says what is allowed; `key` in its
context is that name."""


@dataclass(frozen=True, slots=True)
class Choices:
    """In the annotation of a field: the names that it takes, where they are too many to be listed, or where
    plug-ins add some. They are only found for the message about an unknown one.

    If `listed` is true, the message lists them; otherwise, the field's description says what is allowed."""

    names: Callable[[], Iterable[str]]
    listed: bool = False


class Section(BaseModel):
    """No unknown keys, no converted types, no later change."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _visible(cls, value: object) -> object:
        """People read these names and paths, so every character must be visible."""
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str) and (why := character_fault(text)):
                raise PydanticCustomError("character", "{why}", {"why": why})
        return value

    def _with_paths(self, folder: Path, *names: str) -> Self:
        """A copy in which these keys are absolute paths; relative ones lie in `folder`. Empty ones stay."""
        given = {name: getattr(self, name) for name in names}
        return self.model_copy(
            update={name: str((folder / path).resolve()) for name, path in given.items() if path}
        )


def conflict(key: str, value: object, fault: str) -> PydanticCustomError:
    """The error to raise for a key that does not go together with another key of its section."""
    return PydanticCustomError(
        CONFLICT, "{text}", {"text": f"{key} = {toml_text(value)}: {fault}", "key": key}
    )


def toml_text(value: object) -> str:
    """The value nearly as TOML writes it, so that people can search for it."""
    return json.dumps(value, ensure_ascii=False, default=str)
